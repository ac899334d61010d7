import type { HandlerContext, Socket } from 'specmill/mock';

import { checkServerMessage, readClientMessage, SessionClose, toClose } from './live-messages.js';
import { LiveSession, type SessionLine } from './live-session.js';
import { checkToken, type SessionCall, startSession } from './start-session.js';
import { schedule } from '../files.js';
import { MINUTE, SECOND } from '../refusal.js';

/** Maximum length of a close reason; the standard allows 123 bytes (RFC 6455, section 5.5). */
const MAX_REASON = 120;

/** Serves a live session: the setup must come first and only once, then turns until one side ends it. */
export async function serveSession(call: SessionCall, socket: Socket): Promise<void> {
  const line = openLine(call, socket);
  const unregister = await registerSession(call, {
    warn: (timeLeft) => void line.send({ goAway: { timeLeft } }),
    end: () => socket.close(1001, 'The time limit of the connection is reached.'),
  });
  let session: LiveSession | undefined;
  try {
    for await (const bytes of socket.messages) {
      const message = readClientMessage(call, bytes);
      await checkToken(call);
      if (session !== undefined) {
        await session.take(message);
        continue;
      }
      if (message.setup === undefined) throw new SessionClose(1007, 'The first message must be a setup.');
      session = new LiveSession(call, await startSession(call, message.setup), line);
      await session.begin();
    }
  } catch (error) {
    line.fail(error);
  } finally {
    await session?.stop();
    await unregister();
  }
}

function openLine(call: SessionCall, socket: Socket): SessionLine {
  const close = (code: number, reason: string): void =>
    socket.close(code, reason.replace(/[^\x20-\x7e]/g, '?').slice(0, MAX_REASON));
  return {
    send: async (message) => {
      checkServerMessage(call, message);
      await socket.send(JSON.stringify(message));
    },
    fail: (error) => {
      const known = toClose(error);
      if (known !== undefined) close(known.code, known.message);
      else close(1011, `The mock failed: ${error instanceof Error ? error.message : String(error)}`);
    },
  };
}

/** Called by the clock for an open connection. */
interface OpenSession {
  /** Tells the client how much longer the connection lasts. */
  readonly warn: (timeLeft: string) => void;
  readonly end: () => void;
}

/** How long a connection lasts, and how long before its end the client is warned. */
const LIFETIME: number = 10 * MINUTE;
const WARNING: number = MINUTE;

function sessionsOf(context: HandlerContext): Map<string, OpenSession> {
  return context.memory('live-sessions', () => new Map<string, OpenSession>());
}

/** Registers a connection with the clock, which warns and ends it. Returns a function that unregisters it. */
async function registerSession(context: HandlerContext, session: OpenSession): Promise<() => Promise<void>> {
  const id = String(await context.next('liveSessions'));
  const now = context.clock.now();
  sessionsOf(context).set(id, session);
  await schedule(context, 'warn-live-session', id, now + LIFETIME - WARNING);
  await schedule(context, 'end-live-session', id, now + LIFETIME);
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
