import { getOrInsert } from '../model/maps.js';
import type { ApiResponse, MediaType, Operation } from '../model/api.js';
import type { Schema } from '../model/schema-types.js';
import type { Role, Success } from './resource.js';

/** The success statuses for each role, the best first. */
const PREFERRED: Readonly<Record<Role, readonly number[]>> = {
  list: [200, 206],
  create: [201, 200, 202],
  createMany: [201, 200, 202],
  read: [200],
  replace: [200, 204, 202],
  patch: [200, 204, 205, 202],
  delete: [204, 200, 202],
  action: [200, 201, 202, 204],
};

/** Statuses of operations that document no success, by role; 200 for other roles. */
const UNDOCUMENTED: Partial<Readonly<Record<Role, number>>> = { delete: 204 };

/**
 * Returns the documented success response that fits a role best. `default` counts only if nothing else documents
 * success. `undefined` if the content is neither JSON nor XML: it is not inferred.
 */
export function findSuccess(operation: Operation, role: Role): Success | undefined {
  const [status, response] = pickResponse(operation, role);
  if (response === undefined || response.content.length === 0) {
    // If no success is documented, the item may be returned.
    return { status, headers: response?.headers ?? [], examples: [] };
  }
  const media = findData(response.content);
  if (media === undefined) return undefined;
  return { status, schema: media.schema ?? true, headers: response.headers, examples: media.examples };
}

/** The schema of a success response, of any media type. */
export function successSchema({ responses }: Operation): Schema {
  const success =
    responses.find(({ status }) => status === '200') ?? responses.find(({ status }) => status.startsWith('2'));
  return success?.content[0]?.schema ?? true;
}

/** The response for a status other than the preferred one, such as 201 for an operation that replaces. */
export function findSuccessFor(operation: Operation, status: number): Success | undefined {
  const response = operation.responses.find((one) => one.status === String(status));
  if (response === undefined) return undefined;
  const schema = findData(response.content)?.schema;
  return { status, headers: response.headers, examples: [], ...(schema === undefined ? {} : { schema }) };
}

function pickResponse({ responses }: Operation, role: Role): readonly [number, ApiResponse | undefined] {
  const byStatus = new Map(responses.map((response) => [response.status.toUpperCase(), response]));
  const documented = [...byStatus.keys()]
    .filter((status) => /^2\d\d$/.test(status))
    .map(Number)
    .sort((one, other) => one - other);
  const status = PREFERRED[role].find((wanted) => documented.includes(wanted)) ?? documented[0];
  if (status !== undefined) return [status, byStatus.get(String(status))];
  const open = byStatus.get('2XX') ?? byStatus.get('DEFAULT');
  return [UNDOCUMENTED[role] !== undefined && open === undefined ? UNDOCUMENTED[role] : 200, open];
}

/** The media type with data: JSON, else XML whose schema describes more than its text. */
function findData(content: readonly MediaType[]): MediaType | undefined {
  const json = content.find(({ mediaType }) =>
    /^(application|text)\/([^;]*\+)?json\b|^\*\/\*|^application\/\*/i.test(mediaType),
  );
  return json ?? content.find(isXmlData);
}

function isXmlData({ mediaType, schema }: MediaType): boolean {
  return typeof schema === 'object' && schema.type !== 'string' && /[/+](?:x-)?xml\s*(?:;|$)/i.test(mediaType);
}

/** Cached facts about an operation that many calls need. */
interface OperationFacts {
  readonly bodySchema: Schema | undefined;
  /** Documented statuses and ranges. */
  readonly documented: ReadonlySet<string>;
}

const caches = new WeakMap<Operation, OperationFacts>();

function factsOf(operation: Operation): OperationFacts {
  return getOrInsert(caches, operation, () => {
    const content = operation.body?.content ?? [];
    const media = findData(content) ?? content.find(({ mediaType }) => /form-urlencoded|form-data/i.test(mediaType));
    const documented = new Set(operation.responses.map(({ status }) => status.toUpperCase()));
    return { bodySchema: media?.schema, documented };
  });
}

/** The schema of a request body that is decoded to data: JSON first, then XML and forms. */
export function bodySchemaOf(operation: Operation): Schema | undefined {
  return factsOf(operation).bodySchema;
}

/** Whether an operation documents a status or its range. */
export function documents(operation: Operation, status: number): boolean {
  const { documented } = factsOf(operation);
  return documented.has(String(status)) || documented.has(`${Math.floor(status / 100)}XX`);
}

/** Whether an operation has a query or header parameter. */
export function takesParameter({ parameters }: Operation, place: 'query' | 'header', name: string): boolean {
  return parameters.some((parameter) => parameter.in === place && parameter.name.toLowerCase() === name);
}
