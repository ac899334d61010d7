import type { Api, Operation } from '../../model/api.js';
import { appendPointer } from '../../model/document/pointer.js';
import type { ChangeValue } from '../../model/helper-values.js';
import { groupPairs } from '../../model/maps.js';
import { refName, type Schema } from '../../model/schema-types.js';
import { applicableParts, followRefs, isMarked } from '../../schema/facts/parts.js';
import { printValue } from '../fixtures/print-value.js';
import { memberOf, need, type OperationHelper } from './helper-scope.js';
import { bodySchema, needHeader, needResponseHeader, responseSchema, schemaAt } from './schema-at.js';

/** `<operation>With` */
export const CHANGE: OperationHelper<ChangeValue> = {
  extension: 'x-read-before-write',
  options: 'ChangeOptions',
  doc: 'The change edits its draft, or returns another one. It is repeated after a conflict with another writer.\n\n@throws Everything that either call throws.',
  plan(operation, value, scope) {
    const { from = '', to = '', etag } = value;
    const read = scope.find(value.read, '/read');
    const partAt = (schema: Schema | undefined, pointer: string): Schema | undefined =>
      schema === undefined ? undefined : schemaAt(scope.api, schema, pointer);
    const body = partAt(bodySchema(operation), to);
    const draft = need(body, `the body has no ${JSON.stringify(to)}.`, memberOf(value, 'to'));
    const shown = partAt(responseSchema(read), from);
    need(shown, `the response of ${value.read} has no ${JSON.stringify(from)}.`, memberOf(value, 'from'));
    if (etag !== undefined) needHeader(operation, etag.condition, '/etag/condition');
    if (etag?.header !== undefined) needResponseHeader(read, etag.header, '/etag/header');
    const plan = { ...planChange(operation, read, value), ...planReadOnly(scope.api, draft) };
    const type = scope.typeOf(draft, 'input');
    return {
      name: `${operation.name}With`,
      summary: `reads with \`${read.name}\`, changes, and writes with \`${operation.name}\`, keeping all other members`,
      parameters: [
        { name: 'request', type: scope.requestType(read) },
        { name: 'change', type: `(draft: ${type}) => ${type} | void | Promise<${type} | void>` },
      ],
      returnType: `Promise<${scope.responseType(operation)}>`,
      code: `${scope.use('readChangeWrite')}(\n  {\n    read: ${scope.callOf(read)},\n    write: ${scope.callOf(operation)},\n  },\n  ${printValue(plan, '  ')},\n  { request, change, options },\n)`,
    };
  },
};

function planChange(
  operation: Operation,
  read: Operation,
  { from, to, copy = {}, etag, conflict = [412] }: ChangeValue,
): object {
  const pathNames = ({ parameters }: Operation): string[] =>
    parameters.filter((one) => one.in === 'path').map(({ name }) => name);
  const shared = pathNames(operation).filter((name) => pathNames(read).includes(name));
  const pointers = shared.map((name) => appendPointer('/path', name));
  return {
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    copy: [...pointers.map((pointer) => [pointer, pointer]), ...Object.entries(copy)],
    ...(etag === undefined
      ? {}
      : { etag: { ...etag, ...(etag.header === undefined ? {} : { header: etag.header.toLowerCase() }) } }),
    conflict,
  };
}

/** Removes read-only members: see `ReadOnlyRule` in runtime/helpers.ts. */
interface ReadOnlyRule {
  drop?: string[];
  inside?: Record<string, string>;
}

/**
 * The members of a plan by which the runtime removes read-only members: the rules of a schema and of all schemas that
 * it reaches, and the rule of the whole value. None if nothing is read-only.
 */
function planReadOnly(api: Api, schema: Schema): object {
  const rules = new Map<string, ReadOnlyRule>();
  const start = addRule(schema, { api, rules });
  const kept = keepEffective(rules);
  if (!kept.has(start)) return {};
  return { readOnly: Object.fromEntries([...kept].toSorted(([a], [b]) => (a < b ? -1 : 1))), schema: start };
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

/** Removes rules without effect. */
function keepEffective(rules: ReadonlyMap<string, ReadOnlyRule>): Map<string, ReadOnlyRule> {
  const effective = new Set([...rules].filter(([, { drop }]) => drop !== undefined).map(([name]) => name));
  for (let before = -1; before !== effective.size;) {
    before = effective.size;
    for (const [name, { inside = {} }] of rules)
      if (Object.values(inside).some((target) => effective.has(target))) effective.add(name);
  }
  const withEffect = ({ drop, inside }: ReadOnlyRule): ReadOnlyRule => {
    const kept = Object.entries(inside ?? {}).filter(([, target]) => effective.has(target));
    return {
      ...(drop === undefined ? {} : { drop }),
      ...(kept.length === 0 ? {} : { inside: Object.fromEntries(kept) }),
    };
  };
  return new Map([...rules].filter(([name]) => effective.has(name)).map(([name, rule]) => [name, withEffect(rule)]));
}
