import { type Schema, type SchemaObject, refName } from '../../model/schema-types.js';

type Schemas = Readonly<Record<string, Schema>>;
type JsonObject = Readonly<Record<string, unknown>>;

/** What one schema says of one value: whether it holds, and which members and items it has looked at. */
interface Verdict {
  holds: boolean;
  readonly seen: Set<string | number>;
}

/**
 * JSON Schema 2020-12 as the specification words it, keyword by keyword and without any care for speed: what validators
 * are held against. It knows no formats, patterns and bounds but those that the random schemas have.
 */
export function holdsFor(schema: Schema, value: unknown, schemas: Schemas): boolean {
  return judge(schema, value, schemas).holds;
}

function judge(schema: Schema, value: unknown, schemas: Schemas): Verdict {
  const verdict: Verdict = { holds: true, seen: new Set() };
  if (typeof schema === 'boolean') return { ...verdict, holds: schema };
  const demand = (holds: boolean): void => {
    verdict.holds &&= holds;
  };
  demand(holdsByItself(schema, value));
  for (const part of partsThatHold(schema, value, schemas, demand))
    for (const place of part.seen) verdict.seen.add(place);
  const child = (at: string | number, sub: Schema, of: unknown): void => {
    verdict.seen.add(at);
    demand(judge(sub, of, schemas).holds);
  };
  if (Array.isArray(value)) judgeItems(schema, value, { verdict, child, demand, schemas });
  else if (typeof value === 'object' && value !== null)
    judgeMembers(schema, value as JsonObject, { verdict, child, demand, schemas });
  return verdict;
}

interface Judging {
  readonly verdict: Verdict;
  readonly child: (at: string | number, sub: Schema, of: unknown) => void;
  readonly demand: (holds: boolean) => void;
  readonly schemas: Schemas;
}

function holdsByItself(schema: SchemaObject, value: unknown): boolean {
  const same = (other: unknown): boolean => JSON.stringify(sorted(other)) === JSON.stringify(sorted(value));
  return (
    (schema.type === undefined || [schema.type].flat().some((type) => hasType(value, type))) &&
    (schema.enum === undefined || schema.enum.some(same)) &&
    (!Object.hasOwn(schema, 'const') || same(schema.const)) &&
    (typeof value !== 'number' ||
      (value >= (schema.minimum ?? value) &&
        value % (schema.multipleOf ?? Number.POSITIVE_INFINITY) === (schema.multipleOf === undefined ? value : 0))) &&
    (typeof value !== 'string' || [...value].length <= (schema.maxLength ?? Number.POSITIVE_INFINITY))
  );
}

function hasType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return ['items', ...value.map(sorted)];
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, sorted(member)] as const);
  return ['members', ...members.toSorted(([one], [other]) => (one < other ? -1 : 1))];
}

/** The schemas at the same value that hold; what they have looked at counts. */
function partsThatHold(schema: SchemaObject, value: unknown, schemas: Schemas, demand: Judging['demand']): Verdict[] {
  const holding: Verdict[] = [];
  const check = (part: Schema): boolean => {
    const verdict = judge(part, value, schemas);
    if (verdict.holds) holding.push(verdict);
    return verdict.holds;
  };
  if (schema.$ref !== undefined) demand(check(schemas[refName(schema.$ref)] ?? true));
  for (const part of schema.allOf ?? []) demand(check(part));
  if (schema.anyOf !== undefined) demand(schema.anyOf.map(check).includes(true));
  if (schema.oneOf !== undefined) demand(schema.oneOf.map(check).filter(Boolean).length === 1);
  if (schema.not !== undefined) demand(!judge(schema.not, value, schemas).holds);
  if (schema.if !== undefined) demand(check((check(schema.if) ? schema.then : schema.else) ?? true));
  for (const [name, part] of Object.entries(schema.dependentSchemas ?? {})) {
    if (hasType(value, 'object') && Object.hasOwn(value as object, name)) demand(check(part));
  }
  return holding;
}

function judgeMembers(schema: SchemaObject, value: JsonObject, { verdict, child, demand, schemas }: Judging): void {
  const own = new Set<string>();
  demand((schema.required ?? []).every((name) => Object.hasOwn(value, name)));
  for (const [name, member] of Object.entries(value)) {
    if (schema.propertyNames !== undefined) demand(judge(schema.propertyNames, name, schemas).holds);
    const matching = Object.entries(schema.patternProperties ?? {})
      .filter(([pattern]) => new RegExp(pattern, 'u').test(name))
      .map(([, sub]) => sub);
    if (Object.hasOwn(schema.properties ?? {}, name)) matching.push(schema.properties?.[name] ?? true);
    if (matching.length > 0) own.add(name);
    for (const sub of matching) child(name, sub, member);
    if (schema.additionalProperties !== undefined && !own.has(name)) child(name, schema.additionalProperties, member);
  }
  if (schema.unevaluatedProperties === undefined) return;
  for (const [name, member] of Object.entries(value))
    if (!verdict.seen.has(name)) child(name, schema.unevaluatedProperties, member);
}

function judgeItems(
  schema: SchemaObject,
  value: readonly unknown[],
  { verdict, child, demand, schemas }: Judging,
): void {
  const prefix = schema.prefixItems ?? [];
  for (const [index, item] of value.entries()) {
    const sub = prefix[index] ?? schema.items;
    if (sub !== undefined) child(index, sub, item);
  }
  if (schema.contains !== undefined) {
    const contained = [...value.keys()].filter((index) => judge(schema.contains ?? true, value[index], schemas).holds);
    demand(contained.length >= (schema.minContains ?? 1));
    for (const index of contained) verdict.seen.add(index);
  }
  if (schema.uniqueItems === true)
    demand(new Set(value.map((item) => JSON.stringify(sorted(item)))).size === value.length);
  if (schema.unevaluatedItems === undefined) return;
  for (const [index, item] of value.entries())
    if (!verdict.seen.has(index)) child(index, schema.unevaluatedItems, item);
}
