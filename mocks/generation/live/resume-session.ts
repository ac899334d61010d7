import type { Collection, HandlerContext } from 'specmill/mock';

import type { Content } from '../../../generated/generation/types.js';
import { HOUR } from '../times.js';
import { SessionClose } from './session-close.js';

/** The state of a session that a handle names. */
export interface SavedSession {
  readonly model: string;
  readonly history: readonly Content[];
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

const LIFETIME: number = 2 * HOUR;

function savedOf(context: HandlerContext): Collection<SavedSession> {
  return context.collection<SavedSession>('liveSessions');
}

/** Keeps the state of a session in the place of an older one. Gives its handle. */
export async function saveSession(
  context: HandlerContext,
  session: Omit<SavedSession, 'expiresAt'>,
  older: string | undefined,
): Promise<string> {
  if (older !== undefined) await savedOf(context).delete(older);
  const handle = Buffer.from(context.random.bytes(15)).toString('base64url');
  await savedOf(context).put(handle, { ...session, expiresAt: context.clock.now() + LIFETIME });
  return handle;
}

/** @throws SessionClose 1008 where no session can be resumed by the handle. */
export async function findSession(context: HandlerContext, handle: string, model: string): Promise<SavedSession> {
  const saved = await savedOf(context).get(handle);
  if (saved === undefined || saved.expiresAt <= context.clock.now())
    throw new SessionClose(1008, 'There is no session of that handle.');
  if (saved.model !== model) throw new SessionClose(1008, `The session of that handle is one of ${saved.model}.`);
  return saved;
}
