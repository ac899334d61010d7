import type { CredentialWriter } from './context.js';
import { readSecret, type Secret } from './credentials-secret.js';
import { setHeader } from './headers.js';
import { encode } from './serialize.js';

/**
 * Sends an API key in a header of its own. `fetch` follows redirects and would carry this header to wherever they
 * lead (it takes away `Authorization` and cookies only), so such a request is not redirected.
 */
export function writeKeyHeader(name: string): CredentialWriter<Secret> {
  return async (secret, target) => {
    setHeader(target.headers, name, await readSecret(secret));
    if (name.toLowerCase() !== 'authorization') target.redirect = 'manual';
  };
}

/** Sends an API key in the query. */
export function writeKeyQuery(name: string): CredentialWriter<Secret> {
  return async (secret, target) => {
    target.query.push(`${encode(name)}=${encode(await readSecret(secret))}`);
  };
}
