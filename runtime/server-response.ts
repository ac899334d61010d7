import { mediaTypeEssence } from './media-type.js';
import { parseMediaType, readAccept } from './parsed-media-type.js';
import { ServerError } from './server-error.js';
import type { ChooseWriter, ServerCall, ServerOperation, ServerResponse, ServerResult } from './server-types.js';

/** What a handler returned. */
export interface AnyReply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The documented response of a status. */
export function findResponse({ responses }: ServerOperation, status: number): ServerResponse | undefined {
  return responses[status] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses['default'];
}

/** @throws ServerError 406 if a request accepts none of the documented successes. */
export function checkAccept({ responses }: ServerOperation, accept = ''): void {
  if (accept === '' || accept.includes('*/*')) return;
  const successes = Object.entries(responses).flatMap(([status, { content = [] }]) =>
    status.startsWith('2') ? [content.map(([mediaType]) => mediaType)] : [],
  );
  const types = successes.flat();
  const want = readAccept(accept);
  const isWanted = (mediaType: string): boolean => {
    const parsed = parseMediaType(mediaType);
    return parsed === undefined || want(parsed) > 0;
  };
  if (successes.length === 0 || successes.some(({ length }) => length === 0) || types.some(isWanted)) return;
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
  const checked = isChecked ? operation.checkResponse : undefined;
  const fast = checked === undefined ? writePlain(reply, operation) : undefined;
  if (fast !== undefined) return fast;
  const headers = lowerNames(reply.headers);
  const { codec, content = [] } = findResponse(operation, status) ?? {};
  const data = codec === undefined ? reply.body : codec(reply.body, 'encode');
  if (data === undefined) {
    refuse(operation, checked?.({ status, data, headers }));
    return { status, headers };
  }
  const { write = chooseJson, converter } = operation;
  const scope = { given: headers['content-type'], content, accept: call.header('accept'), onError };
  const chosen = write(data, scope);
  const { mediaType: contentType, isDescribed } = chosen;
  const rounded = codec === undefined ? data : converter?.roundData(data);
  refuse(operation, checked?.({ status, contentType, data: isDescribed ? rounded : undefined, headers }), isDescribed);
  const written = {
    contentType,
    checkItem: (item: unknown) => refuse(operation, checked?.({ status, contentType, data: [item] })),
  };
  const body = chosen.write(written);
  headers['content-type'] = written.contentType;
  return { status, headers, body };
}

/** The usual reply: JSON without headers in the only documented media type, not checked. */
function writePlain({ status, body, headers }: AnyReply, operation: ServerOperation): ServerResult | undefined {
  if (operation.write !== undefined || headers !== undefined || typeof body !== 'object' || body === null)
    return undefined;
  const { codec, content } = findResponse(operation, status) ?? {};
  if (codec !== undefined || content === undefined) return undefined;
  return { status, headers: { 'content-type': content[0]?.[0] ?? '' }, body: JSON.stringify(body) };
}

/** Writes JSON in the only documented media type; a text as it is, if the handler gave it another type. */
const chooseJson: ChooseWriter = (data, { given, content: [documented] }) => {
  const isText = typeof data === 'string';
  const mediaType = given ?? documented?.[0] ?? (isText ? 'text/plain; charset=utf-8' : 'application/json');
  const isDescribed = isJson(mediaType);
  return { mediaType, isDescribed, write: () => (isText && !isDescribed ? data : JSON.stringify(data)) };
};

/** Whether a media type is JSON. */
export function isJson(mediaType: string): boolean {
  return /[/+]json$/.test(mediaTypeEssence(mediaType));
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

/** Headers with names in lower case. */
export function lowerNames(headers: AnyReply['headers'] = {}): Record<string, string> {
  const lower: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) lower[name.toLowerCase()] = value;
  return lower;
}
