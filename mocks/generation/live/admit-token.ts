import type { Call, HandlerResponse } from 'specmill/mock';

import type { GenerationOperations } from '../../../generated/generation/types.js';
import { type StoredToken, tokensOf } from '../auth-tokens.js';
import { SessionClose } from './session-close.js';

type SessionCall = Call<GenerationOperations['openConstrainedLiveSession']>;

/** The name of the token that a connection was opened with. */
export function tokenNameOf(call: SessionCall): string | undefined {
  return call.caller.schemes.includes('accessToken') ? (call.caller.key ?? call.caller.token) : undefined;
}

/** A token that is unknown or past its `expireTime` is refused before the socket opens. */
export async function refuseUnknownToken(call: SessionCall): Promise<HandlerResponse | undefined> {
  const token = await tokensOf(call).get(tokenNameOf(call) ?? '');
  if (token === undefined) return call.refuse(401, 'The token is not known.', { status: 'UNAUTHENTICATED' });
  return token.expiresAt <= call.clock.now()
    ? call.refuse(401, 'The token has expired.', { status: 'UNAUTHENTICATED' })
    : undefined;
}

/** A message that arrives after `expireTime` is rejected. @throws SessionClose 1008 */
export async function checkToken(call: SessionCall): Promise<void> {
  const name = tokenNameOf(call);
  if (name === undefined) return;
  const token = await tokensOf(call).get(name);
  if (token === undefined || token.expiresAt <= call.clock.now())
    throw new SessionClose(1008, 'The token has expired.');
}

/**
 * Counts a use of the token that opens a new session. Resuming a session is not a use.
 *
 * @throws SessionClose 1008 past `newSessionExpireTime`, or where no use is left.
 */
export async function takeUse(call: SessionCall, name: string): Promise<void> {
  let problem: string | undefined;
  await tokensOf(call).update(name, (token) => {
    problem = token === undefined ? 'The token is not known.' : problemOf(token, call.clock.now());
    return token === undefined || problem !== undefined ? token : { ...token, used: token.used + 1 };
  });
  if (problem !== undefined) throw new SessionClose(1008, problem);
}

function problemOf({ newSessionExpiresAt, uses, used }: StoredToken, now: number): string | undefined {
  if (newSessionExpiresAt <= now) return 'The token opens no new sessions any more.';
  return uses > 0 && used >= uses ? 'The token has no use left.' : undefined;
}
