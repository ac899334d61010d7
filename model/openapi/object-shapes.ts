import { STANDARD_METHODS } from '../http-method.js';

/** The versions whose documents are checked against these tables. */
export type CheckedVersion = '3.0' | '3.1' | '3.2';

/**
 * The type of a member: `text`, `flag`, `any`, an object of {@link OBJECT_SHAPES} (which may be a reference where the
 * standard allows one), a list `X[]`, or a map `{X}`.
 */
export type MemberKind = string;

/** The fixed fields of one object of the standard. */
export interface ObjectShape {
  readonly members: Readonly<Record<string, FixedField>>;
  readonly required?: readonly string[];
  /** Required only in OpenAPI 3.0. */
  readonly requiredBefore31?: readonly string[];
  /** Pairs of members of which only one may be present. */
  readonly exclusive?: readonly (readonly [string, string])[];
  /** The kind of every other key. Default: only extensions are allowed. */
  readonly others?: MemberKind;
}

/** The kind of a member, and the version since which it exists, if it is newer than 3.0. */
export type FixedField = MemberKind | readonly [kind: MemberKind, since: '3.1' | '3.2'];

const EXAMPLES: ObjectShape['exclusive'] = [['example', 'examples']];

/** Members of one kind. */
function fields(kind: FixedField, ...names: readonly string[]): Record<string, FixedField> {
  return Object.fromEntries(names.map((name) => [name, kind]));
}

/** Members that a Parameter and a Header Object share. */
const VALUE_MEMBERS: ObjectShape['members'] = {
  ...fields('text', 'description', 'style'),
  ...fields('flag', 'required', 'deprecated', 'explode'),
  ...fields('any', 'schema', 'example'),
  examples: '{Example}',
  content: '{MediaType}',
};
const ENCODINGS = {
  encoding: '{Encoding}',
  prefixEncoding: ['Encoding[]', '3.2'],
  itemEncoding: ['Encoding', '3.2'],
} as const;
const ENCODING_EXCLUSIONS = [
  ['encoding', 'prefixEncoding'],
  ['encoding', 'itemEncoding'],
] as const;

/** The objects of OpenAPI 3.0 to 3.2, by their names in the standard without spaces. */
export const OBJECT_SHAPES: Readonly<Record<string, ObjectShape>> = {
  OpenAPI: {
    members: {
      openapi: 'text',
      $self: ['text', '3.2'],
      info: 'Info',
      jsonSchemaDialect: ['text', '3.1'],
      servers: 'Server[]',
      paths: 'Paths',
      webhooks: ['{PathItem}', '3.1'],
      components: 'Components',
      security: 'any[]',
      tags: 'Tag[]',
      externalDocs: 'ExternalDocumentation',
    },
    required: ['openapi', 'info'],
    requiredBefore31: ['paths'],
  },
  Info: {
    members: {
      ...fields('text', 'title', 'description', 'termsOfService', 'version'),
      summary: ['text', '3.1'],
      ...fields('any', 'contact', 'license'),
    },
    required: ['title', 'version'],
  },
  Server: {
    members: { url: 'text', name: ['text', '3.2'], description: 'text', variables: '{ServerVariable}' },
    required: ['url'],
  },
  ServerVariable: { members: { enum: 'text[]', default: 'text', description: 'text' }, required: ['default'] },
  Components: {
    members: {
      schemas: '{any}',
      responses: '{Response}',
      parameters: '{Parameter}',
      examples: '{Example}',
      requestBodies: '{RequestBody}',
      headers: '{Header}',
      securitySchemes: '{SecurityScheme}',
      links: '{Link}',
      callbacks: '{Callback}',
      pathItems: ['{PathItem}', '3.1'],
      mediaTypes: ['{MediaType}', '3.2'],
    },
  },
  Paths: { members: {}, others: 'PathItem' },
  PathItem: {
    members: {
      ...fields('text', '$ref', 'summary', 'description'),
      ...fields('Operation', ...STANDARD_METHODS),
      query: ['Operation', '3.2'],
      additionalOperations: ['{Operation}', '3.2'],
      servers: 'Server[]',
      parameters: 'Parameter[]',
    },
  },
  Operation: {
    members: {
      tags: 'text[]',
      ...fields('text', 'summary', 'description', 'operationId'),
      externalDocs: 'ExternalDocumentation',
      parameters: 'Parameter[]',
      requestBody: 'RequestBody',
      responses: 'Responses',
      callbacks: '{Callback}',
      deprecated: 'flag',
      security: 'any[]',
      servers: 'Server[]',
    },
    requiredBefore31: ['responses'],
  },
  ExternalDocumentation: { members: { description: 'text', url: 'text' }, required: ['url'] },
  Parameter: {
    members: { name: 'text', in: 'text', ...VALUE_MEMBERS, allowEmptyValue: 'flag', allowReserved: 'flag' },
    required: ['name', 'in'],
    exclusive: EXAMPLES,
  },
  Header: { members: VALUE_MEMBERS, exclusive: EXAMPLES },
  RequestBody: {
    members: { description: 'text', content: '{MediaType}', required: 'flag' },
    required: ['content'],
  },
  MediaType: {
    // `itemSchema` belongs to 3.2; servers already write it into 3.1 documents, where it is read as well.
    members: {
      description: ['text', '3.2'],
      ...fields('any', 'schema', 'itemSchema', 'example'),
      examples: '{Example}',
      ...ENCODINGS,
    },
    exclusive: [...(EXAMPLES ?? []), ...ENCODING_EXCLUSIONS],
  },
  Encoding: {
    members: {
      ...fields('text', 'contentType', 'style'),
      headers: '{Header}',
      ...fields('flag', 'explode', 'allowReserved'),
      ...ENCODINGS,
      encoding: ['{Encoding}', '3.2'],
    },
    exclusive: ENCODING_EXCLUSIONS,
  },
  Responses: { members: {}, others: 'Response' },
  Response: {
    members: {
      summary: ['text', '3.2'],
      description: 'text',
      headers: '{Header}',
      content: '{MediaType}',
      links: '{Link}',
    },
  },
  Callback: { members: {}, others: 'PathItem' },
  Example: {
    members: {
      ...fields('text', 'summary', 'description', 'externalValue'),
      value: 'any',
      dataValue: ['any', '3.2'],
      serializedValue: ['text', '3.2'],
    },
    exclusive: [
      ['value', 'externalValue'],
      ['value', 'dataValue'],
      ['value', 'serializedValue'],
      ['serializedValue', 'externalValue'],
    ],
  },
  Link: {
    members: {
      ...fields('text', 'operationRef', 'operationId', 'description'),
      parameters: '{any}',
      requestBody: 'any',
      server: 'Server',
    },
    exclusive: [['operationRef', 'operationId']],
  },
  Tag: {
    members: {
      ...fields('text', 'name', 'description'),
      ...fields(['text', '3.2'], 'summary', 'parent', 'kind'),
      externalDocs: 'ExternalDocumentation',
    },
    required: ['name'],
  },
  SecurityScheme: {
    members: {
      ...fields('text', 'type', 'description', 'name', 'in', 'scheme', 'bearerFormat', 'openIdConnectUrl'),
      flows: '{OAuthFlow}',
      oauth2MetadataUrl: ['text', '3.2'],
      deprecated: ['flag', '3.2'],
    },
    required: ['type'],
  },
  OAuthFlow: {
    members: {
      ...fields('text', 'authorizationUrl', 'tokenUrl', 'refreshUrl'),
      deviceAuthorizationUrl: ['text', '3.2'],
      scopes: '{text}',
    },
    required: ['scopes'],
  },
};
