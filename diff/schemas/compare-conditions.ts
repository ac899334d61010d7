import { mapRecord } from '../../model/document/records.js';
import { HOLDS_SCHEMA, HOLDS_SCHEMA_LIST, HOLDS_SCHEMA_MAP, isAnnotation } from '../../model/schema-keywords.js';
import type { Schema } from '../../model/schema-types.js';
import type { SpecLocation } from '../location.js';
import { matchByKey } from '../match-by-key.js';
import { canonicalJson } from './canonical-json.js';
import type { EffectiveSchema } from './effective-schema.js';
import type { LocatedObject } from './schema-location.js';
import type { LocatedSchema, SiteMap } from './schema-location.js';
import type { ComparisonScope, ShapePair, Side } from './scope.js';

/** A keyword whose effect cannot be decided by comparing its values. */
interface Condition {
  readonly keyword: 'if' | 'not' | 'contains' | 'propertyNames' | 'dependentSchemas' | 'unevaluatedItems';
  /** Equal conditions have the same text. */
  readonly text: string;
  readonly location: SpecLocation;
  /** Schemas that apply under the condition, by name; compared if the conditions are equal. */
  readonly consequences: Readonly<Record<string, LocatedSchema>>;
}

/** Compares conditions: which are new or removed, and the consequences of equal ones. */
export function compareConditions(pair: ShapePair): void {
  const { old, next, scope } = pair;
  const conditions = readConditions(old, scope.sides.old);
  const newConditions = readConditions(next, scope.sides.new);
  const same = matchByKey(conditions, newConditions, ({ keyword, text }) => `${keyword} ${text}`);
  const changed = matchByKey(same.removed, same.added, ({ keyword }) => keyword);
  for (const [was, is] of same.pairs) compareConsequences(was, is, scope);
  for (const [was, is] of changed.pairs)
    pair.report({ kind: 'condition-changed', message: `"${was.keyword}" of ${pair.title} has changed`, was, is });
  for (const was of changed.removed) {
    const message = `"${was.keyword}" of ${pair.title} is gone`;
    pair.report({ kind: 'condition-removed', message, was, anchor: 'old' });
  }
  for (const is of changed.added) {
    const message = `"${is.keyword}" of ${pair.title} is new`;
    pair.report({ kind: 'condition-added', message, is, anchor: 'new' });
  }
}

function compareConsequences(was: Condition, is: Condition, scope: ComparisonScope): void {
  for (const name of Object.keys({ ...was.consequences, ...is.consequences })) {
    const before = was.consequences[name] ?? { schema: true, location: was.location };
    const now = is.consequences[name] ?? { schema: true, location: is.location };
    scope.compare([before], [now]);
  }
}

function readConditions({ parts }: EffectiveSchema, { sites }: Side): Condition[] {
  return parts.flatMap((part) => conditionsOf(part, sites));
}

function conditionsOf({ schema, location }: LocatedObject, sites: SiteMap): Condition[] {
  const found: Condition[] = [];
  const add = (keyword: Condition['keyword'], text: string, consequences: Condition['consequences'] = {}): void =>
    void found.push({ keyword, text, location: location.child(keyword), consequences });
  const part = (keyword: string, schema: Schema = true): LocatedSchema => ({
    schema,
    location: location.child(keyword),
  });
  if (schema.if !== undefined && (schema.then !== undefined || schema.else !== undefined))
    add('if', conditionText(schema.if, sites), { then: part('then', schema.then), else: part('else', schema.else) });
  if (schema.not !== undefined) add('not', conditionText(schema.not, sites));
  for (const keyword of ['contains', 'propertyNames', 'unevaluatedItems'] as const)
    if (schema[keyword] !== undefined) add(keyword, '', { it: part(keyword, schema[keyword]) });
  for (const [name, dependent] of Object.entries(schema.dependentSchemas ?? {}))
    add('dependentSchemas', name, { it: { schema: dependent, location: location.child('dependentSchemas', name) } });
  return found;
}

/** How many references one condition may follow, so that its text, which is compared, stays reasonably short. */
const MAX_REFS = 200;

/** Lists whose order has no meaning. */
const SETS: ReadonlySet<string> = new Set(['required', 'enum', 'type']);

/** A schema as text, without annotations, names of schemas and order. */
function conditionText(condition: Schema, sites: SiteMap): string {
  return canonicalJson(new ConditionWriter(sites).write(condition));
}

class ConditionWriter {
  readonly #sites: SiteMap;
  readonly #open: string[] = [];
  #left = MAX_REFS;

  constructor(sites: SiteMap) {
    this.#sites = sites;
  }

  write(schema: Schema): unknown {
    if (typeof schema === 'boolean') return schema;
    const asserted = Object.fromEntries(Object.entries(schema).filter(([key]) => !isAnnotation(key)));
    return mapRecord(asserted, (value, key) => this.#writeKeyword(key, value));
  }

  #writeKeyword(key: string, value: unknown): unknown {
    if (key === '$ref') return this.#writeRef(String(value));
    if (HOLDS_SCHEMA.has(key)) return this.write(value as Schema);
    if (HOLDS_SCHEMA_LIST.has(key)) return (value as readonly Schema[]).map((child) => this.write(child));
    if (SETS.has(key) && Array.isArray(value)) return value.map(canonicalJson).sort();
    if (!HOLDS_SCHEMA_MAP.has(key)) return value;
    return mapRecord(value as Readonly<Record<string, Schema>>, (child) => this.write(child));
  }

  /** Writes a recursive reference as its distance from the schema that it repeats. */
  #writeRef(ref: string): unknown {
    const height = this.#open.lastIndexOf(ref);
    if (height !== -1) return this.#open.length - height;
    if (this.#left === 0) return ref;
    this.#left -= 1;
    this.#open.push(ref);
    const written = this.write(this.#sites.target(ref)?.schema ?? true);
    this.#open.pop();
    return written;
  }
}
