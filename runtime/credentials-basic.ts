import type { CredentialWriter } from './context.js';
import { setHeader } from './headers.js';

/** A user name and a password for HTTP Basic authentication (RFC 7617). */
export interface BasicCredentials {
  /** Without a colon. */
  readonly username: string;
  readonly password: string;
}

/** An API key and its secret; with `account`, a master account's key that acts on that sub account. */
export interface SubAccountCredentials {
  /** Without a colon. */
  readonly key: string;
  readonly secret: string;
  /** Id or external id of the sub account. */
  readonly account?: string | undefined;
}

/** Sends `Authorization: Basic ...`, in UTF-8. */
export const writeBasic: CredentialWriter<BasicCredentials> = ({ username, password }, target) => {
  if (username.includes(':')) throw new TypeError('A user name for Basic authentication cannot have a colon in it.');
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  setHeader(target.headers, 'authorization', `Basic ${btoa(String.fromCharCode(...bytes))}`);
};

/** Sends `Authorization: Basic ...` with the user name `KEY`, or `KEY\\ACCOUNT` with two backslashes. */
export const writeSubAccount: CredentialWriter<SubAccountCredentials> = ({ key, secret, account }, target) =>
  writeBasic({ username: account === undefined ? key : `${key}\\\\${account}`, password: secret }, target);
