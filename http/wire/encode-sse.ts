import { stringifyExactJson } from '../../runtime/json-integers.js';
import { writeEvent } from '../../runtime/items.js';
import type { ServerSentEvent } from '../messages.js';

/** Writes an event in the framing of `text/event-stream`. A text is sent unchanged, other data as JSON. */
export function frameEvent(event: ServerSentEvent): string {
  const { data } = event;
  return writeEvent({ ...event, data: typeof data === 'string' ? data : stringifyExactJson(data ?? null) });
}
