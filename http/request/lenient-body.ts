import type { Api } from '../../model/api.js';
import { isRecord, setMember } from '../../model/document/records.js';
import { appendPointer } from '../../model/document/pointer.js';
import type { Schema, SchemaObject } from '../../model/schema-types.js';
import { applicableParts } from '../../schema/facts/parts.js';
import { DecodeError } from './decode-error.js';
import { itemSchemas, memberSchemas } from './decode-hints.js';

/** Reads a parsed body as its schema allows it to be written. `text` is what it was parsed from. */
export type ReadLeniently = (value: unknown, text: string) => unknown;

const lenient = new WeakMap<Api, boolean>();

/**
 * The spellings that a body may have beside its schema: member names in any letter case, where its schema carries
 * `x-member-names: any-case`, and an empty list for an empty object, where the schema of that carries `x-empty-list: true`
 * (some languages have one empty value for both). `undefined` where the API allows neither.
 */
export function lenientReader(api: Api, schema: Schema): ReadLeniently | undefined {
  const isLenient = lenient.get(api) ?? [...api.schemas.values()].some((named) => hasLeniency(named.schema));
  lenient.set(api, isLenient);
  if (!isLenient) return undefined;
  const known = new WeakMap<SchemaObject, readonly SchemaObject[]>();
  const partsOf = (schemas: readonly Schema[]): readonly SchemaObject[] =>
    schemas.flatMap((one) => {
      if (typeof one === 'boolean') return [];
      const kept = known.get(one) ?? applicableParts(one, api);
      known.set(one, kept);
      return kept;
    });
  const parts = partsOf([schema]);
  const isAnyCase = parts.some(takesAnyCase);
  return (value, text) => (isAnyCase || /\[\s*\]/.test(text) ? readValue(value, parts, { partsOf }) : value);
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

/** Where a value is. The pointer is written only where it is needed. */
interface Place {
  readonly partsOf: (schemas: readonly Schema[]) => readonly SchemaObject[];
  readonly parent?: Place;
  readonly key?: string | number;
}

function pointerOf({ parent, key = '' }: Place): string {
  return parent === undefined ? '' : appendPointer(pointerOf(parent), key);
}

/** The parser has bounded how deep values are. */
function readValue(value: unknown, parts: readonly SchemaObject[], place: Place): unknown {
  if (parts.length === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return readItems(value, parts, place);
  return isRecord(value) ? readMembers(value, parts, place) : value;
}

function readItems(items: readonly unknown[], parts: readonly SchemaObject[], place: Place): unknown {
  const { partsOf } = place;
  if (items.length === 0 && parts.some(takesEmptyList)) return {};
  const first = Math.max(0, ...parts.map(({ prefixItems = [] }) => prefixItems.length));
  // Behind the first ones, all items have the same schemas.
  const rest = partsOf(itemSchemas(parts, first));
  return items.map((item, index) =>
    readValue(item, index < first ? partsOf(itemSchemas(parts, index)) : rest, { partsOf, parent: place, key: index }),
  );
}

function readMembers(
  value: Readonly<Record<string, unknown>>,
  parts: readonly SchemaObject[],
  place: Place,
): Record<string, unknown> {
  const { partsOf } = place;
  const names = parts.some(takesAnyCase) ? new Names(parts) : undefined;
  const read: Record<string, unknown> = {};
  for (const [given, member] of Object.entries(value)) {
    const name = names?.documented(given) ?? given;
    const here: Place = { partsOf, parent: place, key: given };
    if (Object.hasOwn(read, name))
      throw new DecodeError(`must NOT be beside another spelling of ${JSON.stringify(name)}`, pointerOf(here));
    const isNested = typeof member === 'object' && member !== null;
    setMember(read, name, isNested ? readValue(member, partsOf(memberSchemas(parts, name)), here) : member);
  }
  return read;
}

/** The names of the members that some schemas describe. */
class Names {
  readonly #names: ReadonlySet<string>;
  readonly #byLowerCase = new Map<string, string>();

  constructor(parts: readonly SchemaObject[]) {
    this.#names = new Set(parts.flatMap(({ properties = {} }) => Object.keys(properties)));
    for (const name of this.#names) {
      const lower = name.toLowerCase();
      if (!this.#byLowerCase.has(lower)) this.#byLowerCase.set(lower, name);
    }
  }

  /** A name as the document spells it, whatever the case of its letters. */
  documented(given: string): string {
    return this.#names.has(given) ? given : (this.#byLowerCase.get(given.toLowerCase()) ?? given);
  }
}
