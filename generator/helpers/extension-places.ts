import type { Api, Extensions, Header, MediaType, Operation, Parameter } from '../../model/api.js';
import type { SourceLocation } from '../../model/diagnostics/diagnostic.js';
import { appendPointer } from '../../model/document/pointer.js';
import { placedChildren } from '../../model/schema-survey.js';
import type { Schema } from '../../model/schema-types.js';
import { allOperations } from '../type-names.js';

/** The kind of object that has the extension, in the words of `x-on` in specs/extensions.schema.json. */
type ExtensionHost =
  | 'root'
  | 'operation'
  | 'response'
  | 'media-type'
  | 'header'
  | 'parameter'
  | 'example'
  | 'schema'
  | 'security-scheme';

/** One `x-` member of a document. */
export interface ExtensionPlace {
  readonly name: `x-${string}`;
  readonly value: unknown;
  readonly host: ExtensionHost;
  /** The place of the member itself. */
  readonly source: SourceLocation;
}

type Found = ExtensionPlace[];

/** Every `x-` member of an API that the model keeps. */
export function listExtensions(api: Api): ExtensionPlace[] {
  const found: Found = [];
  add(found, 'root', api.extensions, { file: api.files[0]?.path ?? '', pointer: '' });
  for (const scheme of api.securitySchemes.values()) add(found, 'security-scheme', scheme.extensions, scheme.source);
  for (const { schema, source } of api.schemas.values()) addSchema(found, schema, source);
  for (const operation of allOperations(api)) addOperation(found, operation);
  return found;
}

function add(found: Found, host: ExtensionHost, extensions: Extensions, source: SourceLocation): void {
  for (const name in extensions)
    if (isExtension(name)) found.push({ name, value: extensions[name], host, source: below(source, [name]) });
}

function addOperation(found: Found, operation: Operation): void {
  add(found, 'operation', operation.extensions, operation.source);
  for (const parameter of operation.parameters) addValue(found, 'parameter', parameter);
  addContent(found, operation.body?.content ?? []);
  for (const response of operation.responses) {
    add(found, 'response', response.extensions, response.source);
    for (const header of response.headers) addValue(found, 'header', header);
    addContent(found, response.content);
  }
}

function addContent(found: Found, content: readonly MediaType[]): void {
  for (const media of content) {
    addValue(found, 'media-type', media);
    for (const example of media.examples) add(found, 'example', example.extensions, example.source);
  }
}

function addValue(found: Found, host: ExtensionHost, value: Parameter | Header | MediaType): void {
  add(found, host, value.extensions, value.source);
  if (value.schema !== undefined) addSchema(found, value.schema, value.source, ['schema']);
}

/** Adds the extensions of a schema; `path` leads to it. */
function addSchema(found: Found, schema: Schema, source: SourceLocation, path: readonly string[] = []): void {
  if (typeof schema === 'boolean') return;
  for (const key in schema)
    if (isExtension(key))
      found.push({ name: key, value: schema[key], host: 'schema', source: below(source, [...path, key]) });
  for (const [child, place] of placedChildren(schema)) addSchema(found, child, source, [...path, ...place]);
}

function isExtension(key: string): key is `x-${string}` {
  return key.startsWith('x-');
}

function below({ file, pointer }: SourceLocation, path: readonly string[]): SourceLocation {
  return { file, pointer: path.reduce(appendPointer, pointer) };
}
