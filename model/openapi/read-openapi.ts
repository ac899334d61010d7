import type { Api, Dialect } from '../api.js';
import { Cursor, type CursorContext } from '../document/cursor.js';
import type { SourceDocument } from '../document/source-document.js';
import { type SchemaDialect, SCHEMA_DIALECTS, dialectByUri } from '../normalise/schema-dialects.js';
import type { SchemaReader } from '../normalise/schema-reader.js';
import { checkDocument } from './check-document.js';
import { resolveLinks } from './links.js';
import { OperationReader } from './operations.js';
import { type OpenApiReader, SharedParts, definedMembers } from './reader.js';
import { DocumentSchemes, readSecurity } from './security.js';
import { readDocumentServers } from './servers.js';

/** The part of an {@link Api} that one OpenAPI document contributes; the shared {@link SchemaReader} reads schemas. */
export type OpenApiPart = Pick<
  Api,
  | 'dialect'
  | 'title'
  | 'version'
  | 'description'
  | 'operations'
  | 'webhooks'
  | 'securitySchemes'
  | 'servers'
  | 'tags'
  | 'extensions'
>;

/** Reads an OpenAPI document of any version. */
export function readOpenApi(
  document: SourceDocument,
  schemas: SchemaReader,
  version: OpenApiReader['version'],
): OpenApiPart {
  const { resolver, problems, extensionNames } = schemas;
  const context: CursorContext = { resolver, problems, extensionNames };
  const root = new Cursor(context, { file: document.path, above: '' }, document.root);
  const reader: OpenApiReader = {
    version,
    root,
    schemas,
    dialect: readDialect(root, version),
    shared: new SharedParts(),
  };
  if (version !== '2.0') checkDocument(root, version);
  declareComponents(reader);
  const schemes = new DocumentSchemes(reader);
  const servers = readDocumentServers(reader);
  const operations = new OperationReader(reader, { servers, security: readSecurity(root, schemes) ?? [], schemes });
  const info = root.at('info');
  return {
    dialect: `openapi-${version}` satisfies Dialect,
    title: info.string('title') ?? 'API',
    version: info.string('version') ?? '',
    ...definedMembers({
      description: info.string('description') ?? info.string('summary'),
    }),
    operations: resolveLinks(operations.readPaths(root.at('paths')), schemas),
    webhooks: operations.readWebhooks(root.at('webhooks')),
    securitySchemes: schemes.all,
    servers,
    tags: root.itemsAt('tags').map((tag) => ({
      name: tag.string('name') ?? '',
      ...definedMembers({
        summary: tag.string('summary'),
        description: tag.string('description'),
        parent: tag.string('parent'),
        kind: tag.string('kind'),
      }),
    })),
    extensions: root.extensions,
  };
}

function readDialect(root: Cursor, version: OpenApiReader['version']): SchemaDialect {
  const fallback = SCHEMA_DIALECTS[`openapi-${version}`];
  const uri = version === '3.1' || version === '3.2' ? root.string('jsonSchemaDialect') : undefined;
  if (uri === undefined) return fallback;
  const dialect = dialectByUri(uri);
  if (dialect === undefined)
    root
      .at('jsonSchemaDialect')
      .report(
        'schema-dialect',
        `The dialect ${JSON.stringify(uri)} is not known; schemas are read as OpenAPI ${version} has them.`,
      );
  return dialect ?? fallback;
}

/** Names components first, so that their names do not depend on the order of references. */
function declareComponents(reader: OpenApiReader): void {
  const owner = reader.version === '2.0' ? reader.root.at('definitions') : reader.root.at('components').at('schemas');
  for (const [name, cursor] of owner.entries())
    reader.schemas.declare(name, cursor.value, reader.schemas.placeOf(cursor, reader.dialect));
}
