import type { CallOptions, ClientContext } from './context.js';
import { ApiError, MalformedBodyError, NetworkError } from './errors.js';
import { setHeader } from './headers.js';
import { readPointer } from './pointer.js';
import { readBody } from './read-body.js';

/** The upload goes wrong in a way that sending again does not help. */
export class UploadError extends Error {
  override readonly name: string = 'UploadError';
  /** The record of the file, where there is one already. */
  readonly file: unknown;

  constructor(message: string, file?: unknown) {
    super(message);
    this.file = file;
  }
}

/** The names of the protocol by which bytes are sent. Response headers are in lower case. */
export interface UploadProtocol {
  /** Name of the operation that takes the bytes. */
  readonly name: string;
  /** Request header that says what to do, and its values. */
  readonly command: string;
  readonly commands: { readonly upload: string; readonly finalize: string; readonly query: string };
  /** Request header: position of the first byte. */
  readonly offset: string;
  /** Response header that says how the upload stands, and its value when all is there. */
  readonly status: string;
  readonly final: string;
  /** Response header: how many bytes have arrived. */
  readonly received: string;
  /** JSON pointer to the record of the file in the last answer. */
  readonly file: string;
}

/** How an upload stands. */
export interface UploadState {
  readonly isFinal: boolean;
  /** How many bytes have arrived, where the service says so. */
  readonly received: number | undefined;
  readonly file: unknown;
}

/** An open upload, as the way to its address. */
export interface UploadSession {
  readonly address: string;
  readonly context: ClientContext;
  readonly protocol: UploadProtocol;
  readonly options: CallOptions;
}

/**
 * The address of an upload, checked.
 *
 * @throws UploadError where there is none, or one that the bytes must not go to: none of the web, or one without TLS
 * where the client's own has it.
 */
export function uploadAddress(given: string | undefined, base: string): string {
  const url = given !== undefined && given !== '' && URL.canParse(given, base) ? new URL(given, base) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UploadError('The service gave no address for the bytes.');
  if (url.protocol === 'http:' && new URL(base).protocol === 'https:')
    throw new UploadError('The service gave an address without TLS for the bytes.');
  return url.href;
}

/**
 * Does one step of an upload.
 *
 * @throws ApiError where the service refuses it, NetworkError where no answer comes.
 */
export async function sendStep(
  session: UploadSession,
  command: keyof UploadProtocol['commands'],
  piece?: { readonly offset: number; readonly bytes: Blob },
): Promise<UploadState> {
  const { context, protocol, options } = session;
  const request = buildStep(session, protocol.commands[command], piece);
  try {
    const sent = ((await context.onRequest?.(request)) as Request | undefined) ?? request;
    const response = await (context.fetch ?? fetch)(sent);
    await context.onResponse?.(response, sent);
    const operation = { name: protocol.name, path: '' };
    const body = await readBody(response, operation, !response.ok);
    const headers = Object.fromEntries(response.headers);
    if (!response.ok) throw new ApiError(operation, { status: response.status, body, headers });
    const received = headers[protocol.received];
    return {
      isFinal: headers[protocol.status] === protocol.final,
      received: received === undefined ? undefined : Number(received),
      file: readPointer(body, protocol.file),
    };
  } catch (cause) {
    if (options.signal?.aborted) throw options.signal.reason;
    if (cause instanceof ApiError || cause instanceof MalformedBodyError) throw cause;
    throw new NetworkError(`${protocol.name} got no whole answer.`, { cause });
  }
}

function buildStep(
  { address, context, protocol, options }: UploadSession,
  command: string,
  piece?: { readonly offset: number; readonly bytes: Blob },
): Request {
  const headers = new Headers({ accept: 'application/json' });
  // The address is a secret of its own: it gets no credentials, and another server none of the client's headers.
  const isOwn = new URL(address).origin === new URL(options.baseUrl ?? context.baseUrl).origin;
  const own = isOwn ? { ...context.headers, ...options.headers } : {};
  const all = {
    ...own,
    [protocol.command]: command,
    ...(piece === undefined ? {} : { [protocol.offset]: String(piece.offset) }),
  };
  for (const [name, value] of Object.entries(all)) if (value !== undefined) setHeader(headers, name, value);
  const body = piece === undefined || piece.bytes.size === 0 ? null : piece.bytes;
  if (body !== null) headers.set('content-type', 'application/octet-stream');
  return new Request(address, { method: 'POST', headers, body, signal: options.signal ?? null, redirect: 'error' });
}
