import type { MediaKind } from '../../runtime/media-type.js';
import { writeXmlText, type XmlPlan } from '../../runtime/xml.js';
import { HttpError } from '../http-error.js';
import { findMediaType, parseMediaType, readAccept, type ParsedMediaType } from '../../runtime/parsed-media-type.js';
import type { ResponseBody, ResponseMessage } from '../messages.js';
import type { ResponseMedia, ResponseSpec } from './response-spec.js';

const DEFAULTS: Readonly<Record<ResponseBody['kind'], string>> = {
  json: 'application/json',
  text: 'text/plain; charset=utf-8',
  bytes: 'application/octet-stream',
  stream: 'application/octet-stream',
  events: 'text/event-stream',
  items: 'application/jsonl',
};

/** The media type to send for a documented range. */
const RANGE_DEFAULTS: Readonly<Record<string, string>> = {
  'text/*': 'text/plain; charset=utf-8',
  'image/*': 'image/png',
  'audio/*': 'audio/wav',
  'video/*': 'video/mp4',
};

const KINDS: Readonly<Record<ResponseBody['kind'], readonly MediaKind[]>> = {
  json: ['json', 'any'],
  text: ['text', 'form', 'multipart', 'binary', 'any', 'json'],
  bytes: ['binary', 'any', 'multipart', 'text'],
  stream: ['binary', 'any', 'text', 'json', 'multipart'],
  events: ['stream'],
  items: [],
};

/** The body to send and its media type, which is `undefined` if the message already has one or needs none. */
export interface NegotiatedContent {
  readonly body: ResponseBody | undefined;
  readonly contentType: string | undefined;
}

/**
 * Chooses the media type of a response: of the documented ones that fit the body, the one that the client prefers.
 *
 * @throws HttpError 406 if the client accepts none of the documented content, like Prism.
 */
export function negotiateContent(
  message: ResponseMessage,
  spec: ResponseSpec | undefined,
  accept: string | undefined,
): NegotiatedContent {
  const media = spec?.media ?? [];
  const body = asText(message.body, media, accept);
  const given = message.headers['content-type'];
  if (body === undefined) return { body, contentType: undefined };
  if (given !== undefined) {
    const parsed = typeof given === 'string' ? parseMediaType(given) : undefined;
    const known = parsed === undefined ? undefined : findMediaType(media, parsed);
    return { body: known === undefined ? body : asWritten(body, known), contentType: undefined };
  }
  const [only] = media;
  // The usual case needs no search.
  if (only !== undefined && accept === undefined && media.length === 1 && suits(only, body))
    return { body: asWritten(body, only), contentType: typeOf(only, body) };
  const suited = media.filter((one) => suits(one, body));
  const candidates = suited.length > 0 ? suited : media;
  if (candidates.length === 0) return { body, contentType: DEFAULTS[body.kind] };
  const best = mostWanted(candidates, accept);
  if (best === undefined) throw refuseAccept(media.map(({ media: { mediaType } }) => mediaType));
  return { body: asWritten(body, best), contentType: typeOf(best, body) };
}

/** The XML plan of a value without a schema. */
const ANY_XML: XmlPlan = { root: {}, members: [] };

function isXmlType({ essence }: ParsedMediaType): boolean {
  return /[/+](?:x-)?xml$/.test(essence);
}

/** Converts a value to the form of its media type: the items of a stream, or XML. */
function asWritten(body: ResponseBody, { items, xml, parsed }: ResponseMedia): ResponseBody {
  if (body.kind === 'json' && isXmlType(parsed) && typeof body.value !== 'string')
    return { kind: 'text', text: writeXmlText(body.value, xml ?? ANY_XML) };
  return items !== undefined && body.kind === 'json' && Array.isArray(body.value)
    ? { kind: 'items', items: body.value }
    : body;
}

/** Returns media types within a range, the most usual first. */
export function membersOfRange(range: string): readonly string[] {
  const member = RANGE_DEFAULTS[range];
  if (member !== undefined) return [member.split(';', 1)[0] ?? member];
  if (range === '*/*') return ['application/json', 'text/plain'];
  return [range === 'application/*' ? 'application/json' : range.replace('*', 'octet-stream')];
}

/** Returns the media type of a response. For a range, chooses a type within it by the body. */
function typeOf({ parsed, media }: ResponseMedia, body: ResponseBody): string {
  if (!parsed.essence.includes('*')) return media.mediaType;
  return RANGE_DEFAULTS[parsed.essence] ?? DEFAULTS[body.kind];
}

/** Treats a JSON string as text if the spec documents no JSON, unless a range leaves the choice to the client. */
function asText(
  body: ResponseBody | undefined,
  media: readonly ResponseMedia[],
  accept: string | undefined,
): ResponseBody | undefined {
  if (body?.kind !== 'json' || typeof body.value !== 'string' || media.length === 0) return body;
  if (media.some(({ kind }) => kind === 'json')) return body;
  if (media.some(({ kind }) => kind === 'any') && accept?.includes('json') === true) return body;
  return { kind: 'text', text: body.value };
}

/** Whether a body can be a stream of items: a list has all of them at once. */
function isList(body: ResponseBody): boolean {
  return body.kind === 'items' || (body.kind === 'json' && Array.isArray(body.value));
}

function suits({ kind, items, xml }: ResponseMedia, body: ResponseBody): boolean {
  if (xml !== undefined && body.kind === 'json') return true;
  return KINDS[body.kind].includes(kind) || (items !== undefined && isList(body));
}

function mostWanted(candidates: readonly ResponseMedia[], accept: string | undefined): ResponseMedia | undefined {
  if (accept === undefined) return candidates[0];
  const want = readAccept(accept);
  let best: ResponseMedia | undefined;
  let most = 0;
  for (const candidate of candidates) {
    const { parsed, isAlias } = candidate;
    const wanted = want(parsed, isAlias);
    if (wanted > most) [best, most] = [candidate, wanted];
  }
  return best;
}

/** The refusal of a request that accepts none of the documented media types. */
export function refuseAccept(mediaTypes: readonly string[]): HttpError {
  const types = mediaTypes.join(', ');
  const message = `must accept ${types}`;
  return new HttpError(406, `The response is ${types}, which the request does not accept.`, {
    violations: [{ in: 'header', pointer: '/accept', message }],
  });
}

/** A media type that no response has. */
const NONE = 'none/none';

/**
 * Returns the documented media types that an `Accept` header wants, for Prism's negotiator, most wanted first;
 * `undefined` if it wants all of them equally.
 */
export function acceptedMediaTypes(
  header: string | undefined,
  documented: readonly string[],
): readonly string[] | undefined {
  const want = readAccept(header);
  const wanted = documented.map((mediaType) => {
    const parsed = parseMediaType(mediaType);
    return { mediaType, quality: parsed === undefined ? 0 : want(parsed) };
  });
  const [first] = wanted;
  if (first === undefined || wanted.every(({ quality }) => quality > 0 && quality === first.quality)) return undefined;
  const accepted = wanted
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ mediaType }) => mediaType);
  return accepted.length === 0 ? [NONE] : accepted;
}
