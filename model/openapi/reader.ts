import { getOrInsert } from '../maps.js';
import type { Cursor } from '../document/cursor.js';
import type { SchemaDialect } from '../normalise/schema-dialects.js';
import type { SchemaReader } from '../normalise/schema-reader.js';
import type { LaterReading } from '../read-later.js';
import { recordSchemaSource } from '../schema-source.js';
import type { Schema } from '../schema-types.js';

/** The data that the readers of one OpenAPI document share. */
export interface OpenApiReader {
  readonly version: '2.0' | '3.0' | '3.1' | '3.2';
  readonly root: Cursor;
  readonly schemas: SchemaReader;
  readonly dialect: SchemaDialect;
  readonly shared: ComponentCache;
  /** Set if operations are read on first use. */
  readonly later?: LaterReading;
}

/** @param raw - the schema, if it is not the whole value at the cursor. */
export function readSchemaAt(reader: OpenApiReader, cursor: Cursor, raw: unknown = cursor.value): Schema {
  const schema = reader.schemas.read(raw, reader.schemas.placeOf(cursor, reader.dialect));
  recordSchemaSource(schema, cursor);
  return schema;
}

/** Removes undefined members, because `exactOptionalPropertyTypes` distinguishes them from absent ones. */
export function definedMembers<T extends Record<string, unknown>>(
  members: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const defined: { [K in keyof T]?: Exclude<T[K], undefined> } = {};
  for (const key in members) {
    const value = members[key];
    if (value !== undefined) defined[key] = value as Exclude<T[typeof key], undefined>;
  }
  return defined;
}

/** The kinds of components that references can point to. */
type PartKind = 'parameter' | 'header' | 'response' | 'example' | 'body' | 'link';

/** Reads the target of several references once, and returns the same object for each. */
export class ComponentCache {
  readonly #known = new Map<PartKind, Map<unknown, unknown>>();

  /** Reads the value at a cursor, or the target of its reference. */
  read<T>(kind: PartKind, cursor: Cursor, readPart: (cursor: Cursor) => T): T {
    if (typeof cursor.record['$ref'] !== 'string') return readPart(cursor);
    const target = cursor.deref();
    const known = getOrInsert(this.#known, kind, () => new Map<unknown, unknown>());
    // Each kind is read by one function, so the cached value is a T.
    if (target.exists && known.has(target.value)) return known.get(target.value) as T;
    const part = readPart(target);
    known.set(target.value, part);
    return part;
  }
}
