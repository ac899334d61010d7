import type { Diagnostic, SourceLocation } from './diagnostics/diagnostic.js';
import type { Schema } from './schema-types.js';

/** The document families that specmill reads. */
export type Dialect = 'openapi-2.0' | 'openapi-3.0' | 'openapi-3.1' | 'openapi-3.2' | 'json-schema';

/**
 * One API, read from a document and normalised once. Nothing after `model/` looks at a raw document.
 *
 * Every schema in it is JSON Schema 2020-12, whatever the dialect of the document, and refers to named schemas as
 * `{ $ref: '#/$defs/<name>' }`, where `<name>` is a key of {@link Api.schemas}.
 */
export interface Api {
  readonly dialect: Dialect;
  readonly title: string;
  readonly version: string;
  readonly description?: string;
  /** Named schemas by safe unique PascalCase name, in the order of the document. */
  readonly schemas: ReadonlyMap<string, NamedSchema>;
  /** Set if no validator checks `format`. */
  readonly formats?: 'annotate';
  /** The name of the root schema; only for bare JSON Schema input. */
  readonly rootSchema?: string;
  readonly operations: readonly Operation[];
  /** Requests that the API sends to its user: `path` is the webhook's name. */
  readonly webhooks: readonly Operation[];
  readonly securitySchemes: ReadonlyMap<string, SecurityScheme>;
  readonly servers: readonly Server[];
  readonly tags: readonly Tag[];
  /** The document's own `x-` members. */
  readonly extensions: Extensions;
  /** The distinct names of all `x-` members that were read in the documents. */
  readonly extensionNames: readonly string[];
  /** The files that were read, the entry first. Their contents decide whether the output is out of date. */
  readonly files: readonly SourceFile[];
  /** The diagnostics of the document. Severity `error` means that parts of it could not be used. */
  readonly diagnostics: readonly Diagnostic[];
}

/** `x-` members as in the document. */
export type Extensions = Readonly<Record<`x-${string}`, unknown>>;

/** A file that a document was read from. */
export interface SourceFile {
  /** Absolute path or URL. */
  readonly path: string;
  readonly text: string;
  /** Hash of the bytes of the file. */
  readonly hash: string;
  /** Set if the user named this file as a spec; overlays change only such files. */
  readonly isEntry?: true;
  /** Set if overlays or configured helpers have changed the document: maps a pointer into it to the cause of that part. */
  readonly originOf?: (pointer: string) => Origin;
}

/** The text that caused a part of a changed document. */
export interface Origin extends SourceLocation {
  /** Whether it is a helper or a correction of the configuration. */
  readonly isConfigured?: true;
}

/** A schema with its own name: a component, a definition, or an inline schema that a reference points to. */
export interface NamedSchema {
  /** Safe unique PascalCase TypeScript name. */
  readonly name: string;
  /** The name as the document spells it. */
  readonly originalName: string;
  readonly schema: Schema;
  /**
   * The name of the request variant, set only if `readOnly` or `writeOnly` members (its own or those of a schema it
   * reaches) make the sent type differ from the received one.
   */
  readonly inputName?: string;
  readonly source: SourceLocation;
}

/** The methods that have their own member in a Path Item Object. `query` comes with OpenAPI 3.2. */
export type StandardMethod = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch' | 'trace' | 'query';

/** A {@link StandardMethod}, or a key of `additionalOperations` (OpenAPI 3.2) exactly as it is sent, such as `COPY`. */
export type HttpMethod = StandardMethod | (string & {});

/** One method on one path (or, for a webhook or callback, on one name or expression). */
export interface Operation {
  /** `operationId` as written, or `<method> <path>` if there is none. Unique. */
  readonly id: string;
  /** Safe unique camelCase TypeScript name. */
  readonly name: string;
  readonly method: HttpMethod;
  /** Path template as written, such as `/models/{model}:generate`. */
  readonly path: string;
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated: boolean;
  readonly tags: readonly string[];
  /** The parameters of the path and of the operation, merged. */
  readonly parameters: readonly Parameter[];
  readonly body?: RequestBody;
  readonly responses: readonly ApiResponse[];
  /**
   * Alternatives, each a set of schemes that are required together. No alternatives: no security. An empty alternative:
   * security is optional.
   */
  readonly security: readonly SecurityRequirement[];
  readonly servers: readonly Server[];
  readonly callbacks: readonly Callback[];
  readonly extensions: Extensions;
  readonly source: SourceLocation;
}

/** `querystring` (OpenAPI 3.2): the whole query of a URL, described by one media type. */
export type ParameterLocation = 'path' | 'query' | 'querystring' | 'header' | 'cookie';
export type ParameterStyle =
  | 'simple'
  | 'label'
  | 'matrix'
  | 'form'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'deepObject'
  /** OpenAPI 3.2: `name=value` pairs joined by `; `, without percent-encoding. */
  | 'cookie'
  /** OpenAPI 2.0 `collectionFormat: tsv`. */
  | 'tabDelimited';

/** A parameter whose `style` and `explode` have the defaults of the dialect filled in. */
export interface Parameter {
  readonly name: string;
  readonly in: ParameterLocation;
  readonly required: boolean;
  readonly description?: string;
  readonly deprecated: boolean;
  readonly schema: Schema;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  readonly allowEmptyValue: boolean;
  /** Set if the value is sent as a document of this media type (`content` instead of `schema`). */
  readonly mediaType?: string;
  /** The encodings of that document, by member name; set only for `in: querystring`. */
  readonly encoding?: ReadonlyMap<string, Encoding>;
  readonly examples: readonly Example[];
  readonly extensions: Extensions;
  readonly source: SourceLocation;
}

export interface RequestBody {
  readonly required: boolean;
  readonly description?: string;
  /** By media type, in the order of the document. */
  readonly content: readonly MediaType[];
  readonly extensions: Extensions;
  readonly source: SourceLocation;
}

export interface MediaType {
  /** As written, such as `application/json; charset=utf-8`. */
  readonly mediaType: string;
  /** Absent: any bytes. */
  readonly schema?: Schema;
  /** The items of a body that is a sequence, such as a stream of events or JSON Lines. */
  readonly sequence?: ItemSequence;
  /** For forms and multipart: how members are encoded, by name. */
  readonly encoding: ReadonlyMap<string, Encoding>;
  /** For multipart without names (OpenAPI 3.2): how the first parts are encoded, by position. */
  readonly prefixEncoding?: readonly Encoding[];
  /** For multipart without names (OpenAPI 3.2): how each further part is encoded. */
  readonly itemEncoding?: Encoding;
  readonly examples: readonly Example[];
  readonly extensions: Extensions;
  readonly source: SourceLocation;
}

/** How a sequential media type separates its items. */
export type SequenceFraming = 'event-stream' | 'json-lines' | 'json-seq' | 'multipart';

/**
 * The items of a sequential media type (OpenAPI 3.2, "Sequential Media Types"; `itemSchema` is read in every 3.x
 * document, because FastAPI writes it into 3.1).
 */
export interface ItemSequence {
  readonly framing: SequenceFraming;
  /**
   * The value that {@link schema} describes. `event`: a server-sent event as an object with `data`, `event`, `id` and `retry`.
   * `data`: the JSON in the `data` of each event. `item`: the item itself.
   */
  readonly unit: 'event' | 'data' | 'item';
  readonly schema: Schema;
}

export interface Encoding {
  readonly contentType?: string;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  readonly headers: readonly Header[];
  /** For a part that is itself a form or multipart (OpenAPI 3.2). */
  readonly nested?: Pick<MediaType, 'encoding' | 'prefixEncoding' | 'itemEncoding'>;
}

/** An example from the document. */
export interface Example {
  /** Its key, or `default` if it has no name in the document. */
  readonly name: string;
  readonly summary?: string;
  readonly description?: string;
  /** `value`, `dataValue`, or what the `serializedValue` of JSON or a text says. Otherwise absent. */
  readonly value?: unknown;
  /** The value as it is sent (OpenAPI 3.2). */
  readonly serializedValue?: string;
  readonly externalValue?: string;
  readonly extensions: Extensions;
  readonly source: SourceLocation;
}

export interface ApiResponse {
  /** `200`, `4XX` or `default`. */
  readonly status: string;
  readonly summary?: string;
  readonly description: string;
  readonly headers: readonly Header[];
  readonly content: readonly MediaType[];
  readonly links: readonly Link[];
  readonly extensions: Extensions;
  readonly source: SourceLocation;
}

export interface Header {
  readonly name: string;
  readonly required: boolean;
  readonly description?: string;
  readonly deprecated: boolean;
  readonly schema: Schema;
  readonly explode: boolean;
  readonly mediaType?: string;
  readonly examples: readonly Example[];
  readonly extensions: Extensions;
  readonly source: SourceLocation;
}

/** An operation that can be called next, with values from this call. */
export interface Link {
  readonly name: string;
  /** The {@link Operation.id} that the link leads to (`operationRef` is resolved to one). */
  readonly operationId: string;
  /** By parameter name (`path.id` if qualified): constants or runtime expressions. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly requestBody?: unknown;
  readonly description?: string;
  readonly source: SourceLocation;
}

export interface Callback {
  readonly name: string;
  /** Runtime expression of the URL, such as `{$request.body#/callbackUrl}`. */
  readonly expression: string;
  readonly operations: readonly Operation[];
}

export type SecurityScheme = SecuritySchemeBase &
  (
    | { readonly type: 'apiKey'; readonly in: 'query' | 'header' | 'cookie'; readonly name: string }
    | { readonly type: 'http'; readonly scheme: string; readonly bearerFormat?: string }
    | { readonly type: 'oauth2'; readonly flows: Readonly<Record<string, OAuthFlow>>; readonly metadataUrl?: string }
    | { readonly type: 'openIdConnect'; readonly openIdConnectUrl: string }
    | { readonly type: 'mutualTLS' }
  );

interface SecuritySchemeBase {
  /** The name as the document spells it. */
  readonly id: string;
  readonly description?: string;
  readonly deprecated: boolean;
  readonly extensions: Extensions;
  readonly source: SourceLocation;
}

export interface OAuthFlow {
  readonly authorizationUrl?: string;
  readonly tokenUrl?: string;
  /** For the `deviceAuthorization` flow (OpenAPI 3.2). */
  readonly deviceAuthorizationUrl?: string;
  readonly refreshUrl?: string;
  /** Descriptions by scope. */
  readonly scopes: Readonly<Record<string, string>>;
}

/** Schemes that are required together: scopes by name of the scheme. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

export interface Server {
  /** As written, with `{variables}`. */
  readonly url: string;
  readonly name?: string;
  readonly description?: string;
  readonly variables: Readonly<
    Record<string, { readonly default: string; readonly enum?: readonly string[]; readonly description?: string }>
  >;
}

export interface Tag {
  readonly name: string;
  readonly summary?: string;
  /** The name of the parent tag (OpenAPI 3.2). */
  readonly parent?: string;
  /** The purpose of the tag, such as `nav`, `badge` or `audience` (OpenAPI 3.2). */
  readonly kind?: string;
  readonly description?: string;
}
