import type { Api } from '../../model/api.js';
import type { Schema } from '../../model/schema-types.js';
import { loadFiles } from './spec-folder.js';

/** How a schema is read: as a component of an OpenAPI document, or as a bare schema of a draft. */
export type SchemaDialectUnderTest =
  | '2.0'
  | '3.0'
  | '3.1'
  | 'draft-04'
  | 'draft-06'
  | 'draft-07'
  | '2019-09'
  | '2020-12';

const SCHEMA_URIS: Readonly<Record<string, string>> = {
  'draft-04': 'http://json-schema.org/draft-04/schema#',
  'draft-06': 'http://json-schema.org/draft-06/schema#',
  'draft-07': 'http://json-schema.org/draft-07/schema#',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
};

/** A document that holds a schema by the name of `Given`, and others beside it. */
export function schemaDocument(dialect: SchemaDialectUnderTest, given: unknown, others: object = {}): object {
  const info = { title: 'T', version: '1' };
  const schemas = { Given: given, ...others };
  if (dialect === '2.0') return { swagger: '2.0', info, paths: {}, definitions: schemas };
  if (dialect === '3.0' || dialect === '3.1')
    return { openapi: `${dialect}.0`, info, paths: {}, components: { schemas } };
  const keyword = dialect === '2019-09' || dialect === '2020-12' ? '$defs' : 'definitions';
  return { $schema: SCHEMA_URIS[dialect], title: 'Root', [keyword]: schemas };
}

/** What became of a schema: its normalised form, and the codes of the diagnostics. */
export interface ReadSchema {
  readonly api: Api;
  readonly schema: Schema | undefined;
  readonly codes: readonly string[];
}

/** Reads a schema in a dialect. */
export async function readSchema(
  dialect: SchemaDialectUnderTest,
  given: unknown,
  others: object = {},
): Promise<ReadSchema> {
  const api = await loadFiles({ 'spec.json': schemaDocument(dialect, given, others) });
  return { api, schema: api.schemas.get('Given')?.schema, codes: api.diagnostics.map(({ code }) => code) };
}
