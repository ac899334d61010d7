import { getOrInsert } from '../model/maps.js';
import type { Api, Operation } from '../model/api.js';
import { NameAllocator, toTypeName, toValueName } from '../model/identifiers.js';

export interface OperationTypeNames {
  /** The argument of the method: the members that it has of `{ path, query, headers, cookies, body, contentType }`. */
  readonly request: string;
  /** Union of the documented successes: `{ status, data, headers, response }`. */
  readonly response: string;
  /** Union of the documented failures: `ApiError<status, body, headers>`. */
  readonly failure: string;
}

/** Names that the output itself exports, which no schema or operation may take. */
function ownNames(clientName: string): string[] {
  return [
    `create${clientName}Client`,
    `${clientName}Client`,
    `${clientName}ClientOptions`,
    `${clientName}Failures`,
    `${clientName}Operations`,
    `${clientName}Context`,
    `${clientName}Credentials`,
    `${clientName}Server`,
    `${clientName}Webhooks`,
    ...['Call', 'CallOptions', 'Middleware', 'RetryPolicy', 'OAuth2Error', 'MalformedBodyError'],
  ];
}

/** The name of the context type: `rate-limits` -> `RateLimitsContext`. */
export function contextTypeName(apiName: string): string {
  return `${clientTypeName(apiName)}Context`;
}

/** The name of the API in type names: `rate-limits` -> `RateLimits`. */
export function clientTypeName(apiName: string): string {
  return toTypeName(apiName);
}

/** The functions that `client.ts` declares. */
export function clientFunctionNames(apiName: string): string[] {
  const client = clientTypeName(apiName);
  return [`create${client}Client`, `is${client}Error`, baseUrlName(apiName)];
}

/** The function that returns the address of the API's server: `rate-limits` -> `rateLimitsBaseUrl`. */
export function baseUrlName(apiName: string): string {
  return `${toValueName(apiName)}BaseUrl`;
}

/** The names of the types of schemas, each followed by that of its request variant if it has one. */
export function schemaTypeNames({ schemas }: Pick<Api, 'schemas'>): string[] {
  return [...schemas.values()].flatMap(({ name, inputName }) => (inputName === undefined ? [name] : [name, inputName]));
}

const known = new WeakMap<Api, Map<string, ReadonlyMap<Operation, OperationTypeNames>>>();

/** The type names of every operation and webhook, unique beside the names of the schemas. */
export function nameOperationTypes(api: Api, apiName: string): ReadonlyMap<Operation, OperationTypeNames> {
  const byApiName = getOrInsert(known, api, () => new Map<string, ReadonlyMap<Operation, OperationTypeNames>>());
  return getOrInsert(byApiName, apiName, () => makeNames(api, apiName));
}

function makeNames(api: Api, apiName: string): ReadonlyMap<Operation, OperationTypeNames> {
  const names = new NameAllocator({ taken: [...schemaTypeNames(api), ...ownNames(clientTypeName(apiName))] });
  const byOperation = new Map<Operation, OperationTypeNames>();
  for (const operation of allOperations(api)) {
    const base = toTypeName(operation.name);
    byOperation.set(operation, {
      request: names.take(`${base}Request`),
      response: names.take(`${base}Response`),
      failure: names.take(`${base}Failure`),
    });
  }
  return byOperation;
}

/** Operations, then those of callbacks, then webhooks; one that several callbacks share is listed once. */
export function allOperations(api: Api): Operation[] {
  const callbacks = api.operations.flatMap((operation) =>
    operation.callbacks.flatMap((callback) => callback.operations),
  );
  return [...new Set([...api.operations, ...callbacks, ...api.webhooks])];
}
