import type { EmitterApi, Schema, SchemaObject } from '../../emitter-kit/contract.js';
import { assertionsOf, both, isEmpty, pick, unsayable } from './scope.js';

/** The schemas that apply together, as one. */
export interface Merged {
  readonly schema: SchemaObject;
  /** Whether two of them describe the same member in different words. */
  readonly overlaps: boolean;
  /** What they say that no schema of Zod can. */
  readonly rest: SchemaObject;
}

const OBJECT_KEYWORDS = new Set(['type', 'properties', 'required', 'additionalProperties']);

/** All schemas that apply by `allOf` and `$ref`, as objects without either. `undefined` if one leads back to itself. */
export function partsOf(schema: SchemaObject, api: EmitterApi): readonly SchemaObject[] | undefined {
  const parts: SchemaObject[] = [];
  const isFinite = collect(schema, { api, parts, above: new Set() });
  return isFinite ? parts : undefined;
}

interface Collection {
  readonly api: EmitterApi;
  readonly parts: SchemaObject[];
  readonly above: ReadonlySet<SchemaObject>;
}

function collect(schema: Schema, { api, parts, above }: Collection): boolean {
  if (schema === true) return true;
  if (schema === false || above.has(schema)) return false;
  const { $ref, allOf = [], ...own } = schema;
  const inner = { api, parts, above: new Set([...above, schema]) };
  const target = $ref === undefined ? [] : [api.schemas.get(api.refName($ref))?.schema ?? true];
  for (const part of [...target, ...allOf]) if (!collect(part, inner)) return false;
  if (!isEmpty(own)) parts.push(own);
  return true;
}

/** Merges objects that apply together, or texts and numbers. `undefined` if Zod has no one schema for them. */
export function mergeAll(parts: readonly SchemaObject[]): Merged | undefined {
  if (parts.length === 0 || parts.some(hasUnevaluated)) return undefined;
  return mergeObjects(parts) ?? mergeScalars(parts);
}

function hasUnevaluated({ unevaluatedItems, unevaluatedProperties }: SchemaObject): boolean {
  return unevaluatedItems !== undefined || unevaluatedProperties !== undefined;
}

function mergeObjects(parts: readonly SchemaObject[]): Merged | undefined {
  if (
    !parts.every(isPlainObject) ||
    !parts.some(({ properties, type }) => properties !== undefined || type === 'object')
  )
    return undefined;
  const members = new Map<string, Schema[]>();
  for (const [name, member] of parts.flatMap(({ properties = {} }) => Object.entries(properties))) {
    const known = members.get(name);
    if (known === undefined) members.set(name, [member]);
    else if (!known.some((one) => sameText(one, member))) known.push(member);
  }
  const merged = [...members].map(([name, [first = true, ...others]]): [string, Schema] => [
    name,
    others.length === 0 ? first : { allOf: [first, ...others] },
  ]);
  const required = [...new Set(parts.flatMap((part) => part.required ?? []))];
  const isTyped = parts.some(({ type }) => type === 'object');
  return {
    schema: {
      ...(isTyped ? { type: 'object' } : {}),
      ...(merged.length === 0 ? {} : { properties: Object.fromEntries(merged) }),
      ...(required.length === 0 ? {} : { required }),
      ...(parts.some((part) => part.additionalProperties === true) ? { additionalProperties: true } : {}),
    },
    overlaps: [...members.values()].some((all) => all.length > 1),
    rest: parts.map(unsayable).reduce(both, {}),
  };
}

function sameText(one: Schema, other: Schema): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function isPlainObject(part: SchemaObject): boolean {
  const own = Object.keys(assertionsOf(part)).filter((key) => !(key in unsayable(part)));
  const isOpen = part.additionalProperties === undefined || part.additionalProperties === true;
  return isOpen && (part.type === undefined || part.type === 'object') && own.every((key) => OBJECT_KEYWORDS.has(key));
}

const SCALAR_KEYWORDS = new Set([
  ...['type', 'format', 'minLength', 'maxLength', 'pattern', 'minimum', 'maximum'],
  ...['exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'enum', 'const'],
]);

function mergeScalars(parts: readonly SchemaObject[]): Merged | undefined {
  const all = parts.map(assertionsOf);
  if (!all.every((part) => Object.keys(part).every((key) => SCALAR_KEYWORDS.has(key)))) return undefined;
  const schema: Record<string, unknown> = {};
  for (const [key, value] of all.flatMap((part) => Object.entries(part))) {
    if (key in schema && JSON.stringify(schema[key]) !== JSON.stringify(value)) return undefined;
    schema[key] = value;
  }
  if (typeof schema['type'] !== 'string' || ['object', 'array'].includes(schema['type'])) return undefined;
  return { schema, overlaps: false, rest: pick({}, []) };
}
