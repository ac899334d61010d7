import type { Api, Operation } from '../model/api.js';

/** An extension that seems to fit, and the reason. */
export interface HelperProposal {
  /** An operation id, or `*` for the whole API. */
  readonly key: string;
  readonly extension: `x-${string}`;
  /** Absent if the spec must be changed first. */
  readonly value?: object;
  readonly reason: string;
}

/** Proposes helpers for streams and rate limits by names and types alone. The user must decide. */
export function proposeHelpers(api: Api): HelperProposal[] {
  return [...proposeRateLimit(api), ...api.operations.flatMap(proposeStreaming)];
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
