import { followRefs } from '../schema/facts/parts.js';
import { hasNumber, typesOf } from '../schema/facts/members.js';
import type { Api, ApiResponse, Operation } from '../model/api.js';
import { findParameter } from '../model/find-parameter.js';
import { appendPointer } from '../model/document/pointer.js';
import type { Schema, SchemaObject } from '../model/schema-types.js';

/** An extension that seems to fit, and the reason. */
export interface HelperProposal {
  /** An operation id, or `*` for the whole API. */
  readonly key: string;
  readonly extension: `x-${string}`;
  /** Absent if the spec must be changed first. */
  readonly value?: object;
  readonly reason: string;
}

/** Proposes helpers for paging, streams and rate limits by names and types alone. The user must decide. */
export function proposeHelpers(api: Api): HelperProposal[] {
  const own = api.operations.flatMap((operation) => [...proposePaging(operation, api), ...proposeStreaming(operation)]);
  return [...proposeRateLimit(api), ...own];
}

const SIZE = /^(?:limit|take|size|count|per_?page|page_?size|max_?results)$/i;
const SKIP = /^(?:offset|skip|start|start_?index)$/i;
const PAGE = /^(?:page|page_?number)$/i;
const TOKEN = /^(?:page_?token|cursor|next_?token|continuation_?token)$/i;
const NEXT = /^(?:next_?page_?token|next_?cursor|next_?token|continuation_?token|cursor)$/i;
const TOTAL = /^total(?:_?(?:count|items|results|elements|records|hits))?$/i;

function proposePaging(operation: Operation, api: Api): HelperProposal[] {
  const extension = 'x-pagination';
  if (operation.method !== 'get' || operation.extensions[extension] !== undefined) return [];
  const find = (pattern: RegExp): string | undefined =>
    operation.parameters.find(({ in: place, name }) => place === 'query' && pattern.test(name))?.name;
  const [size, skip, page, token] = [find(SIZE), find(SKIP), find(PAGE), find(TOKEN)];
  const response = successOf(operation);
  const body = followRefs(jsonSchemaOf(response) ?? true, api);
  const items = body === undefined ? undefined : listIn(body, api);
  if (items === undefined) return [];
  const next = Object.keys(body?.properties ?? {}).find((name) => NEXT.test(name));
  const propose = (value: object, reason: string): HelperProposal[] => [
    { key: operation.id, extension, value: { ...value, items, ...(size === undefined ? {} : { size }) }, reason },
  ];
  if (token !== undefined && next !== undefined)
    return propose({ style: 'token', token, next: appendPointer('', next) }, `takes "${token}" and returns "${next}"`);
  if (skip !== undefined && size !== undefined)
    return propose({ style: 'offset', skip }, `takes "${skip}" and "${size}" and returns a list`);
  if (page === undefined) return [];
  if (response?.headers.some(({ name }) => name.toLowerCase() === 'link') === true)
    return propose({ style: 'page', page }, `takes "${page}" and returns a Link header`);
  if (!isNumber(findParameter(operation, 'query', page)?.schema, api)) return [];
  const total = Object.entries(body?.properties ?? {}).find(
    ([name, one]) => TOTAL.test(name) && isNumber(one, api),
  )?.[0];
  const value = { style: 'page', page, ...(total === undefined ? {} : { total: appendPointer('', total) }) };
  return propose(value, `takes "${page}" and returns a list${total === undefined ? '' : ` and "${total}"`}`);
}

function proposeStreaming(operation: Operation): HelperProposal[] {
  const stream = operation.responses
    .flatMap(({ content }) => content)
    .find(({ mediaType }) => mediaType.toLowerCase().startsWith('text/event-stream'));
  if (stream === undefined || operation.extensions['x-streaming'] !== undefined) return [];
  // Only a stream of messages can have an end marker. The media type says whether it is one, which helpers cannot
  // change.
  const isOfMessages = stream.extensions['x-event-stream'] !== undefined;
  const reason = isOfMessages
    ? 'responds with a stream of messages; many services end it with this data'
    : 'responds with text/event-stream; an overlay can add "x-event-stream: item" to the media type, for typed messages';
  return [
    { key: operation.id, extension: 'x-streaming', reason, ...(isOfMessages ? { value: { end: '[DONE]' } } : {}) },
  ];
}

function proposeRateLimit({ operations, extensions }: Api): HelperProposal[] {
  const limited = operations.find(({ responses }) => responses.some(({ status }) => status === '429'));
  if (limited === undefined || extensions['x-rate-limit'] !== undefined) return [];
  const names = operations.flatMap(({ responses }) =>
    responses.flatMap(({ headers }) => headers.map(({ name }) => name)),
  );
  const find = (pattern: RegExp, usual: string): string => names.find((name) => pattern.test(name)) ?? usual;
  const value = {
    statuses: [429],
    headers: {
      remaining: find(/rate-?limit-remaining$/i, 'X-RateLimit-Remaining'),
      reset: find(/rate-?limit-reset$/i, 'X-RateLimit-Reset'),
      retryAfter: 'Retry-After',
    },
    retry: { firstSeconds: 1, factor: 2, maxRetries: 4 },
    secondary: 'secondary rate limit',
  };
  return [{ key: '*', extension: 'x-rate-limit', value, reason: `${limited.id} documents the status 429` }];
}

function successOf({ responses }: Operation): ApiResponse | undefined {
  return responses.find(({ status }) => /^2(?:00|XX)$/i.test(status));
}

function jsonSchemaOf(response: ApiResponse | undefined): Schema | undefined {
  return response?.content.find(({ mediaType }) => /[/+]json(?:;|$)/i.test(mediaType))?.schema;
}

function isNumber(schema: Schema | undefined, api: Api): boolean {
  return hasNumber(typesOf(schema ?? true, api));
}

/** Pointer to the list in a page: the body itself, or the only list among its members. */
function listIn(body: SchemaObject, api: Api): string | undefined {
  if (body.type === 'array') return '';
  const lists = Object.entries(body.properties ?? {}).filter(([, member]) => followRefs(member, api)?.type === 'array');
  const [only, ...others] = lists;
  return only === undefined || others.length > 0 ? undefined : appendPointer('', only[0]);
}
