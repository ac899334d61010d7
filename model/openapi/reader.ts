import type { Cursor } from '../document/cursor.js';
import type { SchemaDialect } from '../normalise/schema-dialects.js';
import type { SchemaReader } from '../normalise/schema-reader.js';
import type { Schema } from '../schema-types.js';

/** What the readers of one OpenAPI document share. */
export interface OpenApiReader {
  readonly version: '2.0' | '3.0' | '3.1';
  readonly root: Cursor;
  readonly schemas: SchemaReader;
  readonly dialect: SchemaDialect;
}

/** Reads the schema at a cursor. */
export function readSchemaAt(reader: OpenApiReader, cursor: Cursor): Schema {
  return reader.schemas.read(cursor.value, reader.schemas.placeAt(cursor.file, cursor.pointer, reader.dialect));
}

/** Members that are set: `exactOptionalPropertyTypes` wants absent members to be absent. */
export function definedMembers<T extends Record<string, unknown>>(
  members: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
