import type { Operation } from '../../model/api.js';
import type { HandlerResponse } from '../../server/handler-api.js';
import type { ServerSentEvent } from '../messages.js';
import type { AnswerMedia, AnswerRule } from './response-spec.js';
import { checkValue, mediaOf } from './check-response.js';
import { type StreamWords, isErrorEvent, readStreamWords } from './stream-convention.js';

/** Where the document describes the items of a stream of events, an item that breaks the description breaks the stream. */
export function guardEvents<Kind extends HandlerResponse>(
  reply: Kind,
  rule: AnswerRule | undefined,
  operation: Operation,
): Kind {
  const { body } = reply;
  if (body?.kind !== 'events' || rule === undefined) return reply;
  const media = mediaOf(reply, rule);
  if (media?.media.extensions['x-event-stream'] !== 'item') return reply;
  return { ...reply, body: { kind: 'events', events: checkEach(body.events, media, readStreamWords(operation)) } };
}

async function* checkEach(
  events: AsyncIterable<ServerSentEvent>,
  media: AnswerMedia,
  words: StreamWords,
): AsyncIterable<ServerSentEvent> {
  for await (const event of events) {
    const [violation] = isErrorEvent(event.data, words) ? [] : checkValue(event.data, media);
    if (violation !== undefined)
      throw new Error(`an event does not match the specification: ${violation.pointer} ${violation.message}`);
    yield event;
  }
}
