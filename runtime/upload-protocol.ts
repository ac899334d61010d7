import { headerValues, readBody } from './client.js';
import type { CallOptions, ClientContext } from './context.js';
import { ApiError, MalformedBodyError, NetworkError } from './errors.js';
import { readPointer } from './helpers.js';
import { type HeaderTarget, setHeader } from './serialize.js';

/** The upload failed, and sending again does not help. */
export class UploadError extends Error {
  override readonly name: string = 'UploadError';
  /** The record of the file, if it exists already. */
  readonly file: unknown;

  constructor(message: string, file?: unknown) {
    super(message);
    this.file = file;
  }
}

/** The header names of the upload protocol. Response headers are in lower case. */
export interface UploadProtocol {
  /** Name of the operation that receives the bytes. */
  readonly name: string;
  /** Request header with the command, and its values. */
  readonly command: string;
  readonly commands: { readonly upload: string; readonly finalize: string; readonly query: string };
  /** Request header: position of the first byte. */
  readonly offset: string;
  /** Response header with the state of the upload, and its value when the upload is complete. */
  readonly status: string;
  readonly final: string;
  /** Response header: the number of bytes received. */
  readonly received: string;
  /** JSON pointer to the record of the file in the last response. */
  readonly file: string;
}

/** The state of an upload. */
export interface UploadState {
  readonly isFinal: boolean;
  /** The number of bytes received, if the server says so. */
  readonly received: number | undefined;
  readonly file: unknown;
}

/** An open upload. */
export interface UploadSession {
  readonly address: string;
  readonly context: ClientContext;
  readonly protocol: UploadProtocol;
  readonly options: CallOptions;
}

/**
 * Checks the address of an upload.
 *
 * @throws UploadError if it is missing, if it is not http or https, or if it lacks TLS although the client's server has
 * it.
 */
export function uploadAddress(given: string | undefined, base: string): string {
  const url = given !== undefined && given !== '' && URL.canParse(given, base) ? new URL(given, base) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UploadError('The server sent no address for the bytes.');
  if (url.protocol === 'http:' && new URL(base).protocol === 'https:')
    throw new UploadError('The server sent an address without TLS for the bytes.');
  return url.href;
}

/**
 * Performs one step of an upload.
 *
 * @throws ApiError if the server refuses it, NetworkError if there is no response.
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
    // Only the last response of an upload must be JSON.
    const operation = { name: protocol.name, path: '', accept: 'application/json, */*' };
    const body = await readBody(response, operation, !response.ok);
    const headers = headerValues(response.headers);
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
    throw new NetworkError(`${protocol.name} got no complete response.`, { cause });
  }
}

function buildStep(
  { address, context, protocol, options }: UploadSession,
  command: string,
  piece?: { readonly offset: number; readonly bytes: Blob },
): Request {
  const headers: HeaderTarget = { accept: 'application/json' };
  // The address is itself a secret: no credentials are sent to it, and another server gets none of the client's headers.
  const isOwn = new URL(address).origin === new URL(options.baseUrl ?? context.baseUrl).origin;
  const own = isOwn ? { ...context.headers, ...options.headers } : {};
  const all = {
    ...own,
    [protocol.command]: command,
    ...(piece === undefined ? {} : { [protocol.offset]: String(piece.offset) }),
  };
  for (const [name, value] of Object.entries(all)) if (value !== undefined) setHeader(headers, name, value);
  const body = piece === undefined || piece.bytes.size === 0 ? null : piece.bytes;
  if (body !== null) setHeader(headers, 'content-type', 'application/octet-stream');
  return new Request(address, { method: 'POST', headers, body, signal: options.signal ?? null, redirect: 'error' });
}
