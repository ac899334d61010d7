import { setImmediate as turn } from 'node:timers/promises';

import { stringifyExactJson } from '../../runtime/json-integers.js';
import type { ResponseBody, ServerSentEvent } from '../../http/messages.js';
import { kindOf, parseMediaType } from '../../http/media-type.js';
import { toResponseBody } from './handler-call.js';

/** A fault breaks the response off. This is not a bug of the mock. */
export class PlannedBreakError extends Error {
  override readonly name = 'PlannedBreakError';
}

/**
 * Makes the body of a fault in its media type. A text is sent unchanged, except for JSON, where it is a value. For a
 * stream of events, each item of a list is an event, and any other value is one event.
 */
export function toFaultBody(body: unknown, contentType: string | undefined): ResponseBody | undefined {
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
export function breakOff(body: ResponseBody): ResponseBody {
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
