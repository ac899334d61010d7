import type { HandlerResponse } from '../../server/handler-api.js';
import type { AnswerBody } from '../messages.js';
import type { BodyKind } from '../media-type.js';
import { HttpError } from '../http-error.js';
import { readAccept } from './accept.js';
import type { AnswerMedia, AnswerRule } from './response-spec.js';

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

/** The body that goes out, and the media type that it is given. Absent: it has one, or needs none. */
export interface ChosenMedia {
  readonly body: AnswerBody | undefined;
  readonly contentType: string | undefined;
}

/**
 * Finds the media type of an answer: of the documented ones that suit its body, the one that the client wants most.
 *
 * @throws HttpError 406 where the answer documents content and nothing of it is wanted, as Prism has it.
 */
export function chooseMedia(
  reply: HandlerResponse,
  rule: AnswerRule | undefined,
  accept: string | undefined,
): ChosenMedia {
  const media = rule?.media ?? [];
  const body = asText(reply.body, media);
  if (body === undefined || reply.headers['content-type'] !== undefined) return { body, contentType: undefined };
  const [only] = media;
  // The usual case needs no search.
  if (only !== undefined && accept === undefined && suits(only, body)) return { body, contentType: typeOf(only, body) };
  const suited = media.filter((one) => suits(one, body));
  const candidates = suited.length > 0 ? suited : media;
  if (candidates.length === 0) return { body, contentType: DEFAULTS[body.kind] };
  const best = mostWanted(candidates, accept);
  if (best === undefined) throw notAcceptable(media);
  return { body, contentType: typeOf(best, body) };
}

function typeOf({ parsed, media }: AnswerMedia, body: AnswerBody): string {
  return parsed.essence.includes('*') ? DEFAULTS[body.kind] : media.mediaType;
}

/** A text that is answered where the document knows no JSON is that text. */
function asText(body: AnswerBody | undefined, media: readonly AnswerMedia[]): AnswerBody | undefined {
  if (
    body?.kind !== 'json' ||
    typeof body.value !== 'string' ||
    media.length === 0 ||
    media.some(({ kind }) => kind === 'json')
  )
    return body;
  return { kind: 'text', text: body.value };
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
    const { parsed, alias } = candidate;
    const wanted = want(parsed, alias);
    if (wanted > most) [best, most] = [candidate, wanted];
  }
  return best;
}

function notAcceptable(media: readonly AnswerMedia[]): HttpError {
  const types = media.map(({ media: { mediaType } }) => mediaType).join(', ');
  const message = `must accept ${types}`;
  return new HttpError(406, `The answer is ${types}, which the request does not accept.`, {
    violations: [{ in: 'header', pointer: '/accept', message }],
  });
}
