import type { HandlerContext } from 'specmill/mock';

import { MINUTE, SECOND } from '../times.js';

/** What the clock does to an open connection. */
export interface OpenSession {
  /** The connection lasts so much longer. */
  readonly warn: (timeLeft: string) => void;
  readonly end: () => void;
}

/** How long a connection lasts, and how long before its end the client is warned. */
const LIFETIME: number = 10 * MINUTE;
const WARNING: number = MINUTE;

function sessionsOf(context: HandlerContext): Map<string, OpenSession> {
  return context.memory('live-sessions', () => new Map<string, OpenSession>());
}

/** Lets the clock warn and end a connection. Gives what takes it away again. */
export async function registerSession(context: HandlerContext, session: OpenSession): Promise<() => Promise<void>> {
  const id = String(await context.next('liveSessions'));
  const now = context.clock.now();
  sessionsOf(context).set(id, session);
  await context.clock.schedule({
    id: `warn-live-session ${id}`,
    name: 'warn-live-session',
    dueAt: now + LIFETIME - WARNING,
    payload: { id },
  });
  await context.clock.schedule({
    id: `end-live-session ${id}`,
    name: 'end-live-session',
    dueAt: now + LIFETIME,
    payload: { id },
  });
  return async () => {
    sessionsOf(context).delete(id);
    await context.clock.cancel(`warn-live-session ${id}`);
    await context.clock.cancel(`end-live-session ${id}`);
  };
}

export function warnSession(context: HandlerContext, id: string): void {
  sessionsOf(context)
    .get(id)
    ?.warn(`${WARNING / SECOND}s`);
}

export function endSession(context: HandlerContext, id: string): void {
  sessionsOf(context).get(id)?.end();
}
