import type { Operation } from '../../../model/api.js';
import { isRecord } from '../../../model/document/records.js';
import type { Reply } from '../../seams/behaviour.js';
import type { ServerSentEvent } from '../../seams/http.js';
import type { AnswerMedia, AnswerRule } from './answer-rules.js';
import { checkValue, mediaOf } from './check-answer.js';

/** Where the document describes the items of a stream of events, an item that breaks the description breaks the stream. */
export function guardEvents<Kind extends Reply>(reply: Kind, rule: AnswerRule | undefined, operation: Operation): Kind {
  const { body } = reply;
  if (body?.kind !== 'events' || rule === undefined) return reply;
  const media = mediaOf(reply, rule);
  if (media?.media.extensions['x-event-stream'] !== 'item') return reply;
  return { ...reply, body: { kind: 'events', events: checkEach(body.events, media, errorOf(operation)) } };
}

/** The member by which an item is an error, `x-streaming: { error: { pointer: /error } }`: such a one may end the stream. */
function errorOf({ extensions }: Operation): string | undefined {
  const streaming = extensions['x-streaming'] as { readonly error?: { readonly pointer?: string } } | undefined;
  return streaming?.error?.pointer?.slice(1);
}

async function* checkEach(
  events: AsyncIterable<ServerSentEvent>,
  media: AnswerMedia,
  error: string | undefined,
): AsyncIterable<ServerSentEvent> {
  for await (const event of events) {
    const isError = error !== undefined && isRecord(event.data) && Object.hasOwn(event.data, error);
    const [violation] = isError ? [] : checkValue(event.data, media);
    if (violation !== undefined)
      throw new Error(`an event does not match the specification: ${violation.pointer} ${violation.message}`);
    yield event;
  }
}
