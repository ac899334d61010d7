import { InputError, systemCode } from '../../../model/diagnostics/input-error.js';
import type { ResolvedOptions } from '../../resolve-options.js';
import { LateResponseError } from './transport.js';

/** Time between two attempts to reach a server, in milliseconds. */
const RETRY_MS = 250;

type ReachOptions = Pick<ResolvedOptions, 'transport' | 'url' | 'headers' | 'timeLimitMs' | 'waitMs'>;

/**
 * Waits until the server responds. Any HTTP response counts as reachable, even a slow or broken one; it is checked later.
 *
 * @throws InputError if it does not respond in time.
 */
export async function checkReachable(options: ReachOptions): Promise<void> {
  const { transport, url, headers, timeLimitMs, waitMs } = options;
  const end = Date.now() + waitMs;
  for (;;) {
    try {
      await transport.send({ method: 'GET', url: url.href, headers }, timeLimitMs);
      return;
    } catch (error) {
      if (error instanceof LateResponseError || isBrokenBody(error)) return;
      if (Date.now() >= end) throw unreachable(url, error);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

/** Whether a body could not be decompressed: then a server has responded. */
function isBrokenBody(error: unknown): boolean {
  return systemCode(error)?.startsWith('Z_') === true;
}

function unreachable(url: URL, error: unknown): InputError {
  const reason = reasonOf(error);
  const isTrust = /certificate|self.signed/i.test(reason);
  const advice = isTrust ? ' Give the certificate of its authority with --ca FILE, or --insecure.' : '';
  return new InputError(`The server at ${url.origin} does not respond: ${reason}.${advice}`, {}, { cause: error });
}

/** `fetch` puts the actual reason into the `cause` of its error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message } = error.cause instanceof Error ? error.cause : error;
  return (message === '' ? (systemCode(error) ?? error.name) : message).replace(/\.$/, '');
}
