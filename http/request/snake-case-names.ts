import { setMember } from '../../model/document/records.js';
import type { Api } from '../../model/api.js';
import { appendPointer } from '../../model/document/pointer.js';
import type { Schema, SchemaObject } from '../../model/schema-types.js';
import { DecodeError } from './decode-error.js';
import { applicableParts } from '../../schema/facts/parts.js';

/** Turns the names of members of a request into the spelling of the document. @throws DecodeError where one comes twice. */
export type RenameMembers = (value: unknown, schema: Schema) => unknown;

/**
 * The reader of member names that an API asks for by its extension `x-member-names: { accept: [camelCase, snake_case] }`;
 * nothing where it does not. Objects whose schema carries `x-member-names: verbatim` keep their own names.
 *
 * @example memberRenamer(api)?.({ file_data: { mime_type: 'video/mp4' } }, schema) // { fileData: { mimeType: 'video/mp4' } }
 */
export function memberRenamer(api: Api): RenameMembers | undefined {
  const rule = api.extensions['x-member-names'] as { accept?: unknown } | undefined;
  if (!Array.isArray(rule?.accept) || !rule.accept.includes('snake_case')) return undefined;
  const known = new WeakMap<SchemaObject, readonly SchemaObject[]>();
  const lookUp = (schema: Schema): readonly SchemaObject[] => {
    if (typeof schema === 'boolean') return [];
    const kept = known.get(schema) ?? applicableParts(schema, api);
    known.set(schema, kept);
    return kept;
  };
  return (value, schema) => rename(value, { schemas: [schema], pointer: '', lookUp });
}

interface Place {
  readonly schemas: readonly Schema[];
  readonly pointer: string;
  readonly lookUp: (schema: Schema) => readonly SchemaObject[];
}

function rename(value: unknown, place: Place): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const parts = place.schemas.flatMap((schema) => [...place.lookUp(schema)]);
  if (!Array.isArray(value)) return renameObject(value as Record<string, unknown>, parts, place);
  return value.map((item, index) =>
    rename(item, { ...place, schemas: itemsOf(parts, index), pointer: appendPointer(place.pointer, index) }),
  );
}

function renameObject(
  value: Record<string, unknown>,
  parts: readonly SchemaObject[],
  place: Place,
): Record<string, unknown> {
  const verbatim = parts.some((part) => part['x-member-names'] === 'verbatim');
  const out: Record<string, unknown> = {};
  for (const [given, member] of Object.entries(value)) {
    const name = verbatim ? given : toCamelCase(given, parts);
    const pointer = appendPointer(place.pointer, given);
    if (Object.hasOwn(out, name))
      throw new DecodeError(`must NOT stand beside another spelling of ${JSON.stringify(name)}`, pointer);
    // Data is followed only where the schema of its additional members says what they are.
    const schemas = verbatim ? additionalOf(parts) : membersOf(parts, name);
    // Under data without a schema there are no names of the API.
    setMember(out, name, verbatim && schemas.length === 0 ? member : rename(member, { ...place, schemas, pointer }));
  }
  return out;
}

/** A name that the document itself writes so stays. */
function toCamelCase(name: string, parts: readonly SchemaObject[]): string {
  if (!name.includes('_', 1)) return name;
  if (parts.some(({ properties }) => properties !== undefined && Object.hasOwn(properties, name))) return name;
  return name.replace(/(?<=[^_])_+([a-z0-9])/gi, (_all, next: string) => next.toUpperCase());
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
