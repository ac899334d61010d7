import { getOrInsert } from '../../model/maps.js';
import { wireMethod } from '../../model/http-method.js';
import type { Api, Example, MediaType, Operation, Parameter, SecurityScheme } from '../../model/api.js';
import { KNOWN_EXTENSIONS } from '../../model/known-extensions.js';
import { setMember, withoutUndefined } from '../../model/document/records.js';
import { type Schema, refName } from '../../model/schema-types.js';
import { isForm } from '../../http/request/write-request.js';
import { writeBody } from '../../http/request/write-body.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';
import { mediaKind } from '../../runtime/media-type.js';
import { itemsOf, typesOf } from '../../schema/facts/members.js';
import { generateValue } from '../../schema/generate-value.js';
import type {
  DescribedApi,
  DescribedBody,
  DescribedContent,
  DescribedCredential,
  FieldEncodings,
  DescribedGroup,
  OperationSummary,
  DescribedOperation,
  DescribedParameter,
  DescribedResponse,
} from './views.js';

const UNTAGGED = 'Other';
/** The most schemas that the page gets for one operation. GitHub's largest operation needs about 100. */
const MOST_SCHEMAS = 400;

export function describeApi(name: string, api: Api): DescribedApi {
  const tags = new Map(api.tags.map((tag) => [tag.name, tag.description]));
  const groups = new Map<string, OperationSummary[]>([...tags.keys()].map((tag) => [tag, []]));
  for (const operation of api.operations) {
    const group = getOrInsert(groups, operation.tags[0] ?? UNTAGGED, () => []);
    group.push(summarize(operation));
  }
  const described = [...groups].map(([tag, operations]): DescribedGroup => {
    const description = tags.get(tag);
    return { tag, ...withoutUndefined({ description }), operations };
  });
  return {
    name,
    title: api.title,
    version: api.version,
    ...withoutUndefined({ description: api.description }),
    groups: described.filter(({ operations }) => operations.length > 0),
  };
}

function summarize({ id, method, path, summary = '', deprecated }: Operation): OperationSummary {
  return { id, method: wireMethod(method), path, summary, deprecated };
}

/** Describes an operation. `basePath` is the path under which the mock serves the API. */
export function describeOperation(api: Api, operation: Operation, basePath: string): DescribedOperation {
  const body = operation.body === undefined ? undefined : describeBody(api, operation.body);
  const responses = operation.responses.map((response): DescribedResponse => ({
    status: response.status,
    description: response.description,
    headers: response.headers.map(({ name, description, schema }) => ({
      ...withoutUndefined({ name, description }),
      schema,
    })),
    content: response.content.map((media) => describeContent(api, media, 'response')),
  }));
  const parameters = operation.parameters.map((parameter) => describeParameter(api, parameter));
  return {
    ...summarize(operation),
    name: operation.name,
    ...withoutUndefined({ description: operation.description, body }),
    route: basePath + operation.path,
    helpers: Object.entries(operation.extensions)
      .filter(([name]) => KNOWN_EXTENSIONS.has(name))
      .map(([name, value]) => ({ name, value })),
    parameters,
    responses,
    security: describeSecurity(api, operation),
    isLive: operation.extensions['x-live-session'] !== undefined,
    schemas: reachedSchemas(api, [parameters, body, responses]),
  };
}

function describeParameter(api: Api, parameter: Parameter): DescribedParameter {
  const { name, in: location, required, style, explode, allowReserved, description, mediaType, schema } = parameter;
  const items = itemsOf(schema, api);
  const isJson = mediaType !== undefined && mediaKind(mediaType) === 'json';
  return {
    name,
    in: location,
    required,
    style,
    explode,
    allowReserved,
    ...withoutUndefined({ description, mediaType }),
    ...(parameter.encoding === undefined ? {} : { encoding: describeEncoding(parameter.encoding) }),
    schema,
    types: [...typesOf(schema, api)],
    ...(items === undefined ? {} : { itemTypes: [...typesOf(items, api)] }),
    sample: toText(firstExample(parameter.examples) ?? sampleOf(api, schema, 'request'), { isJson }),
  };
}

function describeEncoding(encoding: MediaType['encoding']): FieldEncodings {
  return [...encoding].map(([name, { contentType, style, explode, allowReserved }]) => {
    const [first = ''] = (contentType ?? '').split(',', 1);
    const own = first === '' || first.includes('*') ? {} : { contentType: first.trim() };
    return [name, { style, explode, allowReserved, ...own }];
  });
}

function describeBody(api: Api, body: NonNullable<Operation['body']>): DescribedBody {
  return {
    required: body.required,
    ...withoutUndefined({ description: body.description }),
    content: body.content.map((media) => describeContent(api, media, 'request')),
  };
}

function describeContent(api: Api, media: MediaType, direction: 'request' | 'response'): DescribedContent {
  const { mediaType, schema, encoding } = media;
  const given = media.examples.filter(({ value, serializedValue }) => (value ?? serializedValue) !== undefined);
  const isSampled = given.length === 0 && schema !== undefined && direction === 'request';
  const shown = isSampled ? [{ name: 'generated', value: sampleOf(api, schema, direction) }] : given;
  const isJson = isForm(mediaType) || ['json', 'any'].includes(mediaKind(mediaType));
  const write = (value: unknown): string =>
    direction === 'response' || isJson || typeof value === 'string'
      ? toText(value, { isJson, indent: 2 })
      : writeBody({ media, value }, api).text;
  const examples = shown.map(({ name, value, serializedValue }: Partial<Example> & { readonly name: string }) => ({
    name,
    text: serializedValue ?? write(value),
  }));
  if (direction === 'response') return { mediaType, ...withoutUndefined({ schema }), examples };
  const isAsNamed = isForm(mediaType) || shown.length === 0;
  const contentType = isAsNamed ? undefined : writeBody({ media, value: shown[0]?.value }, api).contentType;
  return {
    mediaType,
    ...withoutUndefined({ contentType }),
    encoding: describeEncoding(encoding),
    ...withoutUndefined({ schema }),
    examples,
  };
}

function firstExample(examples: Parameter['examples']): unknown {
  return examples.find(({ value }) => value !== undefined)?.value;
}

function sampleOf(api: Api, schema: Schema, direction: 'request' | 'response'): unknown {
  const made = generateValue(api, schema, { direction, seed: 1 });
  return made.ok ? made.value : undefined;
}

/** A text as it is, unless it is part of a JSON document; everything else as JSON. */
function toText(value: unknown, { isJson, indent }: { readonly isJson: boolean; readonly indent?: number }): string {
  if (value === undefined) return '';
  return typeof value === 'string' && !isJson ? value : stringifyExactJson(value, indent);
}

/** Describes the security schemes of an operation. */
function describeSecurity(api: Api, { security }: Operation): DescribedCredential[] {
  const names = new Set(security.flatMap((alternative) => Object.keys(alternative)));
  return [...names].flatMap((name) => {
    const scheme = api.securitySchemes.get(name);
    return scheme === undefined ? [] : [describeScheme(scheme)];
  });
}

function describeScheme(scheme: SecurityScheme): DescribedCredential {
  const { id } = scheme;
  if (scheme.type === 'apiKey') return { id, kind: 'key', in: scheme.in, name: scheme.name };
  if (scheme.type === 'http' && scheme.scheme === 'basic') return { id, kind: 'basic', name: id };
  if (scheme.type === 'http' && scheme.scheme !== 'bearer') return { id, kind: 'other', name: scheme.scheme };
  return scheme.type === 'mutualTLS' ? { id, kind: 'other', name: id } : { id, kind: 'bearer', name: id };
}

function reachedSchemas(api: Api, roots: unknown): Record<string, Schema> {
  const found: Record<string, Schema> = {};
  const queue = [roots];
  let count = 0;
  while (queue.length > 0) {
    const value = queue.pop();
    if (typeof value !== 'object' || value === null) continue;
    const reference = '$ref' in value ? value.$ref : undefined;
    queue.push(...Object.values(value));
    if (typeof reference !== 'string' || count >= MOST_SCHEMAS) continue;
    const name = refName(reference);
    const schema = api.schemas.get(name)?.schema;
    if (schema === undefined || Object.hasOwn(found, name)) continue;
    count += 1;
    setMember(found, name, schema);
    queue.push(schema);
  }
  return found;
}
