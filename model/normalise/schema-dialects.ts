import { type RawRecord, isRecord } from '../document/records.js';

/** The schema dialects: those of OpenAPI, and the drafts of JSON Schema. */
export type SchemaDialectName =
  | 'openapi-2.0'
  | 'openapi-3.0'
  | 'openapi-3.1'
  | 'openapi-3.2'
  | 'draft-04'
  | 'draft-06'
  | 'draft-07'
  | '2019-09'
  | '2020-12';

/** The kind of value that a keyword takes. `special` ones have their own readers. */
export type KeywordKind =
  | 'schema'
  | 'schemas'
  | 'schema-map'
  | 'positive'
  | 'count'
  | 'string'
  | 'boolean'
  | 'strings'
  | 'strings-map'
  | 'any'
  | 'array'
  | 'special'
  /** Known, but without effect on validation: `$comment`, `xml`, `$defs`, … */
  | 'none';

export interface SchemaDialect {
  readonly name: SchemaDialectName;
  readonly keywords: ReadonlyMap<string, KeywordKind>;
  /** Whether keywords beside `$ref` apply. */
  readonly refSiblings: boolean;
  /** Whether `exclusiveMinimum` and `exclusiveMaximum` are booleans. */
  readonly booleanBounds: boolean;
  /** Whether a schema may have no other keywords but extensions. */
  readonly isClosed: boolean;
  /** Whether `items` may be a list, with `additionalItems` for the rest. */
  readonly tupleItems: boolean;
}

type Keywords = Readonly<Record<string, KeywordKind>>;

const BASE: Keywords = {
  $ref: 'special',
  type: 'special',
  enum: 'array',
  format: 'string',
  title: 'string',
  description: 'string',
  default: 'any',
  multipleOf: 'positive',
  minimum: 'special',
  maximum: 'special',
  exclusiveMinimum: 'special',
  exclusiveMaximum: 'special',
  minLength: 'count',
  maxLength: 'count',
  pattern: 'string',
  minItems: 'count',
  maxItems: 'count',
  uniqueItems: 'boolean',
  minProperties: 'count',
  maxProperties: 'count',
  required: 'strings',
  items: 'special',
  properties: 'schema-map',
  additionalProperties: 'schema',
  allOf: 'schemas',
};
const OPENAPI_2: Keywords = {
  ...BASE,
  discriminator: 'special',
  readOnly: 'boolean',
  example: 'special',
  'x-nullable': 'special',
  xml: 'special',
  externalDocs: 'none',
};
const OPENAPI_3_0: Keywords = {
  ...OPENAPI_2,
  anyOf: 'schemas',
  oneOf: 'schemas',
  not: 'schema',
  nullable: 'special',
  writeOnly: 'boolean',
  deprecated: 'boolean',
};
const DRAFT_04: Keywords = {
  ...BASE,
  anyOf: 'schemas',
  oneOf: 'schemas',
  not: 'schema',
  patternProperties: 'schema-map',
  additionalItems: 'special',
  dependencies: 'special',
  definitions: 'none',
  id: 'none',
  $schema: 'none',
};
const { id: _id, ...DRAFT_04_WITHOUT_ID } = DRAFT_04;
const DRAFT_06: Keywords = {
  ...DRAFT_04_WITHOUT_ID,
  $id: 'none',
  const: 'any',
  contains: 'schema',
  propertyNames: 'schema',
  examples: 'special',
};
const DRAFT_07: Keywords = {
  ...DRAFT_06,
  $comment: 'none',
  if: 'schema',
  then: 'schema',
  else: 'schema',
  readOnly: 'boolean',
  writeOnly: 'boolean',
  contentEncoding: 'string',
  contentMediaType: 'string',
};
const DRAFT_2019: Keywords = {
  ...DRAFT_07,
  $defs: 'none',
  $anchor: 'none',
  $vocabulary: 'none',
  $recursiveRef: 'special',
  $recursiveAnchor: 'none',
  minContains: 'count',
  maxContains: 'count',
  dependentRequired: 'strings-map',
  dependentSchemas: 'schema-map',
  unevaluatedItems: 'schema',
  unevaluatedProperties: 'schema',
  contentSchema: 'schema',
  deprecated: 'boolean',
};
const { $recursiveRef: _ref, $recursiveAnchor: _anchor, additionalItems: _rest, ...DRAFT_2019_KEPT } = DRAFT_2019;
const DRAFT_2020: Keywords = {
  ...DRAFT_2019_KEPT,
  prefixItems: 'schemas',
  $dynamicRef: 'special',
  $dynamicAnchor: 'none',
};
const OPENAPI_3_1: Keywords = {
  ...DRAFT_2020,
  discriminator: 'special',
  example: 'special',
  xml: 'special',
  externalDocs: 'none',
};

function dialect(
  name: SchemaDialectName,
  keywords: Keywords,
  old: { refSiblings: boolean; booleanBounds: boolean; tupleItems: boolean; isClosed?: boolean },
): SchemaDialect {
  return { name, keywords: new Map(Object.entries(keywords)), isClosed: false, ...old };
}

const OPENAPI_OLD = { refSiblings: false, booleanBounds: true, tupleItems: false, isClosed: true };
const NEW = { refSiblings: true, booleanBounds: false, tupleItems: false };

export const SCHEMA_DIALECTS: Readonly<Record<SchemaDialectName, SchemaDialect>> = {
  // Schemas of parameters, whose Items Objects have `collectionFormat`, are read in this dialect too.
  'openapi-2.0': dialect('openapi-2.0', { ...OPENAPI_2, collectionFormat: 'none' }, OPENAPI_OLD),
  'openapi-3.0': dialect('openapi-3.0', OPENAPI_3_0, OPENAPI_OLD),
  'openapi-3.1': dialect('openapi-3.1', OPENAPI_3_1, NEW),
  'openapi-3.2': dialect('openapi-3.2', OPENAPI_3_1, NEW),
  'draft-04': dialect('draft-04', DRAFT_04, { refSiblings: false, booleanBounds: true, tupleItems: true }),
  'draft-06': dialect('draft-06', DRAFT_06, { refSiblings: false, booleanBounds: false, tupleItems: true }),
  'draft-07': dialect('draft-07', DRAFT_07, { refSiblings: false, booleanBounds: false, tupleItems: true }),
  '2019-09': dialect('2019-09', DRAFT_2019, { ...NEW, tupleItems: true }),
  '2020-12': dialect('2020-12', DRAFT_2020, NEW),
};

/** Every keyword of any dialect; one that the current dialect does not know is reported. */
export const ALL_KEYWORDS: ReadonlySet<string> = new Set(
  Object.values(SCHEMA_DIALECTS).flatMap(({ keywords }) => [...keywords.keys()]),
);

const BY_URI: readonly (readonly [RegExp, SchemaDialectName])[] = [
  [/^https?:\/\/json-schema\.org\/draft-04\/(hyper-)?schema$/, 'draft-04'],
  [/^https?:\/\/json-schema\.org\/draft-06\/(hyper-)?schema$/, 'draft-06'],
  [/^https?:\/\/json-schema\.org\/draft-07\/(hyper-)?schema$/, 'draft-07'],
  [/^https?:\/\/json-schema\.org\/draft\/2019-09\/schema$/, '2019-09'],
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema$/, '2020-12'],
  [/^https?:\/\/spec\.openapis\.org\/oas\/3\.1\/(dialect|schema-base)\/.+$/, 'openapi-3.1'],
  [/^https?:\/\/spec\.openapis\.org\/oas\/3\.2\/(dialect|schema-base)\/.+$/, 'openapi-3.2'],
];

/** The dialect that a `$schema` or `jsonSchemaDialect` URI names, or `undefined` if it is unknown. */
export function dialectByUri(uri: string): SchemaDialect | undefined {
  const plain = uri.replace(/#$/, '');
  const found = BY_URI.find(([pattern]) => pattern.test(plain));
  return found === undefined ? undefined : SCHEMA_DIALECTS[found[1]];
}

export function declaredDialect(schema: RawRecord): SchemaDialect | undefined {
  const uri = schema['$schema'];
  return typeof uri === 'string' ? dialectByUri(uri) : undefined;
}

/** The OpenAPI version that a document declares, or `undefined` if it is not a supported OpenAPI document. */
export function openApiVersion(root: unknown): '2.0' | '3.0' | '3.1' | '3.2' | undefined {
  if (!isRecord(root)) return undefined;
  // YAML reads an unquoted version such as 2.0 or 3.1 as a number.
  if (root['swagger'] !== undefined) return /^2(\.0)?$/.test(plainText(root['swagger'])) ? '2.0' : undefined;
  const version = /^3\.[012](?=\.|$)/.exec(plainText(root['openapi']))?.[0];
  return version === '3.0' || version === '3.1' || version === '3.2' ? version : undefined;
}

function plainText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The dialect of all schemas of a document, if the document declares it. */
export function documentDialect(root: unknown): SchemaDialect | undefined {
  const version = openApiVersion(root);
  if (version !== undefined) return SCHEMA_DIALECTS[`openapi-${version}`];
  return isRecord(root) ? declaredDialect(root) : undefined;
}

/** The keywords of the validation vocabulary, which a meta-schema can omit. */
const VALIDATION: ReadonlySet<string> = new Set([
  ...['type', 'enum', 'const', 'multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['minLength', 'maxLength', 'pattern', 'minItems', 'maxItems', 'uniqueItems', 'minContains', 'maxContains'],
  ...['minProperties', 'maxProperties', 'required', 'dependentRequired'],
]);

/** The dialect of a custom meta-schema: 2019-09 or 2020-12, without validation if its `$vocabulary` omits that. */
export function dialectByVocabulary(root: unknown): SchemaDialect | undefined {
  const vocabulary = isRecord(root) ? root['$vocabulary'] : undefined;
  if (!isRecord(vocabulary)) return undefined;
  const draft = (['2020-12', '2019-09'] as const).find(
    (one) => `https://json-schema.org/draft/${one}/vocab/core` in vocabulary,
  );
  if (draft === undefined) return undefined;
  const known = SCHEMA_DIALECTS[draft];
  if (`https://json-schema.org/draft/${draft}/vocab/validation` in vocabulary) return known;
  const kept = [...known.keywords].map(([key, kind]) => [key, VALIDATION.has(key) ? 'none' : kind] as const);
  return { ...known, keywords: new Map(kept) };
}
