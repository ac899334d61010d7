import type { Api, ApiResponse, MediaType, Operation } from '../../model/api.js';
import { type Schema, type SchemaObject, refName } from '../../model/schema-types.js';
import type { XmlPlan } from '../../runtime/xml.js';
import { xmlPlanOf } from '../../schema/xml-plan.js';

/** The documented error for a status. */
export interface DeclaredError {
  readonly mediaType: string;
  /** How to write the error if it is XML. */
  readonly xml?: XmlPlan;
  /** The whole schema, for the validator. */
  readonly whole: Schema;
  /** The part of the schema with the members. */
  readonly schema: SchemaObject;
  /** Example bodies of exactly this status and operation. */
  readonly examples: readonly unknown[];
  /** Whether the spec does not document the status, so that the shape is that of another failure. */
  readonly isBorrowed: boolean;
}

/** Finds the documented error of a status, else that of another failure of the operation, else the API's usual one. */
export type FindErrorSchema = (operation: Operation | undefined, status: number) => DeclaredError | undefined;

export function createFindErrorSchema(api: Api): FindErrorSchema {
  let usual: DeclaredError | undefined;
  let isSought = false;
  return (operation, status) => {
    if (operation !== undefined) {
      const own = findOwn(operation, status, api);
      if (own !== undefined) return own;
    }
    if (!isSought) usual = findUsual(api);
    isSought = true;
    return usual;
  };
}

function findOwn({ responses }: Operation, status: number, api: Api): DeclaredError | undefined {
  const range = `${Math.floor(status / 100)}XX`;
  const exact = responses.find((response) => response.status === String(status));
  const general = [range, 'default'].map((key) =>
    responses.find((response) => response.status.toUpperCase() === key.toUpperCase()),
  );
  for (const response of [exact, ...general]) {
    const declared = response === undefined ? undefined : readError(response, api);
    if (declared !== undefined) return declared;
  }
  // Another status has the same shape, but its examples describe other errors.
  const other = responses
    .filter(isFailure)
    .map((response) => readError(response, api))
    .find((one) => one !== undefined);
  return other === undefined ? undefined : { ...other, examples: [], isBorrowed: true };
}

/** Finds the schema that most failures of the API have. */
function findUsual(api: Api): DeclaredError | undefined {
  const counts = new Map<SchemaObject, { readonly declared: DeclaredError; count: number }>();
  for (const response of api.operations.flatMap(({ responses }) => responses.filter(isFailure))) {
    const declared = readError(response, api);
    if (declared === undefined) continue;
    const known = counts.get(declared.schema) ?? {
      declared: { ...declared, examples: [], isBorrowed: true },
      count: 0,
    };
    known.count += 1;
    counts.set(declared.schema, known);
  }
  const [most] = [...counts.values()].sort((one, other) => other.count - one.count);
  return most?.declared;
}

/** Finds the content of an error that is not a described object: a text, or an example without a schema. */
export function findOtherContent(operation: Operation, status: number, api: Api): MediaType | undefined {
  const keys = [String(status), `${Math.floor(status / 100)}XX`, 'default'];
  const documented = keys.flatMap((key) => operation.responses.find((one) => one.status === key) ?? []);
  const response = documented.find(({ content }) => content.length > 0);
  if (response === undefined || readError(response, api) !== undefined) return undefined;
  return response.content.find((media) => isJson(media) || /^text\/|[/+]xml\b/i.test(media.mediaType));
}

function isFailure({ status }: ApiResponse): boolean {
  return /^([45]|default$)/i.test(status);
}

/** Reads the error of a response; XML only if there is no JSON. */
function readError({ content }: ApiResponse, api: Api): DeclaredError | undefined {
  const found = content.flatMap((media) => readMedia(media, api) ?? []);
  return found.find(({ xml }) => xml === undefined) ?? found[0];
}

function readMedia(media: MediaType, api: Api): DeclaredError | undefined {
  const xml = isJson(media) ? undefined : xmlPlanOf(api, media);
  const schema = isJson(media) || xml !== undefined ? mergeErrorSchema(media.schema, api) : undefined;
  if (schema === undefined || !isObject(schema)) return undefined;
  // Without described members, the usual elements are more informative.
  if (xml !== undefined && schema.properties === undefined) return undefined;
  const examples = media.examples.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const { mediaType, schema: whole = true } = media;
  return { mediaType, whole, schema, examples, isBorrowed: false, ...(xml === undefined ? {} : { xml }) };
}

/** Whether errors of a media type are JSON; a range includes JSON. */
export function isJson({ mediaType }: MediaType): boolean {
  return /^application\/([\w.+-]+\+)?json\b/i.test(mediaType) || /^(?:\*|application)\/\*/.test(mediaType);
}

/** The media type of an error: a range is written as JSON. */
export function errorType({ mediaType }: Pick<MediaType, 'mediaType'>): string {
  return mediaType.includes('*') ? 'application/json' : mediaType;
}

function isObject({ type, properties }: SchemaObject): boolean {
  return properties !== undefined || [type].flat().includes('object');
}

/** Follows references, takes the first alternative, and merges the members of `allOf`. */
export function mergeErrorSchema(schema: Schema | undefined, api: Api, depth = 0): SchemaObject | undefined {
  if (schema === undefined || typeof schema === 'boolean' || depth > 20) return undefined;
  if (schema.$ref !== undefined) return mergeErrorSchema(api.schemas.get(refName(schema.$ref))?.schema, api, depth + 1);
  const alternative = schema.properties === undefined ? (schema.oneOf ?? schema.anyOf)?.[0] : undefined;
  if (alternative !== undefined) return mergeErrorSchema(alternative, api, depth + 1);
  if (schema.allOf === undefined) return schema;
  const parts = [schema, ...schema.allOf.map((part) => mergeErrorSchema(part, api, depth + 1))];
  const properties = Object.fromEntries(parts.flatMap((part) => Object.entries(part?.properties ?? {})));
  const { allOf: _, ...rest } = schema;
  return {
    ...rest,
    type: schema.type ?? 'object',
    properties,
    required: parts.flatMap((part) => part?.required ?? []),
  };
}
