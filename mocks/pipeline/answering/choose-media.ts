import type { Reply } from '../../seams/behaviour.js';
import type { AnswerBody } from '../../seams/http.js';
import type { BodyKind } from '../decoding/media-type.js';
import { Refusal } from '../refusal.js';
import { readAccept } from './accept.js';
import type { AnswerMedia, AnswerRule } from './answer-rules.js';

const DEFAULTS: Readonly<Record<AnswerBody['kind'], string>> = {
  json: 'application/json',
  text: 'text/plain; charset=utf-8',
  bytes: 'application/octet-stream',
  stream: 'application/octet-stream',
  events: 'text/event-stream',
};

const KINDS: Readonly<Record<'json' | 'text' | 'bytes' | 'stream', readonly BodyKind[]>> = {
  json: ['json'],
  text: ['text', 'form', 'multipart', 'bytes', 'json'],
  bytes: ['bytes', 'multipart', 'text'],
  stream: ['bytes', 'text', 'json', 'multipart'],
};

/**
 * Gives an answer its `content-type`: of the documented ones that suit its body, the one that the client wants most.
 *
 * @throws Refusal 406 where the answer documents content and nothing of it is wanted, as Prism has it.
 */
export function chooseMedia<Kind extends Reply>(given: Kind, rule: AnswerRule | undefined, accept: string | undefined): Kind {
  const media = rule?.media ?? [];
  const reply = asText(given, media);
  const { body, headers } = reply;
  if (body === undefined || headers['content-type'] !== undefined) return reply;
  const suited = media.filter((one) => suits(one, body));
  const candidates = suited.length > 0 ? suited : media;
  if (candidates.length === 0) return withType(reply, DEFAULTS[body.kind]);
  const best = mostWanted(candidates, accept);
  if (best === undefined) throw notAcceptable(media);
  return withType(reply, best.parsed.essence.includes('*') ? DEFAULTS[body.kind] : best.media.mediaType);
}

/** A text that is answered where the document knows no JSON is that text. */
function asText<Kind extends Reply>(reply: Kind, media: readonly AnswerMedia[]): Kind {
  const { body } = reply;
  if (body?.kind !== 'json' || typeof body.value !== 'string' || media.length === 0 || media.some(({ kind }) => kind === 'json')) return reply;
  return { ...reply, body: { kind: 'text', text: body.value } };
}

function suits({ kind, isEventStream }: AnswerMedia, body: AnswerBody): boolean {
  return body.kind === 'events' ? isEventStream : !isEventStream && KINDS[body.kind].includes(kind);
}

function mostWanted(candidates: readonly AnswerMedia[], accept: string | undefined): AnswerMedia | undefined {
  if (accept === undefined) return candidates[0];
  const want = readAccept(accept);
  let best: AnswerMedia | undefined;
  let most = 0;
  for (const candidate of candidates) {
    const wanted = want(candidate.parsed);
    if (wanted > most) [best, most] = [candidate, wanted];
  }
  return best;
}

function notAcceptable(media: readonly AnswerMedia[]): Refusal {
  const types = media.map(({ media: { mediaType } }) => mediaType).join(', ');
  const message = `must accept ${types}`;
  return new Refusal(406, `The answer is ${types}, which the request does not accept.`, { violations: [{ in: 'header', pointer: '/accept', message }] });
}

function withType<Kind extends Reply>(reply: Kind, contentType: string): Kind {
  return { ...reply, headers: { ...reply.headers, 'content-type': contentType } };
}
