import { getOrInsert } from '../../model/maps.js';
import type { Api } from '../../model/api.js';
import { appendPointer } from '../../model/document/pointer.js';
import { isRecord, setMember } from '../../model/document/records.js';
import { childSchemas, surveySchema, withReferred } from '../../model/schema-survey.js';
import type { Schema, SchemaObject } from '../../model/schema-types.js';
import { applicableParts } from '../../schema/facts/parts.js';
import { DecodeError } from '../../runtime/decode-error.js';
import { schemasOfItem, schemasOfMember } from '../../schema/decode-hints.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

/** The schemas that apply at a place, without references and combinations. */
export type ApplicableSchemas = readonly SchemaObject[];

/** Maps the spellings in a request to those in the spec. */
export interface Spelling {
  /** Returns a function from a given member name to the spec's name. */
  readonly namesOf: (parts: ApplicableSchemas) => (given: string) => string;
  /** Returns the schemas of a member by its name in the spec. */
  readonly membersOf: (parts: ApplicableSchemas, name: string) => readonly Schema[];
  /** Whether an inner value is undescribed data, which is kept unchanged. */
  readonly isData: (outer: ApplicableSchemas, inner: ApplicableSchemas) => boolean;
  readonly isEmptyObject: (list: readonly unknown[], parts: ApplicableSchemas) => boolean;
  /** Whether a number is sent for a text, and is read as its digits. Default: never. */
  readonly isText?: (parts: ApplicableSchemas) => boolean;
}

interface Walk extends Spelling {
  readonly partsOf: (schemas: readonly Schema[]) => ApplicableSchemas;
}

/** The place of a value. Its pointer is written only when needed. */
interface Place {
  readonly parent?: Place;
  readonly key?: string | number;
}

/** Returns a value in the spelling of the spec. @throws DecodeError if a member has two spellings */
export type Respell = (value: unknown, schema: Schema) => unknown;

export function createRespell(api: Api, spelling: Spelling): Respell {
  const known = new WeakMap<SchemaObject, ApplicableSchemas>();
  const partsOf: Walk['partsOf'] = (schemas) =>
    schemas.flatMap((schema) => {
      if (typeof schema === 'boolean') return [];
      return getOrInsert(known, schema, () => applicableParts(schema, api));
    });
  const walk: Walk = { ...spelling, partsOf };
  return (value, schema) => respell(walk, value, partsOf([schema]), {});
}

/** Recursion is safe, because the parser limits the depth of values. */
function respell(walk: Walk, value: unknown, parts: ApplicableSchemas, place: Place): unknown {
  if (Array.isArray(value)) return respellItems(walk, value, parts, place);
  return isRecord(value) ? respellMembers(walk, value, parts, place) : value;
}

function respellItems(walk: Walk, items: readonly unknown[], parts: ApplicableSchemas, parent: Place): unknown {
  if (walk.isEmptyObject(items, parts)) return {};
  const first = Math.max(0, ...parts.map(({ prefixItems = [] }) => prefixItems.length));
  // After the first items (`prefixItems`), all items have the same schemas.
  const rest = walk.partsOf(schemasOfItem(parts, first));
  return items.map((item, key) => {
    const inner = key < first ? walk.partsOf(schemasOfItem(parts, key)) : rest;
    if (isPlain(item)) return readNumber(walk, item, () => inner);
    return walk.isData(parts, inner) ? item : respell(walk, item, inner, { parent, key });
  });
}

function respellMembers(
  walk: Walk,
  value: Readonly<Record<string, unknown>>,
  parts: ApplicableSchemas,
  parent: Place,
): unknown {
  const nameOf = walk.namesOf(parts);
  const read: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const name = nameOf(key);
    if (Object.hasOwn(read, name)) {
      const message = `must NOT be beside another spelling of ${stringifyExactJson(name)}`;
      throw new DecodeError(message, pointerOf({ parent, key }));
    }
    if (isPlain(member)) {
      setMember(
        read,
        name,
        readNumber(walk, member, () => walk.partsOf(walk.membersOf(parts, name))),
      );
      continue;
    }
    const inner = walk.partsOf(walk.membersOf(parts, name));
    setMember(read, name, walk.isData(parts, inner) ? member : respell(walk, member, inner, { parent, key }));
  }
  return read;
}

/** Returns the digits of a whole number where the schema has a text of digits, and any other value as it is. */
function readNumber(walk: Walk, value: unknown, partsOf: () => ApplicableSchemas): unknown {
  if (walk.isText === undefined || !(typeof value === 'bigint' || Number.isSafeInteger(value))) return value;
  return walk.isText(partsOf()) ? String(value) : value;
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

function pointerOf({ parent, key = '' }: Place): string {
  return parent === undefined ? '' : appendPointer(pointerOf(parent), key);
}

/** Converts a parsed body from its lenient spellings to those of its schema. `text` is its JSON. */
export type ReadLeniently = (value: unknown, text: string) => unknown;

/**
 * Creates a reader for lenient spellings: member names in any letter case if their schema has
 * `x-member-names: any-case`, an empty list for an empty object if its schema has `x-empty-list: true` (some
 * languages have one empty value for both), and numbers for texts of digits if the API has `x-number-for-int64: true`.
 * Returns `undefined` if the API allows none of them.
 */
export function lenientReader(api: Api, schema: Schema): ReadLeniently | undefined {
  const takesNumbers = api.extensions['x-number-for-int64'] === true;
  if (!takesNumbers && !reachesLeniency(schema, api)) return undefined;
  const respell = createRespell(api, {
    namesOf: (parts) => (parts.some(takesAnyCase) ? readAnyCase(parts) : (name) => name),
    membersOf: schemasOfMember,
    isData: (_outer, inner) => inner.length === 0,
    isEmptyObject: (list, parts) => list.length === 0 && parts.some(takesEmptyList),
    ...(takesNumbers ? { isText: isDigits } : {}),
  });
  const isAnyCase = typeof schema === 'object' && applicableParts(schema, api).some(takesAnyCase);
  const isAlways = isAnyCase || takesNumbers;
  return (value, text) => (isAlways || /\[\s*\]/.test(text) ? respell(value, schema) : value);
}

/** Whether a value is a 64-bit number that is written as a text. */
function isDigits(parts: ApplicableSchemas): boolean {
  return parts.some(({ format }) => format === 'int64') && parts.some(({ type }) => takesOnlyText(type));
}

function takesOnlyText(type: SchemaObject['type']): boolean {
  const types = new Set([type].flat());
  return types.has('string') && !types.has('integer') && !types.has('number');
}

/** Whether a lenient spelling is allowed in a schema, or in one that it references. */
function reachesLeniency(schema: Schema, api: Api): boolean {
  const names = withReferred(surveySchema(schema).refs, api.schemas);
  const open = [schema, ...[...names].map((name) => api.schemas.get(name)?.schema ?? true)];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'boolean') continue;
    if (takesAnyCase(next) || takesEmptyList(next)) return true;
    childSchemas(next, open);
  }
  return false;
}

function takesAnyCase(part: SchemaObject): boolean {
  return part['x-member-names'] === 'any-case';
}

function takesEmptyList(part: SchemaObject): boolean {
  return part['x-empty-list'] === true;
}

/** Returns a function that finds the spec's spelling of a name, ignoring letter case. */
function readAnyCase(parts: ApplicableSchemas): (given: string) => string {
  const names = new Set(parts.flatMap(({ properties = {} }) => Object.keys(properties)));
  // If names differ only in case, the first one wins.
  const byLowerCase = new Map([...names].toReversed().map((name) => [name.toLowerCase(), name]));
  return (given) => (names.has(given) ? given : (byLowerCase.get(given.toLowerCase()) ?? given));
}
