import { isDeepStrictEqual } from 'node:util';
import { DiagnosticCollector } from '../diagnostics/create-diagnostic.js';
import type { Api, Dialect, ApiResponse, Link, Operation, SecurityScheme } from '../api.js';
import { Cursor, type CursorContext } from '../document/cursor.js';
import type { SourceDocument } from '../document/source-document.js';
import { type SchemaDialect, SCHEMA_DIALECTS, dialectByUri } from '../normalise/schema-dialects.js';
import type { SchemaReader } from '../normalise/schema-reader.js';
import { checkDocument } from './check-document.js';
import type { CheckedVersion } from './object-shapes.js';
import { OperationReader } from './operations.js';
import type { LaterReading } from '../read-later.js';
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

/** Reads an OpenAPI document of any version. With `later`, its operations are read on first use. */
export function readOpenApi(
  document: SourceDocument,
  schemas: SchemaReader,
  { version, later }: Pick<OpenApiReader, 'version' | 'later'>,
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
    ...(later === undefined ? {} : { later }),
  };
  if (version !== '2.0') check(root, version, later);
  declareComponents(reader);
  const schemes = new DocumentSchemes(reader);
  const servers = readDocumentServers(reader);
  const links = new LinkTargets(schemas);
  const operations = new OperationReader(reader, {
    ...{ servers, security: readSecurity(root, schemes) ?? [], schemes },
    resolveLinks: (responses) => responses.map((response) => links.resolve(response)),
  });
  const info = root.at('info');
  const head = {
    dialect: `openapi-${version}` satisfies Dialect,
    title: info.string('title') ?? 'API',
    version: info.string('version') ?? '',
    ...definedMembers({ description: info.string('description') ?? info.string('summary') }),
  };
  links.operations = operations.readPaths(root.at('paths'));
  return {
    ...head,
    operations: later === undefined ? withLinks(links) : links.operations,
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
class LinkTargets {
  operations: readonly Operation[] = [];
  readonly #schemas: Pick<SchemaReader, 'resolver' | 'problems'>;
  #ids: ReadonlySet<string> | undefined;
  #bySource: ReadonlyMap<string, string> | undefined;

  constructor(schemas: Pick<SchemaReader, 'resolver' | 'problems'>) {
    this.#schemas = schemas;
  }

  resolve(response: ApiResponse): ApiResponse {
    if (response.links.length === 0) return response;
    return { ...response, links: response.links.flatMap((link) => this.#resolveLink(link)) };
  }

  #resolveLink(link: Link): Link[] {
    this.#ids ??= new Set(this.operations.map(({ id }) => id));
    if (this.#ids.has(link.operationId)) return [link];
    const operationId = this.#idAt(link);
    if (operationId !== undefined) return [{ ...link, operationId }];
    const message = `The link ${JSON.stringify(link.name)} leads to no operation of this document.`;
    this.#schemas.problems.report('link-unresolved', link.source, message);
    return [];
  }

  #idAt({ operationId, source }: Link): string | undefined {
    if (!operationId.includes('#')) return undefined;
    const target = this.#schemas.resolver.resolve(operationId, { file: source.file, resourcePointer: '' });
    this.#bySource ??= new Map(this.operations.map((one) => [`${one.source.file}#${one.source.pointer}`, one.id]));
    return target === undefined ? undefined : this.#bySource.get(`${target.file}#${target.pointer}`);
  }
}

function withLinks(targets: LinkTargets): Operation[] {
  return targets.operations.map((operation) =>
    operation.responses.some(({ links }) => links.length > 0)
      ? { ...operation, responses: operation.responses.map((response) => targets.resolve(response)) }
      : operation,
  );
}

/** Later, the problems of the check still count before those of the readers, which say less about the same place. */
function check(root: Cursor, version: CheckedVersion, later: LaterReading | undefined): void {
  if (later === undefined) return checkDocument(root, version);
  let isChecked = false;
  later.rest.push(() => {
    if (isChecked) return;
    isChecked = true;
    const problems = new DiagnosticCollector();
    checkDocument(new Cursor({ ...root.context, problems }, { file: root.file, above: '' }, root.value), version);
    root.context.problems.putFirst(problems);
  });
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
