import type { Api, ApiResponse, Header, MediaType, Operation, Parameter } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';
import { getOrInsert } from '../../model/maps.js';
import { type Schema, refName } from '../../model/schema-types.js';
import { childSchemas } from '../../model/schema-survey.js';
import { type PlacedSchema, placedSchemasAt, stepPlaced } from '../../schema/placed-schemas.js';
import { clientOf, type RecordedClient } from '../credentials/account-of.js';
import { type HeaderMap, readHeader } from '../messages.js';
import { type RecordedUse, UseTally } from '../recording/use-tally.js';
import { findResponse } from '../response/response-spec.js';
import { schemaPlace } from './schema-place.js';

/** A request, as far as it may use something deprecated. */
export interface SentRequest {
  readonly operation: Operation;
  /** The query, without the question mark. */
  readonly query: string;
  readonly headers: HeaderMap;
  /** The value of a JSON body. */
  readonly body?: unknown;
  /** ISO 8601. */
  readonly at: string | undefined;
  readonly response?: SentResponse;
}

/** The response to it. */
export interface SentResponse {
  readonly status: number;
  readonly headers: HeaderMap;
  /** The value of a JSON body. */
  readonly body?: unknown;
}

/** Calls that use something deprecated. */
export interface DeprecatedUse extends RecordedUse {
  readonly operationId: string;
  /** `query limit`, `body/name` or `response 200 body/name`; absent if it is the operation. */
  readonly place?: string;
  /** Whether the place is one of responses: clients got it, and whether they read it cannot be seen. */
  readonly isReceived?: true;
}

/** The most places of bodies, and the most items of a list, that are looked at. */
const MOST_PLACES = 500;
const MOST_ITEMS = 100;

/** Counts calls of deprecated operations, and with deprecated parameters, headers or members of bodies, by who sends them. */
export class DeprecatedUses {
  readonly #api: Api;
  readonly #tallies = new Map<Operation, Map<string, UseTally>>();
  readonly #bodies = new Map<Operation | ApiResponse, MediaType | undefined>();

  constructor(api: Api) {
    this.#api = api;
  }

  /** Whether the body of an operation has a deprecated member, so that it must be read. */
  readsBody(operation: Operation): boolean {
    return this.#mediaOf(operation, operation.body?.content) !== undefined;
  }

  /** Whether a response has a deprecated member, so that its body must be read. */
  readsResponse(operation: Operation, status: number): boolean {
    const response = findResponse(operation, status);
    return response !== undefined && this.#mediaOf(response, response.content) !== undefined;
  }

  add({ operation, query, headers, body, at, response }: SentRequest): void {
    const places = [
      ...(operation.deprecated ? [''] : []),
      ...operation.parameters.filter((one) => isDeprecated(one) && isSent(one, query, headers)).map(nameOf),
      ...this.#usedMembers(this.#mediaOf(operation, operation.body?.content), body, 'body'),
      ...(response === undefined ? [] : this.#received(operation, response)),
    ];
    if (places.length === 0) return;
    const client: RecordedClient = clientOf(headers);
    const tallies = getOrInsert(this.#tallies, operation, () => new Map<string, UseTally>());
    for (const place of new Set(places))
      if (tallies.has(place) || tallies.size < MOST_PLACES)
        getOrInsert(tallies, place, () => new UseTally()).add(client, at);
  }

  /** In the order of the spec. */
  list(): DeprecatedUse[] {
    return this.#api.operations.flatMap((operation) =>
      [...(this.#tallies.get(operation) ?? [])].map(([place, { report }]) => ({
        operationId: operation.id,
        ...(place === '' ? {} : { place }),
        ...(place.startsWith('response ') ? { isReceived: true as const } : {}),
        ...report,
      })),
    );
  }

  #mediaOf(owner: Operation | ApiResponse, content: readonly MediaType[] = []): MediaType | undefined {
    return getOrInsert(this.#bodies, owner, () =>
      content.find(({ schema }) => schema !== undefined && hasDeprecated(schema, this.#api)),
    );
  }

  #received(operation: Operation, { status, headers, body }: SentResponse): string[] {
    const response = findResponse(operation, status);
    if (response === undefined) return [];
    const start = `response ${status}`;
    const sent = response.headers.filter((one) => isDeprecated(one) && readHeader({ headers }, one.name) !== undefined);
    return [
      ...sent.map(({ name }) => `${start} header ${name}`),
      ...this.#usedMembers(this.#mediaOf(response, response.content), body, `${start} body`),
    ];
  }

  #usedMembers(media: MediaType | undefined, body: unknown, place: string): string[] {
    if (media?.schema === undefined || body === undefined) return [];
    const used: string[] = [];
    const placed = placedSchemasAt(media.schema, schemaPlace(media), [], this.#api);
    const parts = partsOf(body);
    for (const [name, part] of parts)
      this.#walk(part, stepPlaced(placed, name, this.#api), { place: `${place}/${name}`, used });
    return used;
  }

  #walk(
    value: unknown,
    placed: readonly PlacedSchema[],
    found: { readonly place: string; readonly used: string[] },
  ): void {
    const { place, used } = found;
    if (placed.length === 0 || used.length >= MOST_PLACES) return;
    if (placed.some(({ schema }) => schema.deprecated === true)) used.push(place);
    for (const [name, part] of partsOf(value))
      this.#walk(part, stepPlaced(placed, name, this.#api), { place: `${place}/${name}`, used });
  }
}

/** The items of a list, or the members of an object. */
function partsOf(value: unknown): readonly (readonly [name: string, part: unknown])[] {
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map((item: unknown) => ['*', item]);
  return isRecord(value) ? Object.entries(value) : [];
}

function isDeprecated({ deprecated, schema }: Parameter | Header): boolean {
  return deprecated || (typeof schema === 'object' && schema.deprecated === true);
}

function nameOf({ in: place, name }: Parameter): string {
  return `${place} ${name}`;
}

function isSent({ in: place, name }: Parameter, query: string, headers: HeaderMap): boolean {
  if (place === 'header') return readHeader({ headers }, name) !== undefined;
  if (place === 'cookie')
    return (readHeader({ headers }, 'cookie') ?? '').split(';').some((one) => one.trim().startsWith(`${name}=`));
  if (place !== 'query') return true;
  // Objects and lists have names such as `filter[name]`.
  return [...new URLSearchParams(query).keys()].some((key) => key === name || key.startsWith(`${name}[`));
}

/** Whether a schema, or one that it reaches, has a deprecated member. */
function hasDeprecated(start: Schema, api: Api): boolean {
  const open = [start];
  const seen = new Set<Schema>();
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    if (typeof schema !== 'object' || seen.has(schema)) continue;
    seen.add(schema);
    if (schema.deprecated === true) return true;
    const named = schema.$ref === undefined ? undefined : api.schemas.get(refName(schema.$ref));
    open.push(...childSchemas(schema), ...(named === undefined ? [] : [named.schema]));
  }
  return false;
}
