import { nameFromFile } from './normalise/name-from-pointer.js';
import { Place } from './document/place.js';
import type { Api, NamedSchema } from './api.js';
import { DiagnosticCollector, createDiagnostic } from './diagnostics/create-diagnostic.js';
import type { Diagnostic, SourceLocation } from './diagnostics/diagnostic.js';
import { locateDiagnostics } from './diagnostics/locate-diagnostics.js';
import { SpecError } from './diagnostics/spec-error.js';
import { isUrl } from './document/address.js';
import { readSourceDocument, readReferences } from './document/document-set.js';
import type { DocumentSet, SourceDocument, SpecLimits } from './document/source-document.js';
import { isRecord, withoutUndefined } from './document/records.js';
import { closeCircles } from './normalise/close-circles.js';
import { completeBaseDiscriminators } from './normalise/discriminators.js';
import { readListedChildren } from './normalise/listed-children.js';
import { nameInputVariants } from './schema-survey.js';
import { SchemaReader } from './normalise/schema-reader.js';
import { ALL_KEYWORDS, openApiVersion, SCHEMA_DIALECTS, declaredDialect } from './normalise/schema-dialects.js';
import type { LaterReading } from './read-later.js';
import { createLaterReading, mayReadLater, withFindings } from './openapi/lazy-api.js';
import { mergeSchemes } from './openapi/read-openapi.js';
import { type OpenApiPart, readOpenApi } from './openapi/read-openapi.js';
import type { Corrections } from './overlay/add-resources.js';
import type { ConfiguredHelpers } from './overlay/add-helpers.js';
import { changeDocuments } from './overlay/change-documents.js';
import { renameDocuments } from './rename-vendor.js';

export interface LoadOptions {
  /** Whether to follow references to hosts other than that of the spec. Default: `false`. */
  readonly allowRemote?: boolean | undefined;
  /** Sent when the spec or an overlay is fetched from a URL; with references only to the origin of the spec. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The folder that local references may not leave. Default: the folder of the spec. */
  readonly root?: string | undefined;
  /** How much the files may have that the spec references, all together. Default: 1,000 documents, 256 MB, 5 minutes. */
  readonly specLimits?: SpecLimits | undefined;
  /** Paths or URLs of OpenAPI Overlay documents (1.0 or 1.1), applied in order before the spec is interpreted. */
  readonly overlays?: readonly string[] | undefined;
  /** `x-` extensions by operation id, `GET /path` or `*` (the whole API), added as if the spec contained them. */
  readonly helpers?: ConfiguredHelpers | undefined;
  /** Where `helpers` are written, for the places of errors. */
  readonly helpersAt?: SourceLocation | undefined;
  /** Corrects what is inferred about resources, in place of `x-resources` of the spec for the same path. */
  readonly resources?: Corrections | undefined;
  /** Where `resources` are written, for the places of errors. */
  readonly resourcesAt?: SourceLocation | undefined;
  /** Real names that replace the word `vendor`: `NAME[,header=NAME][,media=NAME][,engine=NAME]`. */
  readonly vendor?: string | undefined;
  /**
   * Whether `format` is checked (`assert`, the default) or only informs readers (`annotate`), as in JSON Schema
   * 2020-12.
   */
  readonly formats?: 'assert' | 'annotate' | undefined;
}

/** How the rooms of the toolkit read a spec. */
export interface ReadingOptions extends LoadOptions {
  /**
   * Whether operations of a spec without unusual references are read on first use. Diagnostics and the names of
   * extensions are found when they are first asked for, which reads the rest.
   */
  readonly isLazy?: boolean | undefined;
}

/**
 * Reads a spec: OpenAPI 2.0, 3.0, 3.1 or 3.2, or a bare JSON Schema, as JSON or YAML, with every file that it
 * references. Several sources become one API: the first OpenAPI document sets the title, all contribute schemas and
 * operations.
 *
 * @param source - path or URL of the spec, or several of them.
 * @throws InputError if `vendor` is malformed, or `helpers` name an unknown operation.
 * @throws SpecError if a document cannot be read at all. Lesser problems are in {@link Api.diagnostics}.
 * @example
 * const api = await loadApi('specs/signing/openapi.yaml');
 * api.operations.map((operation) => operation.id);
 */
export async function loadApi(source: string | readonly string[], options: ReadingOptions = {}): Promise<Api> {
  const problems = new DiagnosticCollector();
  const sources = typeof source === 'string' ? [source] : source;
  const entries = await Promise.all(sources.map((one) => readSourceDocument(one, options)));
  const overlays = await Promise.all(
    (options.overlays ?? []).map((one) =>
      readSourceDocument(one, { headers: headersFor(one, sources, options), subject: 'The overlay' }),
    ),
  );
  const changed = await changeDocuments(entries, overlays, { ...options, problems });
  const read = await Promise.all(changed.map((entry) => readReferences(entry, options, problems)));
  const sets = renameDocuments(read, options.vendor);
  return readApi(
    mergeSets(sets),
    sets.map((set) => set.entry),
    { problems, overlays, formats: options.formats, isLazy: options.isLazy === true && options.vendor === undefined },
  );
}

/** Headers go only to hosts of the spec; an overlay on another host does not get them. */
function headersFor(overlay: string, sources: readonly string[], { headers }: LoadOptions): LoadOptions['headers'] {
  const isOwnHost = sources.some(
    (source) => [source, overlay].every(isUrl) && new URL(source).origin === new URL(overlay).origin,
  );
  return isOwnHost ? headers : undefined;
}

/** Merges the documents of several sources into one set, with shared names and references. */
function mergeSets(sets: readonly DocumentSet[]): DocumentSet {
  const [first] = sets;
  if (first === undefined) throw new RangeError('A spec needs at least one source.');
  return {
    entry: first.entry,
    documents: new Map(sets.flatMap((set) => [...set.documents])),
    refusals: new Map(sets.flatMap((set) => [...set.refusals])),
  };
}

interface ReadContext {
  readonly problems: DiagnosticCollector;
  readonly overlays: readonly SourceDocument[];
  readonly formats: LoadOptions['formats'];
  readonly isLazy: boolean;
}

/** JSON.parse takes the last of two equal keys, so that a document that parses elsewhere is not refused. */
function reportRepeatedKey({ path: file, repeated }: SourceDocument, problems: DiagnosticCollector): void {
  if (repeated === undefined) return;
  const { pointer, message, line, column } = repeated;
  problems.report('key-overwritten', { file, pointer }, `${message} The last value counts.`, { line, column });
}

function readApi(
  documents: DocumentSet,
  entries: readonly SourceDocument[],
  { problems, overlays, formats, isLazy }: ReadContext,
): Api {
  for (const document of [...documents.documents.values(), ...overlays]) reportRepeatedKey(document, problems);
  const reader = new SchemaReader(documents, problems);
  const parts: OpenApiPart[] = [];
  let rootSchema: string | undefined;
  const later = isLazy && mayReadLater(entries) ? createLaterReading(reader, entries) : undefined;
  for (const entry of entries) {
    const version = openApiVersion(entry.root);
    if (version !== undefined) parts.push(readOpenApi(entry, reader, { version, ...withoutUndefined({ later }) }));
    else if (isJsonSchema(entry.root)) rootSchema ??= declareJsonSchema(entry, reader);
    else throw notASpec(entry);
  }
  const schemas = readNamedSchemas(reader, later);
  if (later === undefined) reader.reportRequired();
  const named = new Set(entries.map(({ path }) => path));
  const files = [...documents.documents.values(), ...overlays].map(({ path, text, hash, originOf }) => ({
    path,
    text,
    hash,
    ...(named.has(path) ? { isEntry: true as const } : {}),
    ...(originOf === undefined ? {} : { originOf }),
  }));
  const api = {
    ...mergeParts(parts, rootSchema ?? 'Schema'),
    schemas,
    ...(formats === 'annotate' ? { formats } : {}),
    ...(rootSchema === undefined ? {} : { rootSchema }),
    files,
  };
  const findings = (): Pick<Api, 'extensionNames' | 'diagnostics'> => ({
    extensionNames: [...reader.extensionNames],
    diagnostics: locateDiagnostics(problems.all, files),
  });
  return later === undefined ? { ...api, ...findings() } : withFindings(api, later, findings);
}

function readNamedSchemas(reader: SchemaReader, later: LaterReading | undefined): Map<string, NamedSchema> {
  if (later?.hasSeparateSchemas === true) return reader.readPendingLater(later);
  const schemas = reader.readPending();
  readListedChildren(schemas, reader.problems);
  closeCircles(schemas, reader.problems);
  completeBaseDiscriminators(schemas);
  nameInputVariants(schemas, (name) => reader.takeName(name));
  return schemas;
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

/** Keywords that other kinds of files have too; a document with only these is not a schema. */
const COMMON_WORDS: ReadonlySet<string> = new Set(['title', 'description', 'default', 'example', 'examples', 'id']);

function isJsonSchema(root: unknown): boolean {
  if (typeof root === 'boolean') return true;
  if (!isRecord(root) || root['openapi'] !== undefined || root['swagger'] !== undefined) return false;
  return Object.keys(root).some((key) => ALL_KEYWORDS.has(key) && !COMMON_WORDS.has(key));
}

function notASpec({ path, root }: SourceDocument): SpecError {
  const message = `The document is neither OpenAPI 2.0, 3.0, 3.1 or 3.2 nor a JSON Schema.${otherFormat(root)}`;
  const diagnostic: Diagnostic = createDiagnostic('document-kind', { file: path, pointer: '' }, message);
  return new SpecError([{ ...diagnostic, line: 1, column: 1 }]);
}

/** Describes the actual format of an unsupported document, if it is known. */
function otherFormat(root: unknown): string {
  if (root === null || root === undefined) return ' It is empty.';
  if (!isRecord(root)) return Array.isArray(root) ? ' It is a list.' : ` It is a ${typeof root}.`;
  const { openapi, swagger, asyncapi, overlay, info } = root;
  const version = openapi ?? swagger;
  if (version !== undefined) return ` Its version is OpenAPI ${JSON.stringify(version)}.`;
  if (asyncapi !== undefined) return ' It is an AsyncAPI document, which specmill does not read.';
  if (overlay !== undefined) return ' It is an OpenAPI Overlay: name it in "overlays" of the configuration.';
  return isRecord(info) && info['_postman_id'] !== undefined
    ? ' It is a Postman collection: export it as OpenAPI first.'
    : '';
}

/** Declares the root schema of a bare JSON Schema document and its definitions; returns the root's TypeScript name. */
function declareJsonSchema(document: SourceDocument, reader: SchemaReader): string {
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
