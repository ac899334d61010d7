import type { ResponseHeaders, WireRequest } from '../../types.js';
import { systemCode } from '../../../model/diagnostics/input-error.js';
import { mediaTypeEssence } from '../../../runtime/media-type.js';

/** A response that was read completely. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly text: string;
  /** Set if the text is incomplete because the rest was not awaited. */
  readonly isCut?: true;
}

/** Sends a request to the server once, without following redirects. Rejects if no response arrives within the limit. */
export interface Transport {
  readonly send: (request: WireRequest, timeLimitMs: number) => Promise<ReceivedResponse>;
  readonly close: () => void;
}

/** Thrown if no response arrived within the limit. */
export class LateResponseError extends Error {
  override readonly name = 'LateResponseError';

  constructor() {
    super('it took too long');
  }
}

/** Whether nothing listens at the address of the server. */
export function isRefused(error: unknown): boolean {
  return connectionCode(error) === 'ECONNREFUSED';
}

/** Whether the connection broke after it had been made. */
export function isBroken(error: unknown): boolean {
  const code = connectionCode(error);
  return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE';
}

/** The platform's `fetch` puts the actual error into the `cause` of its own. */
function connectionCode(error: unknown): string | undefined {
  return systemCode(error) ?? (error instanceof Error ? systemCode(error.cause) : undefined);
}

/** The largest response that is read, in bytes or characters. */
export const MAX_RESPONSE = 64_000_000;

/** How much of a possibly endless stream is read: in bytes, and in milliseconds. */
export const MAX_STREAM = 1_000_000;
export const MAX_STREAM_MS = 2_000;

/** Whether a response may be endless. */
export function isEndless(contentType: string | null | undefined): boolean {
  return mediaTypeEssence(contentType ?? '') === 'text/event-stream';
}

/** Sends with a given `fetch`, such as that of a mock in this process. */
export function createFetchTransport(send: typeof fetch): Transport {
  return {
    send: async (request, timeLimitMs) => {
      const controller = new AbortController();
      // Reads data that arrived while this process was busy before the response counts as late.
      const timer = setTimeout(() => setImmediate(() => controller.abort()), timeLimitMs);
      try {
        return await fetchResponse(send, request, controller.signal);
      } catch (error) {
        throw controller.signal.aborted ? new LateResponseError() : error;
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => {},
  };
}

async function fetchResponse(
  send: typeof fetch,
  { method, url, headers, body }: WireRequest,
  signal: AbortSignal,
): Promise<ReceivedResponse> {
  // A redirect is a response of its own; following it could lead to a host that the user did not name.
  const init = { method, headers, redirect: 'manual', signal, ...(body === undefined ? {} : { body }) } as const;
  const response = await send(url, init).catch((error: unknown) => {
    // A server behind `new Request` cannot get the body of a GET, which Node's connections send.
    if (method !== 'GET' || body === undefined || !(error instanceof TypeError)) throw error;
    return send(url, { method, headers, redirect: 'manual', signal });
  });
  const { status, headers: received } = response;
  if (isEndless(received.get('content-type'))) return { status, headers: received, ...(await readStream(response)) };
  return { status, headers: received, text: (await response.text()).slice(0, MAX_RESPONSE) };
}

async function readStream(response: Response): Promise<Pick<ReceivedResponse, 'text' | 'isCut'>> {
  const reader = response.body?.getReader();
  if (reader === undefined) return { text: '' };
  const decoder = new TextDecoder();
  const late = new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), MAX_STREAM_MS).unref());
  let text = '';
  for (;;) {
    const part = await Promise.race([reader.read(), late]);
    if (part === 'late' || text.length > MAX_STREAM) {
      await reader.cancel();
      return { text, isCut: true };
    }
    if (part.done) return { text: text + decoder.decode() };
    text += decoder.decode(part.value, { stream: true });
  }
}
