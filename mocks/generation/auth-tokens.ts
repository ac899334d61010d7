import { type Call, type Collection, type HandlerContext, type HandlerResponse, parseIsoTime } from 'specmill/mock';

import type { AuthToken, BidiGenerateContentSetup, GenerationOperations } from '../../generated/generation/types.js';
import { HOUR, MINUTE, refuseMember } from './refusal.js';

/** A stored token. Times are in epoch milliseconds. */
export interface StoredAuthToken {
  readonly expiresAt: number;
  readonly newSessionExpiresAt: number;
  /** 0: no limit. */
  readonly uses: number;
  readonly used: number;
  readonly fieldMask: string;
  readonly setup?: BidiGenerateContentSetup;
}

const LIFETIME: number = 30 * MINUTE;
const NEW_SESSION: number = MINUTE;
/** Times must be closer in the future than this, in milliseconds. */
const FARTHEST: number = 20 * HOUR;

export function tokensOf(context: HandlerContext): Collection<StoredAuthToken> {
  return context.collection<StoredAuthToken>('authTokens');
}

/** @throws HttpError if a time has passed, or is 20 hours ahead or more. */
export async function createAuthToken(call: Call<GenerationOperations['createAuthToken']>): Promise<HandlerResponse> {
  const {
    expireTime,
    newSessionExpireTime,
    uses = 1,
    fieldMask = '',
    bidiGenerateContentSetup,
  } = call.input.body ?? {};
  const now = call.clock.now();
  const name = `auth_tokens/${Buffer.from(call.random.bytes(20)).toString('hex')}`;
  const token: StoredAuthToken = {
    expiresAt: readTime('expireTime', expireTime, now) ?? now + LIFETIME,
    newSessionExpiresAt: readTime('newSessionExpireTime', newSessionExpireTime, now) ?? now + NEW_SESSION,
    ...{ uses, used: 0, fieldMask },
    ...(bidiGenerateContentSetup === undefined ? {} : { setup: bidiGenerateContentSetup }),
  };
  await tokensOf(call).put(name, token);
  // Unset and input-only members are omitted.
  const shown: AuthToken = { name, ...(fieldMask === '' ? {} : { fieldMask }) };
  return call.respond(200, shown);
}

function readTime(member: string, text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const time = parseIsoTime(text);
  if (time <= now) throw refuseMember(`/${member}`, member, 'must be in the future');
  if (time >= now + FARTHEST) throw refuseMember(`/${member}`, member, 'must be less than 20 hours ahead');
  return time;
}
