import type { Socket } from '../../../seams/behaviour.js';
import { checkToken } from './admit-token.js';
import { readClientMessage, type ServerMessage } from './live-messages.js';
import { LiveSession } from './live-session.js';
import { SessionClose, toClose } from './session-close.js';
import { registerSession } from './session-registry.js';
import { type SessionCall, startSession } from './start-session.js';

/** A reason has 123 bytes at most (RFC 6455, section 5.5). */
const MAX_REASON = 120;

/** Serves a live session: setup first and only first, then turns until one side ends it. */
export async function serveSession(call: SessionCall, socket: Socket): Promise<void> {
  const send = (message: ServerMessage): Promise<void> => socket.send(JSON.stringify(message));
  const close = (error: unknown): void => {
    const { code, message } = toClose(error);
    socket.close(code, message.replace(/[^\x20-\x7e]/g, '?').slice(0, MAX_REASON));
  };
  const unregister = await registerSession(call, {
    warn: (timeLeft) => void send({ goAway: { timeLeft } }),
    end: () => socket.close(1001, 'The connection has come to its end.'),
  });
  let session: LiveSession | undefined;
  try {
    for await (const bytes of socket.messages) {
      const message = readClientMessage(call.api, bytes);
      await checkToken(call);
      if (session !== undefined) {
        await session.take(message);
        continue;
      }
      if (message.setup === undefined) throw new SessionClose(1007, 'The first message must be a setup.');
      session = new LiveSession(call, await startSession(call, message.setup), { send, fail: close });
      await session.begin();
    }
  } catch (error) {
    close(error);
  } finally {
    await session?.stop();
    await unregister();
  }
}
