import type { SourceDocument } from '../document/source-document.js';
import { Place } from '../document/place.js';
import { isRecord } from '../document/records.js';
import { SCHEMA_DIALECTS, declaredDialect } from './schema-dialects.js';
import { nameFromFile } from './name-from-pointer.js';
import type { SchemaReader } from './schema-reader.js';

/** Declares the root schema of a bare JSON Schema document and its definitions; returns the root's TypeScript name. */
export function declareJsonSchema(document: SourceDocument, reader: SchemaReader): string {
  const root = isRecord(document.root) ? document.root : {};
  const dialect = declaredDialect(root) ?? SCHEMA_DIALECTS['2020-12'];
  const place = new Place(document.path, '');
  const title = typeof root['title'] === 'string' ? root['title'] : nameFromFile(document.path);
  const name = reader.declare(title, document.root, reader.placeOf(place, dialect));
  for (const key of ['definitions', '$defs']) {
    const definitions = root[key];
    if (!isRecord(definitions)) continue;
    for (const definition of Object.keys(definitions)) {
      const below = new Place(document.path, new Place(document.path, place, key), definition);
      reader.declare(definition, definitions[definition], reader.placeOf(below, dialect));
    }
  }
  return name;
}
