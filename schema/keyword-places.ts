import { getOrInsert } from '../model/maps.js';
import type { Api } from '../model/api.js';
import { splitPointer } from '../model/document/pointer.js';
import { isRecord } from '../model/document/records.js';
import { type Schema, type SchemaObject, refName } from '../model/schema-types.js';
import { collectParts, inPlaceBranches } from './facts/parts.js';
import type { ValidationError } from './compile-validator.js';
import { namedView, schemaView, type Direction } from './variants.js';
import { stringifyExactJson } from '../runtime/json-integers.js';

/** A keyword at a place in the values of a schema. */
export interface KeywordPlace {
  readonly keyword: string;
  /** Member names; `*` is any item of a list, or any other member. */
  readonly path: readonly string[];
}

/** The keywords that a value can violate, except `required` and closed objects, which have their own places. */
const KEYWORDS = [
  'type',
  'enum',
  'const',
  'multipleOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'contains',
  'minItems',
  'maxItems',
  'uniqueItems',
  'propertyNames',
  'minProperties',
  'maxProperties',
  'dependentRequired',
  'anyOf',
  'oneOf',
  'not',
] as const satisfies readonly (keyof SchemaObject)[];

/** The most places that are collected, because schemas can be arbitrarily large. */
const MAX_PLACES = 5_000;

/**
 * Finds the places of each keyword in a schema, in all its alternatives. Follows a recursive schema once.
 *
 * @example keywordPlaces({ properties: { a: { minimum: 1 } } }, options) // [{ keyword: 'minimum', path: ['a'] }]
 */
export function keywordPlaces(
  schema: Schema,
  { api, direction }: { readonly api: Api; readonly direction: Direction },
): KeywordPlace[] {
  const places = new Map<string, KeywordPlace>();
  const add = (keyword: string, path: readonly string[]): void =>
    void places.set(`${keyword} ${stringifyExactJson(path)}`, { keyword, path });
  const visit = (schemas: readonly Schema[], path: readonly string[], open: ReadonlySet<SchemaObject>): void => {
    const here = inPlace(schemas, api).filter((one) => !open.has(one));
    if (here.length === 0 || places.size > MAX_PLACES) return;
    for (const one of here) for (const { keyword, path: at } of ownPlaces(one)) add(keyword, [...path, ...at]);
    const inner = new Set([...open, ...here]);
    for (const [key, children] of childrenOf(here)) visit(children, [...path, key], inner);
  };
  visit([schemaView(schema, api, direction)], [], new Set());
  return [...places.values()];
}

/** Whether a value has the place; for `required`, whether it has an object that can have the member. */
export function reachesPlace(value: unknown, { keyword, path }: KeywordPlace): boolean {
  return hasPath(value, keyword === 'required' ? path.slice(0, -1) : path, keyword === 'required');
}

export function isErrorAt({ pointer, keyword, params }: ValidationError, place: KeywordPlace): boolean {
  if (keyword !== place.keyword) return false;
  const missing = keyword === 'required' ? [String(params['missingProperty'])] : [];
  const path = [...splitPointer(pointer), ...missing];
  return path.length === place.path.length && place.path.every((key, index) => key === '*' || key === path[index]);
}

function ownPlaces(schema: SchemaObject): KeywordPlace[] {
  const isClosed = schema.additionalProperties === false || schema.unevaluatedProperties === false;
  return [
    ...KEYWORDS.filter((keyword) => schema[keyword] !== undefined).map((keyword) => ({ keyword, path: [] })),
    ...(schema.required ?? []).map((name) => ({ keyword: 'required', path: [name] })),
    ...(isClosed ? [{ keyword: 'additionalProperties', path: [] }] : []),
  ];
}

/** The schemas that apply to the same value. */
function inPlace(schemas: readonly Schema[], api: Api): SchemaObject[] {
  return collectParts(schemas, (part) => [
    part.$ref === undefined ? undefined : namedView(refName(part.$ref), api),
    ...inPlaceBranches(part),
  ]);
}

function childrenOf(schemas: readonly SchemaObject[]): ReadonlyMap<string, readonly Schema[]> {
  const children = new Map<string, Schema[]>();
  const add = (key: string, child: Schema | undefined): void => {
    if (typeof child === 'object') getOrInsert(children, key, () => []).push(child);
  };
  for (const { properties = {}, patternProperties = {}, additionalProperties, prefixItems = [], items } of schemas) {
    for (const [name, child] of Object.entries(properties)) add(name, child);
    for (const [index, child] of prefixItems.entries()) add(String(index), child);
    for (const child of [...Object.values(patternProperties), additionalProperties, items]) add('*', child);
  }
  return children;
}

function hasPath(value: unknown, path: readonly string[], wantsObject: boolean): boolean {
  const [key, ...rest] = path;
  if (key === undefined) return wantsObject ? isRecord(value) : value !== undefined;
  if (typeof value !== 'object' || value === null) return false;
  if (key === '*') return Object.values(value).some((child) => hasPath(child, rest, wantsObject));
  return Object.hasOwn(value, key) && hasPath((value as Readonly<Record<string, unknown>>)[key], rest, wantsObject);
}
