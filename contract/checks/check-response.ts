import { resolvePointer } from '../../model/document/pointer.js';
import type { Api, ApiResponse, MediaType, Operation } from '../../model/api.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { kindOf, matchesMedia } from '../execute/http/media.js';
import type { Case, Exchange, Problem } from '../types.js';
import { acceptsText } from './parameter-text.js';
import { checkEvents } from './check-events.js';
import { findResponse } from './find-response.js';
import { problem } from './problem.js';

/** Refusals that HTTP itself gives a server, so a spec need not list them. */
const PROTOCOL_STATUSES: ReadonlySet<number> = new Set([401, 403, 405, 406, 408, 413, 414, 415, 429, 431]);

/** Holds an answer against what the spec says about its status, headers and body. */
export function checkResponse({ call, expectation }: Case, exchange: Exchange, api: Api): Problem[] {
  const { status } = exchange;
  if (status === 0 || status >= 500) return checkServer(exchange);
  if (expectation.kind === 'unsupported') return [];
  const response = findResponse(call.operation, status);
  if (response !== undefined) {
    return [
      ...checkHeaders(response, exchange, api),
      ...checkBody(response, exchange, { api, operation: call.operation }),
    ];
  }
  const isRefusal = status >= 400 && (expectation.kind !== 'valid' || PROTOCOL_STATUSES.has(status));
  if (isRefusal || isLeftOpen(call.operation, status)) return [];
  const documented = call.operation.responses.map((one) => one.status).join(', ');
  return [
    problem('documented status', {
      message: `The status ${status} is not documented.`,
      expected: documented,
      actual: String(status),
    }),
  ];
}

/** A spec that documents no success leaves it open, and an item that a path names may not exist. */
function isLeftOpen({ responses, path }: Operation, status: number): boolean {
  if (status < 300) return responses.every((response) => /^[145]/.test(response.status));
  return responses.length === 0 || ((status === 404 || status === 410) && path.includes('{'));
}

function checkServer({ status, failure, text, durationMs }: Exchange): Problem[] {
  if (failure === 'timeout')
    return [
      problem('time limit', {
        message: 'The answer took too long.',
        expected: 'an answer within the time limit',
        actual: `none after ${Math.round(durationMs)} ms`,
      }),
    ];
  if (failure !== undefined)
    return [
      problem('server answers', {
        message: 'The connection ended without an answer.',
        expected: 'an answer',
        actual: 'none',
      }),
    ];
  return [
    problem('no server error', {
      message: `The server failed with ${status}.`,
      expected: 'a status below 500',
      actual: `${status} ${text}`,
    }),
  ];
}

function checkHeaders(response: ApiResponse, { headers }: Exchange, api: Api): Problem[] {
  return response.headers.flatMap((header): Problem[] => {
    if (header.name.toLowerCase() === 'content-type') return [];
    const value = headers.get(header.name);
    const cause = `${header.name} `;
    if (value === null) {
      if (!header.required) return [];
      const message = `The header ${header.name} is missing.`;
      return [problem('response headers', { cause, message, expected: header.name, actual: 'no such header' })];
    }
    if (header.mediaType !== undefined || acceptsText(value, header.schema, { api, direction: 'response' })) return [];
    const expected = `a value of ${JSON.stringify(header.schema)}`;
    return [
      problem('response headers', {
        cause,
        message: `The header ${header.name} is not what the spec says.`,
        expected,
        actual: value,
      }),
    ];
  });
}

interface BodyContext {
  readonly api: Api;
  readonly operation: Operation;
}

function checkBody({ content, status }: ApiResponse, exchange: Exchange, { api, operation }: BodyContext): Problem[] {
  const { text, headers, request } = exchange;
  if (request.method === 'HEAD' || exchange.status === 304 || content.length === 0) return [];
  const type = headers.get('content-type');
  const documented = content.map(({ mediaType }) => mediaType).join(', ');
  if (type === null) {
    const message = text === '' ? 'The body is missing.' : 'The body has no content type.';
    return [
      problem('content type', {
        cause: `${status} none`,
        message,
        expected: documented,
        actual: text === '' ? 'no body' : 'no content type',
      }),
    ];
  }
  const media = content.find(({ mediaType }) => matchesMedia(type, mediaType));
  if (media === undefined)
    return [
      problem('content type', {
        cause: `${status} other`,
        message: `The content type ${type} is not documented.`,
        expected: documented,
        actual: type,
      }),
    ];
  if (media.mediaType.startsWith('text/event-stream')) return checkEvents(media, operation, exchange, api);
  return checkSchema(media, exchange, api);
}

function checkSchema({ schema, mediaType }: MediaType, { text, json, headers }: Exchange, api: Api): Problem[] {
  if (schema === undefined || kindOf(headers.get('content-type') ?? mediaType) !== 'json') return [];
  if (json === undefined)
    return [
      problem('response schema', { cause: 'json', message: 'The body is not JSON.', expected: 'JSON', actual: text }),
    ];
  const errors = compileValidator(api, schema, { direction: 'response' })(json);
  return errors.slice(0, 20).map(({ pointer, keyword, message, params }) =>
    problem('response schema', {
      cause: `${keyword} ${pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')} ${JSON.stringify(params['missingProperty']) ?? ''}`,
      pointer,
      message: `${pointer === '' ? 'The body' : pointer} ${message}.`,
      expected: message,
      actual: JSON.stringify(resolvePointer(json, pointer)) ?? 'nothing',
    }),
  );
}
