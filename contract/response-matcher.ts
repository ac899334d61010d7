import { readOptions } from '../config/read-options.js';
import { getOrInsert } from '../model/maps.js';
import { wireMethod } from '../model/http-method.js';
import type { Api } from '../model/api.js';
import { InputError } from '../model/diagnostics/input-error.js';
import { isRecord } from '../model/document/records.js';
import { createRouter, splitTarget } from '../http/routing/router.js';
import { type ResponseProblem, type WholeResponse, findOperation, findProblems } from './check-response.js';
import { type TargetOptions, findTarget } from './load-api-under-test.js';
import { stringifyExactJson } from '../runtime/json-integers.js';
import { showJson } from '../model/exact-json.js';

/** The spec and the operation of a response. */
export interface MatchSpecOptions extends TargetOptions {
  /** The id of the operation that was called. Default: found by `method` and the URL of the response. */
  readonly operation?: string;
  /** Default: `GET`. */
  readonly method?: string;
}

/** The result of a Vitest or Jest matcher. */
export interface MatchResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/**
 * A matcher for `expect.extend` of Vitest and Jest that checks a response against its spec. It accepts the `Response`
 * of fetch, and the responses of supertest, axios and Fastify's `inject`.
 *
 * @throws InputError if there is no such API or operation, or the value is not a response.
 * @example
 * import 'specmill/vitest';
 *
 * await expect(await fetch(`${url}/books/1`)).toMatchSpec({ spec: 'library.yaml', operation: 'getBook' });
 */
export async function toMatchSpec(received: unknown, options: MatchSpecOptions): Promise<MatchResult> {
  readOptions('MatchSpecOptions', options);
  const api = await loadOnce(options);
  const response = await readResponse(received);
  const operation = findOperation(options.operation ?? operationOf(api, response, options.method), api.operations);
  const problems = findProblems(operation, response, api);
  return {
    pass: problems.length === 0,
    message: () =>
      problems.length === 0
        ? `The response (${response.status}) is what the spec documents for ${operation.id}.`
        : [
            `The response (${response.status}) is not what the spec documents for ${operation.id}:`,
            ...problems.map(describe),
          ].join('\n'),
  };
}

/** Cached, because a suite checks many responses against one spec, and loading it takes most of the time. */
const loaded = new Map<string, Promise<Api>>();

async function loadOnce(options: MatchSpecOptions): Promise<Api> {
  const { api, spec, specHeaders, allowRemote, root, vendor, config, cwd = process.cwd() } = options;
  if (typeof api === 'object') return api;
  const key = stringifyExactJson([api, spec, specHeaders, allowRemote, root, vendor, config, cwd]);
  return getOrInsert(loaded, key, () => findTarget(options).then((target) => target.api));
}

function operationOf(api: Api, { url }: WholeResponse, method = 'GET'): string {
  if (url === '') throw new InputError('The response has no URL: say which operation was called.');
  const { path } = splitTarget(url);
  const match = createRouter(api)(wireMethod(method), path);
  if (match.kind === 'operation') return match.operation.id;
  throw new InputError(`The spec has no operation for ${wireMethod(method)} ${path}: say which one was called.`);
}

/**
 * Does not use `instanceof`: servers such as Hono's replace the global `Response`, and `fetch` returns the original
 * class.
 */
function isFetchResponse(received: unknown): received is Response {
  return Object.prototype.toString.call(received) === '[object Response]';
}

async function readResponse(received: unknown): Promise<WholeResponse> {
  if (isFetchResponse(received)) {
    if (received.bodyUsed) throw new InputError('The body of the response has been read: match it before that.');
    const { url, status, headers } = received;
    return { url, status, headers, text: await received.clone().text() };
  }
  const status = isRecord(received) ? (received['status'] ?? received['statusCode']) : undefined;
  if (!isRecord(received) || typeof status !== 'number' || !isRecord(received['headers']))
    throw new InputError('Expected a Response (status, headers).');
  return { url: '', status, headers: readHeaders(received['headers']), text: textOf(received) };
}

function readHeaders(given: Readonly<Record<string, unknown>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given))
    for (const one of [value].flat()) if (typeof one === 'string') headers.append(name, one);
  return headers;
}

/** The response text, if the library keeps it; else its parsed value as JSON. */
function textOf({ text, payload, body, data }: Readonly<Record<string, unknown>>): string {
  const whole = [text, payload, body, data].find((one) => typeof one === 'string');
  const value = body ?? data;
  return typeof whole === 'string' ? whole : showJson(value, '');
}

/** Prints each part once: the message of a schema violation contains its pointer and its rule. */
function describe({ check, pointer, message, expected, actual }: ResponseProblem): string {
  const place = message.includes(pointer) ? '' : ` at ${pointer}`;
  const rule = message.includes(expected) ? [] : [`    expected: ${expected}`];
  return [`  ${check}${place}: ${message}`, ...rule, `    actual:   ${actual}`].join('\n');
}
