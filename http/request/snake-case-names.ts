import { setMember } from '../../model/document/records.js';
import type { Api } from '../../model/api.js';
import { appendPointer } from '../../model/document/pointer.js';
import type { Schema, SchemaObject } from '../../model/schema-types.js';
import { DecodeError } from './decode-error.js';
import { applicableParts } from '../../schema/facts/parts.js';

/** Turns the names of members of a request into the spelling of the document. @throws DecodeError if one comes twice. */
export type RenameMembers = (value: unknown, schema: Schema) => unknown;

/**
 * The reader of member names that an API asks for by its extension `x-member-names: { accept: [camelCase, snake_case] }`;
 * `undefined` if it does not. Objects whose schema carries `x-member-names: verbatim` keep their own names.
 *
 * @example memberRenamer(api)?.({ file_data: { mime_type: 'video/mp4' } }, schema) // { fileData: { mimeType: 'video/mp4' } }
 */
export function memberRenamer(api: Api): RenameMembers | undefined {
  const rule = api.extensions['x-member-names'] as { accept?: unknown } | undefined;
  if (!Array.isArray(rule?.accept) || !rule.accept.includes('snake_case')) return undefined;
  const known = new WeakMap<SchemaObject, readonly SchemaObject[]>();
  const partsOf: PartsOf = (schemas) =>
    schemas.flatMap((schema) => {
      if (typeof schema === 'boolean') return [];
      const kept = known.get(schema) ?? applicableParts(schema, api);
      known.set(schema, kept);
      return [...kept];
    });
  return (value, schema) => rename(value, partsOf([schema]), { partsOf });
}

type PartsOf = (schemas: readonly Schema[]) => readonly SchemaObject[];

/** Where a value is. The pointer is written only where it is needed. */
interface Place {
  readonly partsOf: PartsOf;
  readonly parent?: Place;
  readonly key?: string | number;
}

function pointerOf({ parent, key = '' }: Place): string {
  return parent === undefined ? '' : appendPointer(pointerOf(parent), key);
}

function rename(value: unknown, parts: readonly SchemaObject[], place: Place): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value)
    ? renameItems(value, parts, place)
    : renameObject(value as Record<string, unknown>, parts, place);
}

function renameItems(value: readonly unknown[], parts: readonly SchemaObject[], place: Place): unknown[] {
  const { partsOf } = place;
  const first = Math.max(0, ...parts.map(({ prefixItems = [] }) => prefixItems.length));
  // Behind the first ones, all items have the same schemas.
  const rest = partsOf(itemsOf(parts, first));
  return value.map((item, index) =>
    typeof item === 'object' && item !== null
      ? rename(item, index < first ? partsOf(itemsOf(parts, index)) : rest, { partsOf, parent: place, key: index })
      : item,
  );
}

function renameObject(
  value: Record<string, unknown>,
  parts: readonly SchemaObject[],
  place: Place,
): Record<string, unknown> {
  const { partsOf } = place;
  const verbatim = parts.some((part) => part['x-member-names'] === 'verbatim');
  const out: Record<string, unknown> = {};
  for (const given of Object.keys(value)) {
    const member = value[given];
    const name = verbatim ? given : toCamelCase(given, parts);
    if (Object.hasOwn(out, name)) {
      const pointer = pointerOf({ partsOf, parent: place, key: given });
      throw new DecodeError(`must NOT stand beside another spelling of ${JSON.stringify(name)}`, pointer);
    }
    if (typeof member !== 'object' || member === null) {
      setMember(out, name, member);
      continue;
    }
    // Data is followed only where the schema of its additional members says what they are.
    const schemas = verbatim ? additionalOf(parts) : membersOf(parts, name);
    // Under data without a schema there are no names of the API.
    const isData = verbatim && schemas.length === 0;
    setMember(out, name, isData ? member : rename(member, partsOf(schemas), { partsOf, parent: place, key: given }));
  }
  return out;
}

/** A name that the document itself writes so stays. */
function toCamelCase(name: string, parts: readonly SchemaObject[]): string {
  if (!name.includes('_', 1)) return name;
  if (parts.some(({ properties }) => properties !== undefined && Object.hasOwn(properties, name))) return name;
  // By hand: a body may have tens of thousands of names.
  let read = '';
  let copied = 0;
  for (let at = name.indexOf('_', 1); at !== -1; at = name.indexOf('_', at + 1)) {
    const start = at;
    while (name[at + 1] === '_') at += 1;
    const next = name[at + 1];
    // Underscores at the start and at the end stay.
    if (next === undefined || !/[a-z0-9]/i.test(next) || name[start - 1] === '_') continue;
    read += name.slice(copied, start) + next.toUpperCase();
    copied = at + 2;
    at += 1;
  }
  return read + name.slice(copied);
}

function membersOf(parts: readonly SchemaObject[], name: string): Schema[] {
  const described = parts.flatMap(({ properties }) =>
    properties !== undefined && Object.hasOwn(properties, name) ? [properties[name] ?? true] : [],
  );
  return described.length > 0 ? described : additionalOf(parts);
}

function additionalOf(parts: readonly SchemaObject[]): Schema[] {
  return parts.flatMap(({ additionalProperties }) =>
    typeof additionalProperties === 'object' ? [additionalProperties] : [],
  );
}

function itemsOf(parts: readonly SchemaObject[], index: number): Schema[] {
  return parts.flatMap(({ prefixItems, items }) => [prefixItems?.[index] ?? items ?? []].flat());
}
