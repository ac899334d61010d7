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
  readonly members: Readonly<Record<string, Member>>;
  readonly required?: readonly string[];
  /** Required in OpenAPI 3.0 alone. */
  readonly requiredBefore31?: readonly string[];
  /** Pairs of members of which only one may be present. */
  readonly exclusive?: readonly (readonly [string, string])[];
  /** The kind of every other key; absent: only extensions are allowed. */
  readonly others?: MemberKind;
}

/** The kind of a member; with a version: since when it exists. */
export type Member = MemberKind | readonly [kind: MemberKind, since: '3.1' | '3.2'];

const EXAMPLES: ObjectShape['exclusive'] = [['example', 'examples']];
const OPERATIONS = Object.fromEntries(STANDARD_METHODS.map((method) => [method, 'Operation']));
/** Members that a Parameter and a Header Object share. */
const VALUE_MEMBERS = {
  description: 'text',
  required: 'flag',
  deprecated: 'flag',
  style: 'text',
  explode: 'flag',
  schema: 'any',
  example: 'any',
  examples: '{Example}',
  content: '{MediaType}',
} as const;
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
      title: 'text',
      summary: ['text', '3.1'],
      description: 'text',
      termsOfService: 'text',
      contact: 'any',
      license: 'any',
      version: 'text',
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
      $ref: 'text',
      summary: 'text',
      description: 'text',
      ...OPERATIONS,
      query: ['Operation', '3.2'],
      additionalOperations: ['{Operation}', '3.2'],
      servers: 'Server[]',
      parameters: 'Parameter[]',
    },
  },
  Operation: {
    members: {
      tags: 'text[]',
      summary: 'text',
      description: 'text',
      externalDocs: 'ExternalDocumentation',
      operationId: 'text',
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
    // `itemSchema` belongs to 3.2; servers write it into documents of 3.1 already, where it is read as well.
    members: {
      description: ['text', '3.2'],
      schema: 'any',
      itemSchema: 'any',
      example: 'any',
      examples: '{Example}',
      ...ENCODINGS,
    },
    exclusive: [...(EXAMPLES ?? []), ...ENCODING_EXCLUSIONS],
  },
  Encoding: {
    members: {
      contentType: 'text',
      headers: '{Header}',
      style: 'text',
      explode: 'flag',
      allowReserved: 'flag',
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
      summary: 'text',
      description: 'text',
      value: 'any',
      externalValue: 'text',
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
      operationRef: 'text',
      operationId: 'text',
      parameters: '{any}',
      requestBody: 'any',
      description: 'text',
      server: 'Server',
    },
    exclusive: [['operationRef', 'operationId']],
  },
  Tag: {
    members: {
      name: 'text',
      summary: ['text', '3.2'],
      description: 'text',
      externalDocs: 'ExternalDocumentation',
      parent: ['text', '3.2'],
      kind: ['text', '3.2'],
    },
    required: ['name'],
  },
  SecurityScheme: {
    members: {
      type: 'text',
      description: 'text',
      name: 'text',
      in: 'text',
      scheme: 'text',
      bearerFormat: 'text',
      flows: '{OAuthFlow}',
      openIdConnectUrl: 'text',
      oauth2MetadataUrl: ['text', '3.2'],
      deprecated: ['flag', '3.2'],
    },
    required: ['type'],
  },
  OAuthFlow: {
    members: {
      authorizationUrl: 'text',
      deviceAuthorizationUrl: ['text', '3.2'],
      tokenUrl: 'text',
      refreshUrl: 'text',
      scopes: '{text}',
    },
    required: ['scopes'],
  },
};
