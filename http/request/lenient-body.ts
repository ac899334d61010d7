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
 * What a body may be written like beside its schema: member names in any letter case, where its schema carries
 * `x-member-names: any-case`, and an empty list for an empty object, where the schema of that carries `x-empty-list: true`
 * (some languages have one empty value for both). `undefined` where the API allows neither.
 */
export function lenientReader(api: Api, schema: Schema): ReadLeniently | undefined {
  const isLenient = lenient.get(api) ?? [...api.schemas.values()].some((named) => hasLeniency(named.schema));
  lenient.set(api, isLenient);
  if (!isLenient) return undefined;
  const isAnyCase = applicableParts(schema, api).some(takesAnyCase);
  return (value, text) =>
    isAnyCase || /\[\s*\]/.test(text) ? readValue(value, [schema], { api, pointer: '' }) : value;
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

interface Place {
  readonly api: Api;
  readonly pointer: string;
}

/** The parser has bounded how deep values are. */
function readValue(value: unknown, schemas: readonly Schema[], { api, pointer }: Place): unknown {
  if (schemas.length === 0 || typeof value !== 'object' || value === null) return value;
  const parts = schemas.flatMap((schema) => [...applicableParts(schema, api)]);
  const below = (key: string | number): Place => ({ api, pointer: appendPointer(pointer, key) });
  if (Array.isArray(value)) {
    if (value.length === 0 && parts.some(takesEmptyList)) return {};
    return value.map((item: unknown, index) => readValue(item, itemSchemas(parts, index), below(index)));
  }
  if (!isRecord(value)) return value;
  const isAnyCase = parts.some(takesAnyCase);
  const read: Record<string, unknown> = {};
  for (const [given, member] of Object.entries(value)) {
    const name = isAnyCase ? documentedName(given, parts) : given;
    if (Object.hasOwn(read, name))
      throw new DecodeError(
        `must NOT be beside another spelling of ${JSON.stringify(name)}`,
        appendPointer(pointer, given),
      );
    setMember(read, name, readValue(member, memberSchemas(parts, name), below(given)));
  }
  return read;
}

function documentedName(given: string, parts: readonly SchemaObject[]): string {
  const names = parts.flatMap(({ properties = {} }) => Object.keys(properties));
  if (names.includes(given)) return given;
  return names.find((name) => name.toLowerCase() === given.toLowerCase()) ?? given;
}
