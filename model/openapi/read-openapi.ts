import { isDeepStrictEqual } from 'node:util';
import type { RefResolver } from '../normalise/ref-resolver.js';
import type { DiagnosticCollector } from '../diagnostics/create-diagnostic.js';
import type { Api, Dialect, ApiResponse, Link, Operation, SecurityScheme } from '../api.js';
import { Cursor, type CursorContext } from '../document/cursor.js';
import type { SourceDocument } from '../document/source-document.js';
import { type SchemaDialect, SCHEMA_DIALECTS, dialectByUri } from '../normalise/schema-dialects.js';
import type { SchemaReader } from '../normalise/schema-reader.js';
import { checkDocument } from './check-document.js';
import { OperationReader } from './operations.js';
import { type OpenApiReader, ComponentCache, definedMembers } from './reader.js';
import { DocumentSchemes, readSecurity } from './security.js';
import { readDocumentServers } from './servers.js';
import { readTags } from './tags.js';

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
    shared: new ComponentCache(),
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
    tags: readTags(root, version),
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

/** Converts `operationRef`s to operation ids, and drops links that lead nowhere with a diagnostic. */
function resolveLinks(
  operations: readonly Operation[],
  { resolver, problems }: { readonly resolver: RefResolver; readonly problems: DiagnosticCollector },
): Operation[] {
  if (!operations.some(({ responses }) => responses.some(({ links }) => links.length > 0))) return [...operations];
  const ids = new Set(operations.map((operation) => operation.id));
  const bySource = new Map(operations.map(({ source, id }) => [`${source.file}#${source.pointer}`, id]));
  const resolveLink = (link: Link): Link[] => {
    if (ids.has(link.operationId)) return [link];
    const target = link.operationId.includes('#')
      ? resolver.resolve(link.operationId, { file: link.source.file, resourcePointer: '' })
      : undefined;
    const id = target === undefined ? undefined : bySource.get(`${target.file}#${target.pointer}`);
    if (id !== undefined) return [{ ...link, operationId: id }];
    problems.report(
      'link-unresolved',
      link.source,
      `The link ${JSON.stringify(link.name)} leads to no operation of this document.`,
    );
    return [];
  };
  const resolveResponse = (response: ApiResponse): ApiResponse =>
    response.links.length === 0 ? response : { ...response, links: response.links.flatMap(resolveLink) };
  return operations.map((operation) =>
    operation.responses.some(({ links }) => links.length > 0)
      ? { ...operation, responses: operation.responses.map(resolveResponse) }
      : operation,
  );
}

/**
 * Merges the security schemes of several documents. If two documents use one name for different schemes, the later one
 * gets a number, and its operations require it by that name.
 */
export function mergeSchemes(parts: readonly OpenApiPart[]): Pick<OpenApiPart, 'securitySchemes' | 'operations'> {
  const securitySchemes = new Map<string, SecurityScheme>();
  const operations = parts.flatMap((part) => {
    const renamed = new Map<string, string>();
    for (const [name, scheme] of part.securitySchemes) {
      const id = findId(name, scheme, securitySchemes);
      securitySchemes.set(id, securitySchemes.get(id) ?? { ...scheme, id });
      if (id !== name) renamed.set(name, id);
    }
    if (renamed.size === 0) return part.operations;
    return part.operations.map((operation) => ({
      ...operation,
      security: operation.security.map((requirement) =>
        Object.fromEntries(Object.entries(requirement).map(([name, scopes]) => [renamed.get(name) ?? name, scopes])),
      ),
    }));
  });
  return { securitySchemes, operations };
}

function findId(name: string, scheme: SecurityScheme, known: ReadonlyMap<string, SecurityScheme>): string {
  for (let count = 1; ; count += 1) {
    const id = count === 1 ? name : `${name}${count}`;
    const other = known.get(id);
    if (other === undefined || isDeepStrictEqual(essenceOf(other), essenceOf(scheme))) return id;
  }
}

/** The properties of a scheme without its name and description, for comparison. */
function essenceOf({ id: _id, description: _description, source: _source, ...essence }: SecurityScheme): object {
  return essence;
}
