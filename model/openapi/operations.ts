import { STANDARD_METHODS, isStandardMethod } from '../http-method.js';
import type { ApiResponse, Callback, HttpMethod, Operation, Parameter, SecurityRequirement, Server } from '../api.js';
import type { Cursor } from '../document/cursor.js';
import { NameAllocator, toValueName } from '../identifiers.js';
import { readParameters } from './parameters.js';
import { notePlainPath } from './plain-paths.js';
import { type LaterReading, readLater } from '../read-later.js';
import { type OpenApiReader, definedMembers } from './reader.js';
import { readRequestBody, readResponses } from './responses.js';
import { type DocumentSchemes, readSecurity } from './security.js';
import { readServers } from './servers.js';
import { readSwagger2Input } from './swagger-2.js';

export interface OperationDefaults {
  readonly servers: readonly Server[];
  readonly security: readonly SecurityRequirement[];
  readonly schemes: DocumentSchemes;
  /** Finds the operations of links; needed only if parts are read on first use. */
  readonly resolveLinks: (responses: readonly ApiResponse[]) => ApiResponse[];
}

/** An operation of a path item, before it is read. */
interface MethodEntry {
  readonly method: HttpMethod;
  readonly cursor: Cursor;
}

interface PartsLater {
  readonly cursor: Cursor;
  readonly later: LaterReading;
}

/** A token of RFC 9110. */
const METHOD_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

interface PathContext {
  readonly path: string;
  readonly pathItem: Cursor;
  /** Callbacks and webhooks are requests to the user: their parameters do not have to be in the path. */
  readonly outgoing: boolean;
}

/** Reads operations and names them: ids and names are unique over paths, callbacks and webhooks together. */
export class OperationReader {
  readonly #reader: OpenApiReader;
  readonly #defaults: OperationDefaults;
  readonly #ids = new NameAllocator();
  readonly #names = new NameAllocator({ fold: true });
  /** A callback that several operations reference yields the same operations for each. */
  readonly #known = new Map<string, Operation>();
  /** Objects being read: a callback may lead back to its operation. */
  readonly #reading = new Set<string>();

  constructor(reader: OpenApiReader, defaults: OperationDefaults) {
    this.#reader = reader;
    this.#defaults = defaults;
  }

  readPaths(paths: Cursor): Operation[] {
    return paths.members().flatMap(([path, pathItem]) => this.#readPathItem({ path, pathItem, outgoing: false }));
  }

  readWebhooks(webhooks: Cursor): Operation[] {
    return webhooks.entries().flatMap(([path, pathItem]) => this.#readPathItem({ path, pathItem, outgoing: true }));
  }

  /** Siblings of the `$ref` of a path item override members of its target. */
  #readPathItem(context: PathContext): Operation[] {
    const target = context.pathItem.deref();
    const isNew = this.#reader.version === '3.2';
    const standard = [...STANDARD_METHODS, ...(isNew ? (['query'] as const) : [])].flatMap((method) => {
      const pathItem = [context.pathItem, target].find((cursor) => cursor.has(method));
      return pathItem === undefined
        ? []
        : this.#readOnce({ ...context, pathItem }, { method, cursor: pathItem.at(method) });
    });
    return isNew ? [...standard, ...this.#readAdditional(context, target)] : standard;
  }

  /** Reads `additionalOperations` of OpenAPI 3.2, whose keys are the methods as sent. */
  #readAdditional(context: PathContext, target: Cursor): Operation[] {
    const pathItem = [context.pathItem, target].find((cursor) => cursor.has('additionalOperations'));
    if (pathItem === undefined) return [];
    return pathItem.entriesAt('additionalOperations').flatMap(([method, cursor]) => {
      if (!METHOD_NAME.test(method)) {
        cursor.report(
          'document-shape',
          `${JSON.stringify(method)} is not the name of a method (RFC 9110, section 9.1).`,
        );
        return [];
      }
      if (isStandardMethod(method)) {
        cursor.report(
          'document-shape',
          `${method} has its own member, "${method.toLowerCase()}"; this one is ignored.`,
        );
        return [];
      }
      return this.#readOnce({ ...context, pathItem }, { method, cursor });
    });
  }

  #readOnce(context: PathContext, { method, cursor }: MethodEntry): Operation[] {
    const key = `${context.pathItem.file}#${context.pathItem.pointer} ${method} ${context.path}`;
    const known = this.#known.get(key);
    if (known !== undefined) return [known];
    if (this.#reading.has(key)) {
      context.pathItem.report('ref-circular', `The callback ${JSON.stringify(context.path)} leads back to itself.`);
      return [];
    }
    this.#reading.add(key);
    const operation = this.#readOperation(context, { method, cursor });
    this.#known.set(key, operation);
    return [operation];
  }

  #readOperation(context: PathContext, { method, cursor }: MethodEntry): Operation {
    const { path, pathItem } = context;
    const { later } = this.#reader;
    const { parameters, body } = later === undefined ? this.#readInput(context, cursor) : { parameters: [] };
    const id = this.#readId(cursor, `${method} ${path}`);
    const operation: Operation = {
      id,
      name: this.#names.take(toValueName(id)),
      method,
      path,
      ...definedMembers({
        summary: cursor.string('summary') ?? pathItem.string('summary'),
        description: cursor.string('description') ?? pathItem.string('description'),
        body,
      }),
      deprecated: cursor.boolean('deprecated') ?? false,
      tags: cursor.strings('tags'),
      parameters,
      responses: later === undefined ? readResponses(this.#reader, cursor) : [],
      security: readSecurity(cursor, this.#defaults.schemes) ?? this.#defaults.security,
      servers: readServers(cursor) ?? readServers(pathItem) ?? this.#defaults.servers,
      callbacks: this.#readCallbacks(cursor),
      extensions: cursor.extensions,
      source: cursor.source,
    };
    if (later !== undefined) this.#readPartsLater(operation, context, { cursor, later });
    return operation;
  }

  /** Parameters, body and responses take four fifths of the time to read an operation. */
  #readPartsLater(operation: Operation, context: PathContext, { cursor, later }: PartsLater): void {
    const reader = this.#reader;
    const { resolveLinks } = this.#defaults;
    notePlainPath(operation, [context.pathItem, cursor]);
    readLater(later, operation, ['parameters', () => this.#readParameters(context, cursor)]);
    if (cursor.has('requestBody')) readLater(later, operation, ['body', () => readRequestBody(reader, cursor)]);
    readLater(later, operation, [
      'responses',
      () => (context.outgoing ? readResponses(reader, cursor) : resolveLinks(readResponses(reader, cursor))),
    ]);
  }

  #readInput(context: PathContext, cursor: Cursor): { parameters: Parameter[]; body: Operation['body'] } {
    if (this.#reader.version !== '2.0')
      return { parameters: this.#readParameters(context, cursor), body: readRequestBody(this.#reader, cursor) };
    const { parameters, body } = readSwagger2Input(this.#reader, context.pathItem, cursor);
    return { parameters: inPath(context, parameters, cursor), body };
  }

  #readParameters(context: PathContext, cursor: Cursor): Parameter[] {
    return inPath(context, readParameters(this.#reader, context.pathItem, cursor), cursor);
  }

  #readId(cursor: Cursor, fallback: string): string {
    const written = cursor.string('operationId');
    if (written === undefined || written === '') {
      cursor.report('operation-id-missing', `${fallback} has no operationId; its name is made of method and path.`);
      return this.#ids.take(fallback);
    }
    const id = this.#ids.take(written);
    if (id !== written)
      cursor
        .at('operationId')
        .report(
          'operation-id-repeated',
          `The operationId ${JSON.stringify(written)} is taken; this operation is called ${JSON.stringify(id)}.`,
        );
    return id;
  }

  #readCallbacks(operation: Cursor): Callback[] {
    return operation.entriesAt('callbacks').flatMap(([name, raw]) =>
      raw
        .deref()
        .members()
        .map(([expression, pathItem]) => ({
          name,
          expression,
          operations: this.#readPathItem({ path: expression, pathItem, outgoing: true }),
        })),
    );
  }
}

/** Drops path parameters that the template does not contain, and adds undescribed ones that it does. */
function inPath({ path, outgoing }: PathContext, parameters: readonly Parameter[], cursor: Cursor): Parameter[] {
  if (outgoing) return [...parameters];
  const inTemplate = new Set([...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name ?? ''));
  const kept = parameters.filter((parameter) => parameter.in !== 'path' || inTemplate.has(parameter.name));
  for (const parameter of parameters)
    if (parameter.in === 'path' && !inTemplate.has(parameter.name))
      cursor.report('parameter-path-unknown', `The path has no {${parameter.name}}; the path parameter is ignored.`);
  const described = new Set(kept.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name));
  const missing = [...inTemplate].filter((name) => !described.has(name));
  for (const name of missing)
    cursor.report('parameter-path-missing', `The path has {${name}}, and no parameter describes it.`);
  return [...missing.map((name) => plainPathParameter(name, cursor)), ...kept];
}

function plainPathParameter(name: string, cursor: Cursor): Parameter {
  return {
    name,
    in: 'path',
    required: true,
    deprecated: false,
    schema: { type: 'string' },
    style: 'simple',
    explode: false,
    allowReserved: false,
    allowEmptyValue: false,
    examples: [],
    extensions: {},
    source: cursor.source,
  };
}
