import type { Diagnostic, SourceLocation } from './diagnostics/diagnostic.js';
import type { Schema } from './schema-types.js';

/** The document families that specmill reads. */
export type Dialect = 'openapi-2.0' | 'openapi-3.0' | 'openapi-3.1' | 'json-schema';

/**
 * One API, read from a document and normalised once. Nothing after `model/` looks at a raw document.
 *
 * Every schema inside is JSON Schema 2020-12, whatever the dialect of the document was, and refers to
 * named schemas as `{ $ref: '#/$defs/<name>' }`, where `<name>` is a key of {@link Api.schemas}.
 */
export interface Api {
  readonly dialect: Dialect;
  readonly title: string;
  readonly version: string;
  readonly description?: string;
  /** Named schemas by safe unique PascalCase name, in the order of the document. */
  readonly schemas: ReadonlyMap<string, NamedSchema>;
  /** The name of the root schema, for bare JSON Schema input only. */
  readonly rootSchema?: string;
  readonly operations: readonly Operation[];
  /** Requests that the API sends to its user: `path` is the webhook's name. */
  readonly webhooks: readonly Operation[];
  readonly securitySchemes: ReadonlyMap<string, SecurityScheme>;
  readonly servers: readonly Server[];
  readonly tags: readonly Tag[];
  /** The document's own `x-` members. */
  readonly extensions: Extensions;
  /** The files that were read, the entry first: their content decides whether output is out of date. */
  readonly files: readonly SourceFile[];
  /** What is wrong with the document. Those of severity `error` mean that parts of it could not be used. */
  readonly diagnostics: readonly Diagnostic[];
}

/** `x-` members as they stand in the document. */
export type Extensions = Readonly<Record<`x-${string}`, unknown>>;

/** A file that a document was read from. */
export interface SourceFile {
  /** Absolute path or URL. */
  readonly path: string;
  readonly text: string;
  /** Hash of the bytes of the file. */
  readonly hash: string;
}

/** A schema with a name of its own: a component, a definition, or an inline schema that is referred to. */
export interface NamedSchema {
  /** Safe unique PascalCase TypeScript name. */
  readonly name: string;
  /** The name as the document spells it. */
  readonly originalName: string;
  readonly schema: Schema;
  /**
   * The name of the request variant, set only where `readOnly` or `writeOnly` members (its own or those of a
   * schema it reaches) make what is sent differ from what is received.
   */
  readonly inputName?: string;
  readonly source: SourceLocation;
}

export type HttpMethod = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch' | 'trace';

/** One method on one path (or, for a webhook or callback, on one name or expression). */
export interface Operation {
  /** `operationId` as written, or `<method> <path>` where there is none. Unique. */
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
  /** Those of the path and of the operation, merged. */
  readonly parameters: readonly Parameter[];
  readonly body?: RequestBody;
  readonly responses: readonly ApiResponse[];
  /** Alternatives, each a set of schemes that are demanded together. Empty: no security. An empty alternative: optional. */
  readonly security: readonly SecurityRequirement[];
  readonly servers: readonly Server[];
  readonly callbacks: readonly Callback[];
  readonly extensions: Extensions;
  readonly source: SourceLocation;
}

export type ParameterLocation = 'path' | 'query' | 'header' | 'cookie';
export type ParameterStyle =
  | 'simple'
  | 'label'
  | 'matrix'
  | 'form'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'deepObject'
  /** OpenAPI 2.0 `collectionFormat: tsv`. */
  | 'tabDelimited';

/** A parameter with its style and explode resolved to the defaults of the dialect. */
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
  /** Set where the value travels as a document of this media type (`content` instead of `schema`). */
  readonly mediaType?: string;
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
  /** Absent: anything (bytes). */
  readonly schema?: Schema;
  /** For forms and multipart: how a member travels, by member name. */
  readonly encoding: ReadonlyMap<string, Encoding>;
  readonly examples: readonly Example[];
  readonly extensions: Extensions;
  readonly source: SourceLocation;
}

export interface Encoding {
  readonly contentType?: string;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  readonly headers: readonly Header[];
}

/** An example from the document. */
export interface Example {
  /** Its key, or `default` where the document gave one without a name. */
  readonly name: string;
  readonly summary?: string;
  readonly description?: string;
  /** Absent only where `externalValue` is given. */
  readonly value?: unknown;
  readonly externalValue?: string;
  readonly extensions: Extensions;
  readonly source: SourceLocation;
}

export interface ApiResponse {
  /** `200`, `4XX` or `default`. */
  readonly status: string;
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

/** What can be called next, with values taken from this call. */
export interface Link {
  readonly name: string;
  /** The {@link Operation.id} that the link leads to (`operationRef` is resolved to one). */
  readonly operationId: string;
  /** By parameter name (`path.id` where qualified): constants or runtime expressions. */
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
    | { readonly type: 'oauth2'; readonly flows: Readonly<Record<string, OAuthFlow>> }
    | { readonly type: 'openIdConnect'; readonly openIdConnectUrl: string }
    | { readonly type: 'mutualTLS' }
  );

interface SecuritySchemeBase {
  /** The name as the document spells it. */
  readonly id: string;
  readonly description?: string;
  readonly extensions: Extensions;
  readonly source: SourceLocation;
}

export interface OAuthFlow {
  readonly authorizationUrl?: string;
  readonly tokenUrl?: string;
  readonly refreshUrl?: string;
  /** Scope -> description. */
  readonly scopes: Readonly<Record<string, string>>;
}

/** Schemes that are demanded together: name of the scheme -> scopes. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

export interface Server {
  /** As written, with `{variables}`. */
  readonly url: string;
  readonly description?: string;
  readonly variables: Readonly<
    Record<string, { readonly default: string; readonly enum?: readonly string[]; readonly description?: string }>
  >;
}

export interface Tag {
  readonly name: string;
  readonly description?: string;
}
