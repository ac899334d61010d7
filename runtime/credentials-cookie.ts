import type { CredentialWriter } from './context.js';
import { addCookies } from './cookies.js';
import { readSecret, type Secret } from './credentials-secret.js';

/** Sends an API key as a cookie. */
export function writeKeyCookie(name: string): CredentialWriter<Secret> {
  return async (secret, target) => addCookies(target.headers, { [name]: await readSecret(secret) });
}
