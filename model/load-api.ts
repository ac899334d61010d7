import type { Api } from './api.js';
import { DiagnosticCollector, createDiagnostic } from './diagnostics/create-diagnostic.js';
import type { Diagnostic } from './diagnostics/diagnostic.js';
import { locateDiagnostics } from './diagnostics/locate-diagnostics.js';
import { SpecError } from './diagnostics/spec-error.js';
import { readDocumentSet } from './document/document-set.js';
import type { DocumentSet, SourceDocument } from './document/source-document.js';
import { isRecord } from './document/records.js';
import { completeBaseDiscriminators } from './normalise/discriminators.js';
import { nameInputVariants } from './normalise/input-names.js';
import { declareJsonSchema } from './normalise/read-json-schema.js';
import { SchemaReader } from './normalise/schema-reader.js';
import { ALL_KEYWORDS, openApiVersion } from './normalise/schema-dialects.js';
import { mergeSchemes } from './openapi/merge-schemes.js';
import { type OpenApiPart, readOpenApi } from './openapi/read-openapi.js';
import { renameDocuments } from './brand/rename-documents.js';

export interface LoadOptions {
  /** Follow `http:` and `https:` references. Default: they are refused. */
  readonly allowRemote?: boolean;
  /** Real names in the place of the word `vendor`: `NAME[,header=NAME][,media=NAME][,engine=NAME]`. */
  readonly vendor?: string | undefined;
}

/**
 * Reads a spec: OpenAPI 2.0, 3.0, 3.1 or 3.2, or a bare JSON Schema, as JSON or YAML, with every file that it refers to.
 * Several sources become one API: the first OpenAPI document gives the title, all give schemas and operations.
 *
 * @param source - path or `file:` URL of the spec, or several of them.
 * @throws InputError where the vendor is not written as it should.
 * @throws SpecError where a document cannot be read at all. Lesser problems are in {@link Api.diagnostics}.
 * @example
 * const api = await loadApi('specs/signing/openapi.yaml');
 * api.operations.map((operation) => operation.id);
 */
export async function loadApi(source: string | readonly string[], options: LoadOptions = {}): Promise<Api> {
  const problems = new DiagnosticCollector();
  const sources = typeof source === 'string' ? [source] : source;
  const sets = await Promise.all(
    sources.map(async (one) => {
      const set = await readDocumentSet(one, { allowRemote: options.allowRemote ?? false }, problems);
      return renameDocuments(set, options.vendor);
    }),
  );
  return readApi(
    mergeSets(sets),
    sets.map((set) => set.entry),
    problems,
  );
}

/** Documents of several sources, seen as one set: names and references are shared. */
function mergeSets(sets: readonly DocumentSet[]): DocumentSet {
  const [first] = sets;
  if (first === undefined) throw new RangeError('A spec needs at least one source.');
  return {
    entry: first.entry,
    documents: new Map(sets.flatMap((set) => [...set.documents])),
    refusals: new Map(sets.flatMap((set) => [...set.refusals])),
  };
}

function readApi(documents: DocumentSet, entries: readonly SourceDocument[], problems: DiagnosticCollector): Api {
  const reader = new SchemaReader(documents, problems);
  const parts: OpenApiPart[] = [];
  let rootSchema: string | undefined;
  for (const entry of entries) {
    const version = openApiVersion(entry.root);
    if (version !== undefined) parts.push(readOpenApi(entry, reader, version));
    else if (isJsonSchema(entry.root)) rootSchema ??= declareJsonSchema(entry, reader);
    else throw notASpec(entry);
  }
  const schemas = reader.finish();
  completeBaseDiscriminators(schemas);
  nameInputVariants(schemas, (name) => reader.takeName(name));
  const files = [...documents.documents.values()].map(({ path, text, hash }) => ({ path, text, hash }));
  return {
    ...mergeParts(parts, rootSchema ?? 'Schema'),
    schemas,
    ...(rootSchema === undefined ? {} : { rootSchema }),
    files,
    diagnostics: locateDiagnostics(problems.all, files),
  };
}

function mergeParts(parts: readonly OpenApiPart[], fallbackTitle: string): OpenApiPart {
  const [first] = parts;
  if (first === undefined) {
    return {
      dialect: 'json-schema',
      title: fallbackTitle,
      version: '',
      operations: [],
      webhooks: [],
      securitySchemes: new Map(),
      servers: [],
      tags: [],
      extensions: {},
    };
  }
  return {
    ...first,
    ...mergeSchemes(parts),
    webhooks: parts.flatMap((part) => part.webhooks),
    tags: parts.flatMap((part) => part.tags),
  };
}

/** Keywords that other files have too: a document with none but these is not taken for a schema. */
const COMMON_WORDS: ReadonlySet<string> = new Set(['title', 'description', 'default', 'example', 'examples', 'id']);

function isJsonSchema(root: unknown): boolean {
  if (typeof root === 'boolean') return true;
  if (!isRecord(root) || root['openapi'] !== undefined || root['swagger'] !== undefined) return false;
  return Object.keys(root).some((key) => ALL_KEYWORDS.has(key) && !COMMON_WORDS.has(key));
}

function notASpec({ path, root }: SourceDocument): SpecError {
  const said = isRecord(root) ? (root['openapi'] ?? root['swagger']) : undefined;
  const version = said === undefined ? '' : ` It says that it is OpenAPI ${JSON.stringify(said)}.`;
  const message = `The document is neither OpenAPI 2.0, 3.0, 3.1 or 3.2 nor a JSON Schema.${version}`;
  const diagnostic: Diagnostic = createDiagnostic('document-kind', { file: path, pointer: '' }, message);
  return new SpecError([{ ...diagnostic, line: 1, column: 1 }]);
}
