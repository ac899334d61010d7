import { stringifyExactJson } from '../../runtime/json-integers.js';
import { setImmediate as turn } from 'node:timers/promises';

import type { ResponseBody, ServerSentEvent } from '../../http/messages.js';
import { kindOf, parseMediaType } from '../../http/media-type.js';
import { toResponseBody } from './handler-call.js';

/** A response that breaks off because a fault says so: no bug of the mock. */
export class PlannedBreakError extends Error {
  override readonly name = 'PlannedBreakError';
}

/**
 * The body of a fault in the form of its media type. A text goes out as it is, but for JSON, where it is a value. Of a
 * stream of events a list has one event in each item, and any other value is one event.
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

/** The same body, with the connection broken where it would end. */
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
