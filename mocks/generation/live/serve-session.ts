import type { Socket } from 'specmill/mock';

import { checkToken } from './admit-token.js';
import { checkServerMessage, readClientMessage } from './live-messages.js';
import { LiveSession, type SessionLine } from './live-session.js';
import { SessionClose, toClose } from './session-close.js';
import { registerSession } from './session-registry.js';
import { type SessionCall, startSession } from './start-session.js';

/** A reason has 123 bytes at most (RFC 6455, section 5.5). */
const MAX_REASON = 120;

/** Serves a live session: setup first and only first, then turns until one side ends it. */
export async function serveSession(call: SessionCall, socket: Socket): Promise<void> {
  const line = openLine(call, socket);
  const unregister = await registerSession(call, {
    warn: (timeLeft) => void line.send({ goAway: { timeLeft } }),
    end: () => socket.close(1001, 'The connection has come to its end.'),
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
