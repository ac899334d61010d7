import { setImmediate as turn } from 'node:timers/promises';

import { stringifyExactJson } from '../../runtime/json-integers.js';
import type { Operation } from '../../model/api.js';
import { HttpError } from '../../http/http-error.js';
import { kindOf, parseMediaType } from '../../runtime/parsed-media-type.js';
import { lowerCaseNames, type ResponseBody, type ServerSentEvent } from '../../http/messages.js';
import { findResponse } from '../../http/response/response-spec.js';
import type { Fault } from '../sandbox/sandbox.js';
import { toResponseBody } from './call-handler.js';
import type { Outcome } from './pipeline-call.js';

/** A fault breaks the response off. This is not a bug of the mock. */
export class PlannedBreakError extends Error {
  override readonly name = 'PlannedBreakError';
}

/**
 * Returns the response of a fault; `undefined` if it only delays. With `abort`, the connection breaks after the fault's
 * body, or without a response if it has none.
 *
 * @throws HttpError if the named example does not exist
 */
export function respondToFault(fault: Fault, operation: Operation | undefined): Outcome | undefined {
  const { status, headers, body, example, abort = false } = fault;
  if (abort && body === undefined && example === undefined) return 'abort';
  if (!hasResponse(fault)) return undefined;
  const given = example === undefined ? undefined : findExample(example, status, operation);
  const all = { ...(given === undefined ? {} : { 'content-type': given.mediaType }), ...lowerCaseNames(headers ?? {}) };
  const text = toFaultBody(body ?? given?.value, all['content-type']);
  return {
    status: status ?? given?.status ?? 200,
    headers: all,
    body: abort && text !== undefined ? breakOff(text) : text,
    refusal: false,
    exempt: true,
  };
}

/** Whether a fault has a response of its own, with or without a body. */
export function hasResponse({ status, headers, body, example }: Fault): boolean {
  return [status, headers, body, example].some((member) => member !== undefined);
}

interface FoundExample {
  readonly status: number;
  readonly mediaType: string;
  readonly value: unknown;
}

/** Finds an example by name in the response with the given status, or in any response. */
function findExample(name: string, status: number | undefined, operation: Operation | undefined): FoundExample {
  const wanted = operation === undefined || status === undefined ? undefined : findResponse(operation, status);
  const responses = wanted === undefined ? (operation?.responses ?? []) : [wanted];
  for (const response of responses) {
    for (const { mediaType, examples } of response.content) {
      const example = examples.find((one) => one.name === name);
      if (example === undefined) continue;
      return { status: status ?? statusOf(response.status), mediaType, value: example.value };
    }
  }
  throw new HttpError(
    500,
    `A fault names the example ${stringifyExactJson(name)}, which this operation does not have.`,
  );
}

function statusOf(name: string): number {
  const status = Number(name.replace(/XX$/, '00'));
  return Number.isInteger(status) ? status : 200;
}

/**
 * Makes the body of a fault in its media type. A text is sent unchanged, except for JSON, where it is a value. For a
 * stream of events, each item of a list is an event, and any other value is one event.
 */
function toFaultBody(body: unknown, contentType: string | undefined): ResponseBody | undefined {
  const type = parseMediaType(contentType ?? 'application/json');
  if (type === undefined || kindOf(type) === 'json') return toResponseBody(body);
  if (typeof body === 'string') return { kind: 'text', text: body };
  if (type.essence !== 'text/event-stream' || body === undefined) return toResponseBody(body);
  return { kind: 'events', events: toEvents(Array.isArray(body) ? body : [body]) };
}

async function* toEvents(items: readonly unknown[]): AsyncGenerator<ServerSentEvent> {
  for (const data of items) yield { data };
}

/** Returns a body that breaks the connection at its end. */
function breakOff(body: ResponseBody): ResponseBody {
  if (body.kind === 'events') return { kind: 'events', events: thenBreak(body.events) };
  if (body.kind === 'stream') return { kind: 'stream', chunks: thenBreak(body.chunks) };
  if (body.kind === 'items') return { kind: 'items', items: thenBreak(body.items) };
  const { kind } = body;
  const whole =
    kind === 'bytes' ? body.bytes : Buffer.from(kind === 'text' ? body.text : stringifyExactJson(body.value));
  return { kind: 'stream', chunks: thenBreak([whole]) };
}

async function* thenBreak<Item>(items: AsyncIterable<Item> | Iterable<Item>): AsyncGenerator<Item> {
  yield* items;
  // Flush the written bytes first.
  await turn();
  throw new PlannedBreakError('The response breaks off, as a fault says.');
}
