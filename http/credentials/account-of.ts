import { isRecord, mapRecord } from '../../model/document/records.js';
import { parseJsonText } from '../../model/document/json-text.js';
import { type HeaderMap, readHeader } from '../messages.js';

/** The most characters of a name that is shown. */
const LONGEST = 80;

/** Who sent a request, without anything that is a credential. */
export interface RecordedClient {
  /** `User-Agent`, or ''. */
  readonly userAgent: string;
  /** The user of Basic credentials, or the subject of a JSON Web Token. */
  readonly account?: string;
}

/** Returns who sent a request. A recording usually has no credentials, and so no account. */
export function clientOf(headers: HeaderMap): RecordedClient {
  const account = accountIn(readHeader({ headers }, 'authorization') ?? '');
  const userAgent = (readHeader({ headers }, 'user-agent') ?? '').slice(0, LONGEST);
  return account === undefined ? { userAgent } : { userAgent, account: account.slice(0, LONGEST) };
}

function accountIn(authorization: string): string | undefined {
  const [scheme = '', value = ''] = authorization.trim().split(/ +/, 2);
  if (/^basic$/i.test(scheme)) return userOf(Buffer.from(value, 'base64').toString());
  if (/^bearer$/i.test(scheme)) return subjectOf(value);
  return undefined;
}

/** Some APIs take a key as user name, without a password or with a fixed one: that is a credential, and not shown. */
function userOf(pair: string): string | undefined {
  const colon = pair.indexOf(':');
  const [user, password] = [pair.slice(0, Math.max(0, colon)), pair.slice(colon + 1)];
  const isKey = password.length < 3 || /^x[-_]?oauth|^api[-_]?key$/i.test(password) || !isPlainName(user);
  return isKey ? undefined : user;
}

/** The claim `sub` of a token (RFC 7519); the token itself is signed, so that the claim alone opens nothing. */
function subjectOf(token: string): string | undefined {
  const [, claims = '', signature] = token.split('.');
  const value = signature === undefined ? undefined : parseJsonText(Buffer.from(claims, 'base64url').toString());
  const subject = isRecord(value) ? mapRecord(value, String)['sub'] : undefined;
  return subject !== undefined && subject.length <= LONGEST ? subject : undefined;
}

/** Whether a user name is no random key: an address, or a short name with few digits. */
function isPlainName(user: string): boolean {
  if (/^[^\s@]{1,60}@[^\s@]{1,60}$/.test(user)) return true;
  return /^[\w. -]{1,32}$/.test(user) && user.replaceAll(/\D/g, '').length <= 4;
}
