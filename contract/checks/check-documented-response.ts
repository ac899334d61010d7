import { getOrInsert } from '../../model/maps.js';
import { resolvePointer } from '../../model/document/pointer.js';
import type { Api, Operation } from '../../model/api.js';
import type { HeaderMap } from '../../http/messages.js';
import { mediaKind } from '../../runtime/media-type.js';
import { isObjectSchema } from '../../schema/facts/members.js';
import {
  findContentTypeProblems,
  findHeaderProblems,
  findPresenceProblems,
  findResponseMedia,
  findTextProblems,
  mayStatusHaveBody,
  type ResponseViolation,
} from '../../http/response/response-violations.js';
import { compileResponses, type FindResponseSpec, type ResponseSpec } from '../../http/response/response-spec.js';
import type { Case, Exchange } from '../types.js';
import { checkEventStream, checkItems } from './check-items.js';
import { isDocumentedFailure } from './documented-failure.js';
import { type Problem, type RuleName, problem } from './problem.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';
import { showJson } from '../../model/exact-json.js';

/** Error statuses that HTTP itself defines, so a spec need not list them. */
const PROTOCOL_STATUSES: ReadonlySet<number> = new Set([401, 403, 405, 406, 408, 413, 414, 415, 429, 431]);

/** The most errors reported for one body. */
const MOST_ERRORS = 20;

/** Checks that a response is what the spec documents. */
export function checkDocumented(tried: Case, exchange: Exchange, api: Api): readonly Problem[] {
  const found = findDifferences(tried, exchange, api);
  if (found.length === 0) return found;
  const assertion = { expects: 'documented', exchange, tried, api } as const;
  return found.map((one) => ({ ...one, assertion }));
}

/**
 * Finds the differences between a response and what the spec says about its status, headers and body. A server that
 * fails is a finding of its own.
 */
export function findDifferences({ call, expectation }: Case, exchange: Exchange, api: Api): readonly Problem[] {
  const { status } = exchange;
  const { operation } = call;
  const hasFailed = status === 0 || (status >= 500 && !isDocumentedFailure(exchange, operation));
  if (hasFailed || expectation.kind === 'unsupported') return [];
  const spec = specsOf(operation, api)(status);
  if (spec !== undefined) {
    const headers = headersOf(exchange, spec);
    return [
      ...findHeaderProblems(headers, spec).map((found) => describeHeader(found, exchange)),
      ...checkBody(spec, exchange, { api, operation, headers }),
    ];
  }
  const isRefusal = status >= 400 && (expectation.kind !== 'valid' || PROTOCOL_STATUSES.has(status));
  if (isRefusal || isLeftOpen(operation, status)) return [];
  return [
    problem('documented status', {
      message: `The status ${status} is not documented.`,
      expected: operation.responses.map((one) => one.status).join(', '),
      actual: String(status),
    }),
  ];
}

/**
 * Any success is allowed if the spec documents none, 404 and 410 if the path names an item, and everything if no
 * response is documented.
 */
function isLeftOpen({ responses, path }: Operation, status: number): boolean {
  if (status < 300) return responses.every((response) => /^[145]/.test(response.status));
  return responses.length === 0 || ((status === 404 || status === 410) && path.includes('{'));
}

const compiled = new WeakMap<Operation, FindResponseSpec>();

function specsOf(operation: Operation, api: Api): FindResponseSpec {
  return getOrInsert(compiled, operation, () => compileResponses(operation, { api, report: undefined }));
}

/** The documented headers, and the content type. */
function headersOf({ headers }: Exchange, spec: ResponseSpec): HeaderMap {
  const names = [...spec.headers.map(({ name }) => name), 'content-type'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

function describeHeader({ header, error }: ResponseViolation, { headers }: Exchange): Problem {
  const { name = '', schema } = header ?? {};
  const cause = `${name} `;
  if (error === undefined) {
    const message = `The header ${name} is missing.`;
    return problem('response headers', { cause, message, expected: name, actual: 'no such header' });
  }
  return problem('response headers', {
    cause,
    message: `The header ${name} does not match its schema.`,
    expected: `a value of ${stringifyExactJson(schema)}`,
    actual: headers.get(name) ?? '',
  });
}

interface BodyContext {
  readonly api: Api;
  readonly operation: Operation;
  readonly headers: HeaderMap;
}

/** Skips bodies that the spec does not describe: without `content`, anything is allowed. */
function checkBody(spec: ResponseSpec, exchange: Exchange, context: BodyContext): Problem[] {
  const { operation, headers } = context;
  const { text, request, status } = exchange;
  if (request.method === 'HEAD' || !mayStatusHaveBody(status) || spec.response.content.length === 0) return [];
  const typeProblems = [...findPresenceProblems(headers, spec, text.length), ...findContentTypeProblems(headers, spec)];
  if (typeProblems.length > 0)
    return isOtherFailure(spec, exchange, context) ? [] : [describeContentType(spec, exchange)];
  const media = findResponseMedia(headers, spec);
  if (media === undefined) return [];
  const items = media.items === undefined ? [] : checkItems(media.items, operation, exchange);
  if (media.kind === 'stream') return [...checkEventStream(operation, exchange), ...items];
  if (media.items !== undefined) return items;
  return findTextProblems(text, media, headers)
    .slice(0, MOST_ERRORS)
    .map((found) => describeSchemaProblem(found, exchange));
}

/**
 * Whether the spec does not describe the form of a failure: a `default` without a 2xx beside it describes the success, and
 * an object cannot be an image or other bytes, as documents say whose media types hold for all responses.
 */
function isOtherFailure({ response }: ResponseSpec, exchange: Exchange, { api, operation }: BodyContext): boolean {
  if (exchange.status < 400) return false;
  const isSuccess = response.status === 'default' && !operation.responses.some(({ status }) => status.startsWith('2'));
  const areBytes = response.content.every(
    ({ mediaType, schema }) => mediaKind(mediaType) === 'binary' && schema !== undefined && isObjectSchema(schema, api),
  );
  return isSuccess || areBytes;
}

function describeContentType({ response }: ResponseSpec, { headers, text }: Exchange): Problem {
  const expected = response.content.map(({ mediaType }) => mediaType).join(', ');
  const type = headers.get('content-type');
  if (text === '' && type === null)
    return problem('content type', {
      cause: `${response.status} none`,
      message: 'The body is missing.',
      expected,
      actual: 'no body',
    });
  if (type === null)
    return problem('content type', {
      cause: `${response.status} none`,
      message: 'The body has no content type.',
      expected,
      actual: 'no content type',
    });
  if (text === '')
    return problem('content type', {
      cause: `${response.status} empty`,
      message: 'The body is empty.',
      expected,
      actual: 'no body',
    });
  return problem('content type', {
    cause: `${response.status} other`,
    message: `The content type ${type} is not documented.`,
    expected,
    actual: type,
  });
}

function ruleOf(keyword: string, params: Readonly<Record<string, unknown>>): RuleName {
  const member = params['missingProperty'];
  return typeof member === 'string' ? { keyword, member } : { keyword };
}

function describeSchemaProblem({ error, message }: ResponseViolation, { text, json }: Exchange): Problem {
  if (error === undefined) {
    const cause = message === 'must be JSON' ? 'json' : message;
    const words = message === 'must be JSON' ? 'The body is not JSON.' : `The body ${message}.`;
    return problem('response schema', { cause, message: words, expected: 'JSON', actual: text });
  }
  const { pointer, keyword, params } = error;
  return problem('response schema', {
    cause: `${keyword} ${pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')} ${showJson(params['missingProperty'], '')}`,
    pointer,
    rule: ruleOf(keyword, params),
    message: `${pointer === '' ? 'The body' : pointer} ${message}.`,
    expected: message,
    actual: showJson(json === undefined ? text : resolvePointer(json, pointer)),
  });
}
