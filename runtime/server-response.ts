import { stringifyExactJson } from './json-integers.js';
import { mediaKind, mediaTypeEssence, statusKeys } from './media-type.js';
import { findMediaType, parseMediaType, readAccept } from './parsed-media-type.js';
import { toText } from './serialize.js';
import { round } from './round-integers.js';
import { ServerError } from './server-error.js';
import { byteStream, isIterable, watchStream } from './server-streams.js';
import type {
  DataWriter,
  SentBody,
  ServerCall,
  ServerOperation,
  ServerResponse,
  ServerResult,
  WrittenResponse,
} from './server-types.js';

/** What a handler returned. */
export interface AnyReply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
}

type Content = NonNullable<ServerResponse['content']>;

const found = new WeakMap<ServerOperation, Map<number, ServerResponse | undefined>>();

/** The documented response of a status. */
export function findResponse(operation: ServerOperation, status: number): ServerResponse | undefined {
  let known = found.get(operation);
  if (known === undefined) found.set(operation, (known = new Map()));
  if (known.has(status)) return known.get(status);
  const response = statusKeys(status)
    .map((key) => operation.responses.find((one) => one.status === key))
    .find((one) => one !== undefined);
  // Handlers can send any status.
  if (known.size < 100) known.set(status, response);
  return response;
}

/** @throws ServerError 406 if a request accepts none of the documented successes. */
export function checkAccept({ responses }: ServerOperation, accept: string | undefined): void {
  if (accept === undefined || accept === '' || accept.includes('*/*')) return;
  const successes = responses.filter(({ status }) => status.startsWith('2'));
  const types = successes.flatMap(({ content = [] }) => content.map(([mediaType]) => mediaType));
  if (types.length === 0 || successes.some(({ content = [] }) => content.length === 0)) return;
  const want = readAccept(accept);
  const isWanted = types.some((mediaType) => {
    const parsed = parseMediaType(mediaType);
    return parsed === undefined || want(parsed) > 0;
  });
  if (isWanted) return;
  const message = `must accept ${[...new Set(types)].join(', ')}`;
  throw new ServerError(406, `The request ${message}.`, {
    violations: [{ in: 'header', pointer: '/accept', message }],
  });
}

/**
 * Writes a reply.
 *
 * @param onError - is called if a stream breaks after its first byte.
 * @throws Error if the reply is not documented, and `check` is set.
 */
export function writeReply(
  reply: AnyReply,
  operation: ServerOperation,
  call: ServerCall,
  { isChecked, onError }: { readonly isChecked: boolean; readonly onError: (error: unknown) => void },
): ServerResult {
  const { status } = reply;
  const fast = writePlain(reply, operation, isChecked);
  if (fast !== undefined) return fast;
  const headers = lowerNames(reply.headers);
  const response = findResponse(operation, status);
  const data = response?.codec === undefined ? reply.body : response.codec(reply.body, 'encode');
  const checked = isChecked ? operation.checkResponse : undefined;
  const [mediaType, writer] =
    data === undefined
      ? []
      : chooseContent(data, headers['content-type'], response?.content ?? [], call.header('accept'));
  if (data === undefined || mediaType === undefined) {
    refuse(operation, checked?.({ status, data: undefined, headers }));
    return { status, headers };
  }
  const written: WrittenResponse = {
    contentType: mediaType,
    checkItem: (item) => refuse(operation, checked?.({ status, contentType: mediaType, data: [round(item)] })),
  };
  const isJson = writer === undefined && mediaKind(mediaType) === 'json' && !isStream(data);
  const isDescribed =
    isJson || (writer !== undefined && typeof data === 'object' && !isStream(data) && !isIterable(data));
  refuse(
    operation,
    checked?.({
      status,
      contentType: mediaType,
      data: isDescribed ? (response?.codec === undefined ? data : round(data)) : undefined,
      headers,
    }),
    isDescribed,
  );
  const body = writer === undefined ? writeData(data, isJson) : writer(data, written);
  headers['content-type'] = written.contentType;
  return { status, headers, body: body instanceof ReadableStream ? watchStream(body, onError) : body };
}

/** The usual reply: JSON without headers in the only documented media type, not checked. */
function writePlain(
  { status, body, headers }: AnyReply,
  operation: ServerOperation,
  isChecked: boolean,
): ServerResult | undefined {
  if (
    (isChecked && operation.checkResponse !== undefined) ||
    headers !== undefined ||
    typeof body !== 'object' ||
    body === null
  )
    return undefined;
  const { codec, content = [] } = findResponse(operation, status) ?? {};
  const [[mediaType, writer] = ['']] = content;
  if (codec !== undefined || content.length !== 1 || writer !== undefined || mediaType !== 'application/json')
    return undefined;
  if (isStream(body) || isIterable(body)) return undefined;
  return { status, headers: { 'content-type': mediaType }, body: writeJson(body) };
}

/** @throws Error with the first violations. Those of data that is no value of the schema do not count. */
function refuse(
  operation: ServerOperation,
  result: ReturnType<NonNullable<ServerOperation['checkResponse']>> | undefined,
  checksData = true,
): void {
  if (result === undefined || result.ok) return;
  const errors = checksData ? result.errors : result.errors.filter(({ pointer }) => !pointer.startsWith('/data'));
  if (errors.length === 0) return;
  const list = errors.slice(0, 3).map(({ pointer, message }) => `${pointer} ${message}`);
  throw new Error(`The response of ${operation.name} does not match the spec: ${list.join('; ')}`);
}

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

function lowerNames(headers: AnyReply['headers'] = {}): Record<string, string> {
  const lower: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) lower[name.toLowerCase()] = value;
  return lower;
}
