import { stringifyExactJson } from '../../runtime/json-integers.js';
import { writeEvent } from '../../runtime/items.js';
import type { ServerSentEvent } from '../messages.js';

/** One event in the framing of `text/event-stream`: a blank line ends it. A text is sent as it is, all else as JSON. */
export function frameEvent(event: ServerSentEvent): string {
  const { data } = event;
  return writeEvent({ ...event, data: typeof data === 'string' ? data : stringifyExactJson(data ?? null) });
}
