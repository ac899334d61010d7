import type { SourceDocument } from '../document/document-set.js';
import { appendPointer } from '../document/pointer.js';
import { isRecord } from '../document/records.js';
import { SCHEMA_DIALECTS, declaredDialect } from './schema-dialects.js';
import type { SchemaReader } from './schema-reader.js';

/** Declares the root schema of a bare JSON Schema document and its definitions; gives the root's TypeScript name. */
export function declareJsonSchema(document: SourceDocument, reader: SchemaReader): string {
  const root = isRecord(document.root) ? document.root : {};
  const dialect = declaredDialect(root) ?? SCHEMA_DIALECTS['2020-12'];
  const place = reader.placeAt(document.path, '', dialect);
  const title = typeof root['title'] === 'string' ? root['title'] : fileTitle(document.path);
  const name = reader.declare(title, document.root, place);
  for (const key of ['definitions', '$defs']) {
    const definitions = root[key];
    if (!isRecord(definitions)) continue;
    for (const definition of Object.keys(definitions)) {
      const pointer = appendPointer(appendPointer('', key), definition);
      reader.declare(definition, definitions[definition], reader.placeAt(document.path, pointer, dialect));
    }
  }
  return name;
}

function fileTitle(file: string): string {
  return (file.split(/[\\/]/).at(-1) ?? 'Schema').replace(/(\.schema)?\.(json|ya?ml)$/i, '');
}
