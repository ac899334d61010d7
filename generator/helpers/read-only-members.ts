import { groupPairs } from '../../model/maps.js';
import { applicableParts, followRefs, isMarked } from '../../schema/facts/parts.js';
import type { Api } from '../../model/api.js';
import { type Schema, refName } from '../../model/schema-types.js';

/** The plan by which the runtime removes read-only members: see `ReadOnlyMembers` in runtime/helpers.ts. */
export interface ReadOnlyView {
  readonly rules: Readonly<Record<string, ReadOnlyRule>>;
  /** The rule of the whole value. */
  readonly start: string;
}

interface ReadOnlyRule {
  drop?: string[];
  inside?: Record<string, string>;
}

/** The read-only members of a schema and of all schemas that it reaches, or `undefined`. */
export function listReadOnly(api: Api, schema: Schema): ReadOnlyView | undefined {
  const rules = new Map<string, ReadOnlyRule>();
  const start = addRule(schema, { api, rules });
  const kept = keepEffective(rules);
  return kept.has(start)
    ? { rules: Object.fromEntries([...kept].toSorted(([a], [b]) => (a < b ? -1 : 1))), start }
    : undefined;
}

interface Walk {
  readonly api: Api;
  readonly rules: Map<string, ReadOnlyRule>;
}

/** Adds the rule of a schema and returns its name: that of the named schema, or a number. */
function addRule(schema: Schema, walk: Walk): string {
  const { api, rules } = walk;
  const element = elementOf(api, schema);
  const isNamed = typeof element === 'object' && element.$ref !== undefined && Object.keys(element).every(isPlain);
  const name = isNamed && element.$ref !== undefined ? refName(element.$ref) : String(rules.size);
  if (rules.has(name)) return name;
  const rule: ReadOnlyRule = {};
  rules.set(name, rule);
  for (const [member, variants] of collectMembers(api, element)) {
    // If one variant allows writing the member, it must be kept.
    if (variants.every((variant) => isMarked(variant, 'readOnly', api))) (rule.drop ??= []).push(member);
    else if (variants[0] !== undefined) (rule.inside ??= {})[member] = addRule(variants[0], walk);
  }
  return name;
}

function isPlain(key: string): boolean {
  return key === '$ref' || key === 'description' || key === 'title' || key.startsWith('x-');
}

/** The rule of a list is that of its items. */
function elementOf(api: Api, schema: Schema): Schema {
  let here = schema;
  for (let depth = 0; depth < 10; depth += 1) {
    const items = followRefs(here, api)?.items;
    if (items === undefined) return here;
    here = items;
  }
  return here;
}

/** The members of a schema and its parts by name; `*` are all others. */
function collectMembers(api: Api, schema: Schema): Map<string, Schema[]> {
  return groupPairs(
    applicableParts(schema, api).flatMap(({ properties = {}, additionalProperties }) => [
      ...Object.entries(properties),
      ...(typeof additionalProperties === 'object' ? [['*', additionalProperties] as const] : []),
    ]),
  );
}

/** Removes rules that drop nothing and lead to no rule that does. */
function keepEffective(rules: ReadonlyMap<string, ReadOnlyRule>): Map<string, ReadOnlyRule> {
  const effective = new Set([...rules].filter(([, { drop }]) => drop !== undefined).map(([name]) => name));
  for (let before = -1; before !== effective.size;) {
    before = effective.size;
    for (const [name, { inside = {} }] of rules)
      if (Object.values(inside).some((target) => effective.has(target))) effective.add(name);
  }
  return new Map(
    [...rules].filter(([name]) => effective.has(name)).map(([name, rule]) => [name, withoutSilent(rule, effective)]),
  );
}

function withoutSilent({ drop, inside }: ReadOnlyRule, effective: ReadonlySet<string>): ReadOnlyRule {
  const kept = Object.entries(inside ?? {}).filter(([, target]) => effective.has(target));
  return {
    ...(drop === undefined ? {} : { drop }),
    ...(kept.length === 0 ? {} : { inside: Object.fromEntries(kept) }),
  };
}
