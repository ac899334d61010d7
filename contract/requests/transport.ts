import type { WireRequest } from '../types.js';
import { essenceOf } from './media.js';

/** An answer, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Carries a request to the server, once: no redirect is followed. Rejects where no answer comes, or the signal is aborted. */
export interface Transport {
  readonly send: (request: WireRequest, signal: AbortSignal) => Promise<Answer>;
  readonly close: () => void;
}

/** Of an answer so much is read, in bytes or characters. */
export const MAX_ANSWER = 64_000_000;

/** Whether an answer may have no end, so that its beginning must do. */
export function isEndless(contentType: string | null | undefined): boolean {
  return essenceOf(contentType ?? '') === 'text/event-stream';
}

/** Sends with a `fetch`, such as that of a mock in this process. */
export function createFetchTransport(send: typeof fetch): Transport {
  return {
    send: async ({ method, url, headers, body }, signal) => {
      // Redirects are answers: following one could lead to a host that was not named.
      const init = { method, headers, redirect: 'manual', signal, ...(body === undefined ? {} : { body }) } as const;
      const response = await send(url, init);
      const text = isEndless(response.headers.get('content-type'))
        ? await readStart(response)
        : (await response.text()).slice(0, MAX_ANSWER);
      return { status: response.status, headers: response.headers, text };
    },
    close: () => {},
  };
}

async function readStart(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const { value } = await reader.read();
  await reader.cancel();
  return value === undefined ? '' : new TextDecoder().decode(value);
}
