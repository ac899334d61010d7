import type { CredentialWriter } from './context.js';
import { readSecret, type Secret } from './credentials-secret.js';
import { setHeader } from './headers.js';

/** Sends `Authorization: <scheme> <token>`. */
export function writeAuthorization(scheme: string): CredentialWriter<Secret> {
  return async (secret, target) => setHeader(target.headers, 'authorization', `${scheme} ${await readSecret(secret)}`);
}

/** Sends `Authorization: Bearer <token>` (RFC 6750). */
export const writeBearer: CredentialWriter<Secret> = /* @__PURE__ */ writeAuthorization('Bearer');
