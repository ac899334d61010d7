import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { appendPointer, InputError, isRecord, readDocument, systemReason } from 'specmill/mock';

import { readJsonTable } from './read-json-tables.js';
import { readSqlTables } from './read-sql.js';
import { type Table, Tables } from './table.js';

/**
 * Reads the tables of `--engine-schema`: `CREATE TABLE` statements, or JSON or YAML that maps the name of each table to
 * its JSON Schema.
 *
 * @param source - a file, or the map itself.
 * @throws InputError if it cannot be read
 */
export async function readEngineSchema(source: string | object, databaseType: string | undefined): Promise<Tables> {
  return new Tables(typeof source === 'string' ? await readFileTables(source, databaseType) : await readMap(source));
}

async function readFileTables(file: string, databaseType: string | undefined): Promise<readonly Table[]> {
  if (/^\.(?:json|jsonc|ya?ml)$/i.test(path.extname(file))) return readMap(file);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new InputError(`The file cannot be read: ${systemReason(error)}.`, { file });
  });
  return readSqlTables({ file, text: text.replace(/^\uFEFF/, ''), databaseType });
}

async function readMap(source: string | object): Promise<readonly Table[]> {
  const { value, placeOf } = await readDocument(source);
  if (!isRecord(value))
    throw new InputError('Expected a map from the name of a table to its JSON Schema.', placeOf(''));
  return Object.entries(value).map(([name, schema]) => {
    const pointer = appendPointer('', name);
    if (!isRecord(schema)) throw new InputError(`The table ${name} needs a JSON Schema.`, placeOf(pointer));
    const table = readJsonTable(name, schema, value);
    if (table.columns.size > 0) return table;
    throw new InputError(`The JSON Schema of the table ${name} has no properties.`, placeOf(pointer));
  });
}
