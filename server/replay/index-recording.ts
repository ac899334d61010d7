import { decodeLeniently } from '../../model/document/pointer.js';
import type { RecordedExchange, RecordedMessage } from '../../http/recording/read-exchanges.js';
import { kindOf, parseMediaType } from '../../runtime/parsed-media-type.js';
import { type HeaderMap, type MockRequest, type ResponseMessage, readHeader } from '../../http/messages.js';
import { splitTarget, createRouter, type RouteMatch } from '../../http/routing/router.js';
import type { Redact } from '../../http/secrets/redaction.js';
import type { Api } from '../../model/api.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

export interface RequestToReplay {
  readonly request: Pick<MockRequest, 'method' | 'target' | 'headers'>;
  readonly match: RouteMatch;
  /** The decompressed body. */
  readonly bytes: Uint8Array;
}

/** Returns the recorded response to a request; `undefined` if none was recorded. */
export type FindRecorded = (request: RequestToReplay) => ResponseMessage | undefined;

export interface RecordingIndex {
  readonly find: FindRecorded;
  /** The number of recorded calls of the API. */
  readonly count: number;
  /** The number of recorded calls with a response. */
  readonly all: number;
}

/**
 * Indexes a recording to find the first call with the same method, path, query and body shape as a request. Credentials
 * are ignored, because they are redacted on both sides.
 */
export async function indexRecording(
  recording: AsyncIterable<RecordedExchange>,
  api: Api,
  redact: Redact,
): Promise<RecordingIndex> {
  const findRoute = createRouter(api);
  const first = new Map<string, ResponseMessage>();
  let [count, all] = [0, 0];
  for await (const call of recording) {
    const { method, target: url, request } = call;
    if (!isFinalStatus(call.status) || !URL.canParse(url)) continue;
    all += 1;
    const { path, query } = splitTarget(redact.target(url));
    const shape = shapeOf(bytesOf(request).toString(), request.mimeType);
    const key = keyOf(findRoute(method, path), { method, query, shape });
    if (key === undefined) continue;
    count += 1;
    if (!first.has(key)) first.set(key, toResponse(call));
  }
  const find: FindRecorded = ({ request: { method, target, headers }, match, bytes }) => {
    const { path, query } = splitTarget(redact.target(target));
    const shape = shapeOf(Buffer.from(bytes).toString(), readHeader({ headers }, 'content-type') ?? '');
    // The values of a path that are credentials are redacted in the recording.
    const known = path === splitTarget(target).path ? match : findRoute(method, path);
    const key = keyOf(known, { method, query, shape });
    return key === undefined ? undefined : first.get(key);
  };
  return { find, count, all };
}

function isFinalStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 200 && status <= 599;
}

/** Makes the key of a call from its operation and path values, so that the recorded base path does not matter. */
function keyOf(
  match: RouteMatch,
  { method, query, shape }: { readonly method: string; readonly query: string; readonly shape: string },
): string | undefined {
  if (match.kind !== 'operation') return undefined;
  const values = [...match.values].map(([name, value]) => [name, decodeLeniently(value)]);
  const fields = [...new URLSearchParams(query)].sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  return stringifyExactJson([method, match.operation.id, values, fields, shape]);
}

function bytesOf({ text, isBase64 }: RecordedMessage): Buffer {
  return Buffer.from(text, isBase64 ? 'base64' : 'utf8');
}

/** The greatest depth that is compared; deeper values all have the same shape. */
const DEEPEST = 100;

/**
 * Returns the shape of a body, which does not depend on its values: the media type, and for JSON the names and types of
 * members, for a form the names of fields. An empty body has an empty shape.
 */
function shapeOf(text: string, contentType: string): string {
  if (text === '') return '';
  const parsed = parseMediaType(contentType);
  const essence = parsed?.essence ?? '';
  const kind = parsed === undefined ? 'json' : kindOf(parsed);
  if (kind === 'json') return `json ${shapeOfJson(text)}`;
  if (essence !== 'application/x-www-form-urlencoded') return essence;
  return `form ${[...new Set(new URLSearchParams(text).keys())]
    .sort()
    .map((name) => stringifyExactJson(name))
    .join()}`;
}

function shapeOfJson(text: string): string {
  try {
    return shapeOfValue(JSON.parse(text), 0);
  } catch {
    return '?';
  }
}

function shapeOfValue(value: unknown, depth: number): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  if (depth > DEEPEST) return '...';
  if (Array.isArray(value))
    return `[${[...new Set(value.map((item: unknown) => shapeOfValue(item, depth + 1)))].sort().join('|')}]`;
  const members = Object.entries(value).map(
    ([name, one]) => `${stringifyExactJson(name)}:${shapeOfValue(one, depth + 1)}`,
  );
  return `{${members.sort().join()}}`;
}

/**
 * Headers that are not replayed: those about the recorded connection or the encoding and framing of the body, and those
 * that the mock writes itself.
 */
const DROPPED: ReadonlySet<string> = new Set([
  ...['connection', 'proxy-connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['content-length', 'content-encoding', 'content-md5', 'digest', 'date', 'via', 'alt-svc'],
  ...['strict-transport-security', 'vary', 'host', 'sl-violations'],
]);
/** CORS is the mock's own, and so are its own headers. */
const OWN = /^(?:access-control-|x-specmill-)/;

/** Whether a recorded header is sent again. A line break in a value may be an attempt to add other headers. */
function isReplayed(name: string, value: HeaderMap[string]): boolean {
  return !DROPPED.has(name) && !OWN.test(name) && ![value ?? []].flat().some((text) => /[\r\n\0]/.test(text));
}

function toResponse({ status, response }: RecordedExchange): ResponseMessage {
  const headers = Object.fromEntries(
    Object.entries(response.headers).filter(([name, value]) => isReplayed(name, value)),
  );
  const { text, isBase64, mimeType } = response;
  if (text === '') return { status, headers, body: undefined };
  const contentType = readHeader({ headers }, 'content-type') || mimeType;
  const typed = (type: string): HeaderMap => (type === '' ? headers : { ...headers, 'content-type': type });
  return isBase64
    ? { status, headers: typed(contentType), body: { kind: 'bytes', bytes: bytesOf(response) } }
    : { status, headers: typed(asUtf8(contentType)), body: { kind: 'text', text } };
}

/** Sets the charset to UTF-8, because a HAR file has texts instead of their original bytes. */
function asUtf8(contentType: string): string {
  const charset = parseMediaType(contentType)?.parameters.get('charset');
  if (charset === undefined || /^utf-?8$/i.test(charset)) return contentType;
  return contentType.replace(/(;\s*charset\s*=\s*)("[^"]*"|[^;\s]+)/i, '$1utf-8');
}
