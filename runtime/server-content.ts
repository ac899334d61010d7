import { stringifyExactJson } from './json-integers.js';
import { mediaKind, mediaTypeEssence } from './media-type.js';
import { findMediaType, parseMediaType, readAccept } from './parsed-media-type.js';
import { toText } from './serialize.js';
import { byteStream, isIterable, watchStream } from './server-streams.js';
import type { ChooseWriter, DataWriter, SentBody, ServerResponse } from './server-types.js';

type Content = NonNullable<ServerResponse['content']>;

/** Chooses among several media types, and writes what is not JSON: texts, bytes and streams. */
export const chooseWriter: ChooseWriter = (data, { given, content, accept, onError }) => {
  const [mediaType = '', writer] = chooseContent(data, given, content, accept);
  const isJson = writer === undefined && mediaKind(mediaType) === 'json' && !isStream(data);
  return {
    mediaType,
    isDescribed: isJson || (writer !== undefined && typeof data === 'object' && !isStream(data) && !isIterable(data)),
    write: (response) => {
      const body = writer === undefined ? writeData(data, isJson) : writer(data, response);
      return body instanceof ReadableStream ? watchStream(body, onError) : body;
    },
  };
};

function isStream(data: unknown): boolean {
  return data instanceof Blob || data instanceof ReadableStream || data instanceof Uint8Array;
}

/** The media type and writer of some data: the handler's, or the documented one that the client prefers. */
function chooseContent(
  data: unknown,
  given: string | undefined,
  content: Content,
  accept: string | undefined,
): readonly [mediaType?: string, write?: DataWriter | undefined] {
  if (given !== undefined) {
    const parsed = parseMediaType(given);
    const entries = content.flatMap(([mediaType, write]) => {
      const one = parseMediaType(mediaType);
      return one === undefined ? [] : [{ parsed: one, write }];
    });
    return [given, parsed === undefined ? undefined : findMediaType(entries, parsed)?.write];
  }
  const fitting = content.filter(([mediaType, write]) => write !== undefined || fits(data, mediaType));
  const candidates = fitting.length === 0 ? content : fitting;
  const best = candidates.length > 1 ? mostWanted(candidates, accept) : candidates[0];
  if (best === undefined) return [defaultType(data)];
  return best[0].includes('*') ? [typeInRange(best[0], data), best[1]] : best;
}

function fits(data: unknown, mediaType: string): boolean {
  const kind = mediaKind(mediaType);
  if (kind === 'any') return true;
  return isStream(data) || isIterable(data) ? kind === 'binary' || kind === 'stream' : kind !== 'binary';
}

function mostWanted(candidates: Content, accept: string | undefined): Content[number] | undefined {
  const want = readAccept(accept);
  let best = candidates[0];
  let most = 0;
  for (const one of candidates) {
    const parsed = parseMediaType(one[0]);
    const wanted = parsed === undefined ? 0 : want(parsed);
    if (wanted > most) [best, most] = [one, wanted];
  }
  return best;
}

function typeInRange(range: string, data: unknown): string {
  const own = defaultType(data);
  const start = mediaTypeEssence(range).replace(/\*$/, '');
  return range.startsWith('*') || own.startsWith(start) ? own : 'application/octet-stream';
}

function defaultType(data: unknown): string {
  if (data instanceof Blob && data.type !== '') return data.type;
  if (isStream(data) || isIterable(data)) return 'application/octet-stream';
  return typeof data === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
}

function writeData(data: unknown, isJson: boolean): SentBody {
  if (isJson) return writeJson(data);
  if (isIterable(data)) return byteStream(data);
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (typeof data === 'string' || isStream(data)) return data as SentBody;
  return typeof data === 'object' ? writeJson(data) : toText(data);
}

/** Writes JSON, also with a `bigint`. */
function writeJson(data: unknown): string {
  try {
    return JSON.stringify(data);
  } catch {
    return stringifyExactJson(data);
  }
}
