import { groupPairs } from '../../model/maps.js';
import type { Api } from '../../model/api.js';
import { type Schema, type SchemaObject, refName } from '../../model/schema-types.js';
import { followRefs, holdingParts, walkHoldingParts } from '../../schema/facts/parts.js';
import { saysNothing } from './combined-parts.js';
import { hasObjectShape } from './print-object-type.js';

/** Keywords that a merged object or list cannot express. */
const UNMERGEABLE: readonly (keyof SchemaObject)[] = [
  'anyOf',
  'oneOf',
  'enum',
  'const',
  'prefixItems',
  'patternProperties',
  'then',
  'else',
  'dependentSchemas',
];

/** An `allOf` of more schemas is not merged, because merging each link of a long chain takes quadratic time. */
const MAX_PARTS = 100;

/** The schemas of one piece of an `allOf`: itself, the targets of its references, and its own `allOf`. */
type Piece = readonly SchemaObject[];

/** An object that extends others by name. */
export interface Heritage {
  /** Names of schemas, each with the members that the object overrides. */
  readonly bases: readonly { readonly name: string; readonly overridden: readonly string[] }[];
  /** The members of the object itself. */
  readonly own: SchemaObject;
}

/**
 * Merges the `allOf` and the reference of a schema into one schema for its type, if two of them describe the same
 * member or both describe items: `A[] & B[]` would show only the items of `A`. `undefined` otherwise.
 */
export function mergeParts(schema: SchemaObject, api: Api): SchemaObject | undefined {
  const pieces = readPieces(schema, api);
  const parts = [...new Set(pieces?.flat())];
  if (pieces === undefined || !isMergeable(parts)) return undefined;
  if (parts.every(isListPart)) {
    const items = pieces.filter((piece) => piece.some((part) => part.items !== undefined));
    return items.length < 2 ? undefined : { type: 'array', items: mergeSchemas(parts.flatMap(itemsOf), api) };
  }
  if (!parts.every(isObjectPart) || sharedMembers(pieces).size === 0) return undefined;
  return mergeObjects(parts, api);
}

/**
 * One object with all members of a schema, of its references and of its `allOf`. `undefined` if its type is not one plain
 * object.
 */
export function mergeMembers(schema: Schema, api: Api): SchemaObject | undefined {
  const own = followRefs(schema, api);
  if (typeof schema !== 'object' || own === undefined || hasManyParts(schema, api)) return undefined;
  const parts = holdingParts(schema, api);
  if (!isMergeable(parts) || !parts.every(({ type }) => type === 'object' || type === undefined)) return undefined;
  const isAlone = parts.every((part) => part === own || namedBy(part) !== undefined);
  if (isAlone) return own;
  return parts.every(isObjectPart) ? mergeObjects(parts, api) : undefined;
}

/**
 * The objects that an object includes by `allOf`, and what it adds. `undefined` if one of them is not an object, or is
 * the object itself.
 *
 * @param isInterface - whether a named schema is declared as an interface.
 */
export function findHeritage(
  schema: SchemaObject,
  api: Api,
  isInterface: (name: string) => boolean,
): Heritage | undefined {
  const { $ref, allOf = [], ...own } = schema;
  const taken = [...($ref === undefined ? [] : [{ $ref }]), ...allOf];
  const names = taken.flatMap((part) => namedBy(part) ?? []);
  const pieces = readPieces(schema, api);
  const parts = [...new Set(pieces?.flat())];
  if (pieces === undefined || names.length === 0 || !isMergeable(parts) || !parts.every(isObjectPart)) return undefined;
  if (names.some((name) => holdingParts(refPart(name, api), api).includes(schema) || !isInterface(name)))
    return undefined;
  const taking = names.map((name) => ({ name, members: mergeObjects(holdingParts(refPart(name, api), api), api) }));
  const shared = new Set([...sharedMembers(pieces), ...unlikeMembers(taking.map(({ members }) => members))]);
  if (shared.size > 0 && isOpen(parts)) return undefined;
  const inline = [own, ...taken.filter((part) => namedBy(part) === undefined)].flatMap((part) =>
    holdingParts(part, api),
  );
  const isNew = (name: string): boolean => shared.has(name) || !taking.some(({ members }) => has(members, name));
  const isDemanded = (name: string): boolean => !taking.some(({ members }) => members.required?.includes(name));
  const added = [
    ...inline.flatMap(({ properties = {} }) => Object.keys(properties).filter(isNew)),
    ...inline.flatMap(({ required = [] }) => required.filter(isDemanded)),
  ];
  const bases = taking.map(({ name, members }) => ({
    name,
    overridden: [...shared].filter((member) => has(members, member)),
  }));
  const open = isOpen(inline) ? { additionalProperties: true } : {};
  return { bases, own: { ...pickMembers(mergeObjects(parts, api), new Set([...shared, ...added])), ...open } };
}

/** Members that several objects describe or require differently, so that TypeScript refuses to extend both. */
function unlikeMembers(objects: readonly SchemaObject[]): string[] {
  const isUnlike = (name: string): boolean => {
    const owners = objects.filter((object) => has(object, name) || object.required?.includes(name));
    const ways = owners.map((object) => `${has(object, name)} ${object.required?.includes(name)}`);
    return new Set(ways).size > 1;
  };
  return objects.flatMap(({ properties = {} }) => Object.keys(properties)).filter(isUnlike);
}

function has({ properties = {} }: SchemaObject, name: string): boolean {
  return Object.hasOwn(properties, name);
}

function readPieces(schema: SchemaObject, api: Api): readonly Piece[] | undefined {
  const { $ref, allOf, ...own } = schema;
  if (($ref === undefined && allOf === undefined) || hasManyParts(schema, api)) return undefined;
  return [own, ...($ref === undefined ? [] : [{ $ref }]), ...(allOf ?? [])].map((part) => holdingParts(part, api));
}

function hasManyParts(schema: SchemaObject, api: Api): boolean {
  let count = 0;
  for (const _part of walkHoldingParts(schema, api)) if ((count += 1) > MAX_PARTS) return true;
  return false;
}

function isMergeable(parts: Piece): boolean {
  return !parts.some((part) => UNMERGEABLE.some((keyword) => part[keyword] !== undefined));
}

/** The name of the schema if a part of an `allOf` is only a reference. */
function namedBy(part: Schema): string | undefined {
  if (typeof part === 'boolean' || part.$ref === undefined) return undefined;
  return Object.keys(part).length === 1 ? refName(part.$ref) : undefined;
}

function refPart(name: string, api: Api): Schema {
  return api.schemas.get(name)?.schema ?? true;
}

/** Members that several pieces describe differently. */
function sharedMembers(pieces: readonly Piece[]): Set<string> {
  const texts = new Map<string, Set<string>>();
  for (const piece of pieces)
    for (const [name, property] of piece.flatMap(({ properties = {} }) => Object.entries(properties)))
      if (!saysNothing(property)) texts.set(name, (texts.get(name) ?? new Set()).add(JSON.stringify(property)));
  return new Set([...texts].filter(([, { size }]) => size > 1).map(([name]) => name));
}

function isObjectPart(part: SchemaObject): boolean {
  const hasFreeRest = part.additionalProperties === undefined || typeof part.additionalProperties === 'boolean';
  return hasFreeRest && part.items === undefined && (part.type === 'object' || part.type === undefined);
}

function isListPart(part: SchemaObject): boolean {
  return !hasObjectShape(part) && part.required === undefined && (part.type === 'array' || part.type === undefined);
}

function isOpen(parts: Piece): boolean {
  return parts.some(({ additionalProperties }) => additionalProperties === true);
}

function itemsOf({ items }: SchemaObject): readonly Schema[] {
  return items === undefined ? [] : [items];
}

function mergeObjects(parts: Piece, api: Api): SchemaObject {
  const declared = groupPairs(parts.flatMap(({ properties = {} }) => Object.entries(properties)));
  return {
    type: 'object',
    properties: Object.fromEntries([...declared].map(([name, schemas]) => [name, mergeSchemas(schemas, api)])),
    required: [...new Set(parts.flatMap((part) => part.required ?? []))],
    ...(isOpen(parts) ? { additionalProperties: true } : {}),
  };
}

function pickMembers({ properties = {}, required = [] }: SchemaObject, names: ReadonlySet<string>): SchemaObject {
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => names.has(name))),
    required: required.filter((name) => names.has(name)),
  };
}

/** Merges the distinct schemas at one place, without empty ones and those that another includes. */
function mergeSchemas(schemas: readonly Schema[], api: Api): Schema {
  const texts = new Map(schemas.map((schema) => [JSON.stringify(schema), schema]));
  const specific = [...texts.values()].filter((schema) => !saysNothing(schema));
  const [first = schemas[0] ?? true, ...others] = specific.filter(
    (schema) => !specific.some((other) => other !== schema && takesIn(other, schema, api)),
  );
  if (others.length === 0) return first;
  const description = specific
    .flatMap((schema) => (typeof schema === 'object' ? (schema.description ?? []) : []))
    .at(-1);
  return { ...(description === undefined ? {} : { description }), allOf: [first, ...others] };
}

/** Whether one schema includes everything of another; for lists, whether their items do. */
function takesIn(schema: Schema, other: Schema, api: Api): boolean {
  if (typeof schema === 'boolean' || typeof other === 'boolean') return false;
  if (schema.items !== undefined && other.items !== undefined) return takesIn(schema.items, other.items, api);
  const target = other.$ref === undefined ? other : refPart(refName(other.$ref), api);
  return typeof target === 'object' && holdingParts(schema, api).includes(target);
}
