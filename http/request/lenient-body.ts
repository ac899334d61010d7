import { getOrInsert } from '../../model/maps.js';
import type { Api } from '../../model/api.js';
import type { Schema, SchemaObject } from '../../model/schema-types.js';
import { applicableParts } from '../../schema/facts/parts.js';
import { schemasOfMember } from './decode-hints.js';
import { type ApplicableSchemas, createRespell } from './respell.js';

/** Converts a parsed body from its lenient spellings to those of its schema. `text` is its JSON. */
export type ReadLeniently = (value: unknown, text: string) => unknown;

const lenient = new WeakMap<Api, boolean>();

/**
 * Creates a reader for lenient spellings: member names in any letter case if their schema has
 * `x-member-names: any-case`, and an empty list for an empty object if its schema has `x-empty-list: true` (some
 * languages have one empty value for both). Returns `undefined` if the API allows neither.
 */
export function lenientReader(api: Api, schema: Schema): ReadLeniently | undefined {
  const isLenient = getOrInsert(lenient, api, () =>
    [...api.schemas.values()].some((named) => hasLeniency(named.schema)),
  );
  if (!isLenient) return undefined;
  const respell = createRespell(api, {
    namesOf: (parts) => (parts.some(takesAnyCase) ? readAnyCase(parts) : (name) => name),
    membersOf: schemasOfMember,
    isData: (_outer, inner) => inner.length === 0,
    isEmptyObject: (list, parts) => list.length === 0 && parts.some(takesEmptyList),
  });
  const isAnyCase = typeof schema === 'object' && applicableParts(schema, api).some(takesAnyCase);
  return (value, text) => (isAnyCase || /\[\s*\]/.test(text) ? respell(value, schema) : value);
}

function hasLeniency(schema: Schema): boolean {
  return typeof schema === 'object' && (takesAnyCase(schema) || takesEmptyList(schema));
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
