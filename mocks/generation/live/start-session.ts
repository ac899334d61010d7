import { type Call, type HandlerResponse, isRecord } from 'specmill/mock';

import type { BidiGenerateContentSetup, Content, GenerationOperations } from '../../../generated/generation/types.js';
import { type StoredAuthToken, tokensOf } from '../auth-tokens.js';
import { SessionClose } from './live-messages.js';
import { modelId, useModel } from '../models.js';
import { checkConfig } from '../prepare-request.js';
import { findHistory } from './saved-sessions.js';

export type SessionCall = Call<GenerationOperations['openConstrainedLiveSession']>;

export interface SessionStart {
  readonly setup: BidiGenerateContentSetup;
  /** The history of a resumed session. */
  readonly history: readonly Content[];
}

/**
 * Starts a session, new or resumed, with the setups of the connection and of the token.
 *
 * @throws SessionClose
 * @throws HttpError
 */
export async function startSession(call: SessionCall, given: BidiGenerateContentSetup): Promise<SessionStart> {
  const name = tokenNameOf(call);
  const token = name === undefined ? undefined : await tokensOf(call).get(name);
  const setup = token === undefined ? given : mergeSetup(given, token);
  const model = useModel(modelId(setup.model), 'bidiGenerateContent', call.clock.now());
  checkConfig(model, setup.generationConfig ?? {});
  const { handle = '' } = given.sessionResumption ?? {};
  if (handle !== '') return { setup, history: await findHistory(call, handle, setup.model) };
  if (name !== undefined) await takeUse(call, name);
  return { setup, history: [] };
}

/** The name of the token that a connection was opened with. */
function tokenNameOf(call: SessionCall): string | undefined {
  return call.caller.schemes.includes('accessToken') ? (call.caller.key ?? call.caller.token) : undefined;
}

/** Refuses a token that is unknown or past its `expireTime` before the socket opens. */
export async function refuseUnknownToken(call: SessionCall): Promise<HandlerResponse | undefined> {
  const token = await tokensOf(call).get(tokenNameOf(call) ?? '');
  if (token === undefined) return call.refuse(401, 'The token is not known.', { status: 'UNAUTHENTICATED' });
  return token.expiresAt <= call.clock.now()
    ? call.refuse(401, 'The token has expired.', { status: 'UNAUTHENTICATED' })
    : undefined;
}

/** Rejects a message that arrives after `expireTime`. @throws SessionClose 1008 */
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
 * @throws SessionClose 1008 past `newSessionExpireTime`, or if no use is left.
 */
async function takeUse(call: SessionCall, name: string): Promise<void> {
  let problem: string | undefined;
  await tokensOf(call).update(name, (token) => {
    problem = token === undefined ? 'The token is not known.' : problemOf(token, call.clock.now());
    return token === undefined || problem !== undefined ? token : { ...token, used: token.used + 1 };
  });
  if (problem !== undefined) throw new SessionClose(1008, problem);
}

function problemOf({ newSessionExpiresAt, uses, used }: StoredAuthToken, now: number): string | undefined {
  if (newSessionExpiresAt <= now) return 'The token opens no new sessions any more.';
  return uses > 0 && used >= uses ? 'The token has no use left.' : undefined;
}

type Members = Readonly<Record<string, unknown>>;

/**
 * Returns the setup of a session with a token: the connection's if the token has none; the token's if it has one
 * without a field mask; else the connection's, with the fields in the mask taken from the token's.
 */
function mergeSetup(
  given: BidiGenerateContentSetup,
  { setup, fieldMask }: Pick<StoredAuthToken, 'setup' | 'fieldMask'>,
): BidiGenerateContentSetup {
  if (fieldMask === '') return setup ?? given;
  let merged: Members = { ...given };
  for (const path of fieldMask.split(',')) merged = overwrite(merged, { ...setup }, path.split('.').map(toCamelCase));
  // Only fields of one setup replaced the same fields of another.
  return merged as unknown as BidiGenerateContentSetup;
}

/** Replaces a named field; clears it if the token's setup lacks it. */
function overwrite(target: Members, source: Members, [name = '', ...rest]: readonly string[]): Members {
  const { [name]: old, ...others } = target;
  const value = Object.hasOwn(source, name) ? source[name] : undefined;
  if (rest.length === 0) return value === undefined ? others : { ...others, [name]: value };
  const inner = overwrite(isRecord(old) ? old : {}, isRecord(value) ? value : {}, rest);
  return old === undefined && Object.keys(inner).length === 0 ? others : { ...others, [name]: inner };
}

function toCamelCase(name: string): string {
  return name.replace(/(?<=[^_])_+([a-z0-9])/gi, (_all, next: string) => next.toUpperCase());
}
