import { isRecord } from '../../model/document/records.js';
import { kindOf, parseMediaType } from '../../http/media-type.js';
import type { AnswerBody, HeaderMap, MockAnswer, ServerSentEvent } from '../../http/messages.js';
import { translateHeaders } from './translate-headers.js';
import { translateJson, translateValue } from './translate-value.js';
import type { Words } from './translation.js';

/** An answer in the real words. Bytes and streams of bytes are what somebody stored, and stay. */
export function toRealAnswer(answer: MockAnswer, words: Words, host: string | undefined): MockAnswer {
  const headers = translateHeaders(answer.headers, words, host);
  const { body } = answer;
  if (body === undefined) return { ...answer, headers };
  const wording = { words, host, isFailure: answer.status >= 400 };
  if (body.kind === 'json')
    return { ...answer, headers, body: { ...body, value: translateValue(body.value, wording) } };
  if (body.kind === 'events')
    return { ...answer, headers, body: { ...body, events: translateEvents(body.events, words, host) } };
  if (body.kind !== 'text' || !isJson(headers['content-type'])) return { ...answer, headers };
  const text = translateJson(body.text, wording);
  if (text === body.text) return { ...answer, headers };
  const { 'content-length': _ofTheOther, ...rest } = headers;
  return { ...answer, headers: rest, body: { kind: 'text', text } satisfies AnswerBody };
}

function isJson(contentType: HeaderMap[string]): boolean {
  const parsed = typeof contentType === 'string' ? parseMediaType(contentType) : undefined;
  return parsed !== undefined && kindOf(parsed) === 'json';
}

async function* translateEvents(
  events: AsyncIterable<ServerSentEvent>,
  words: Words,
  host: string | undefined,
): AsyncGenerator<ServerSentEvent> {
  for await (const event of events) {
    // An error within a stream comes after its status.
    const wording = { words, host, isFailure: isRecord(event.data) && isRecord(event.data['error']) };
    const { data } = event;
    yield { ...event, data: typeof data === 'string' ? translateJson(data, wording) : translateValue(data, wording) };
  }
}
