import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** Knows what is under way on a server, so that it can be closed without waiting for idle connections. */
export class ConnectionWatch {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #responding = 0;
  #onQuiet: (() => void) | undefined;

  constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  begin(response: ServerResponse): void {
    this.#responding += 1;
    response.once('close', () => {
      this.#responding -= 1;
      if (this.#responding === 0) this.#onQuiet?.();
    });
  }

  /**
   * closes a server: responses that are under way come to their end, connections of clients that ask nothing do not count,
   * and what is left is cut off.
   *
   * @param close - stops the server from taking more, and waits for its connections.
   * @param patience - how long responses and WebSockets may take to end, in milliseconds.
   */
  async close(close: () => Promise<unknown>, patience: number): Promise<void> {
    const closed = close();
    const quiet =
      this.#responding === 0 ? Promise.resolve() : new Promise<void>((resolve) => (this.#onQuiet = resolve));
    const timer = new AbortController();
    const late = wait(patience, undefined, { signal: timer.signal, ref: false }).catch(() => undefined);
    await Promise.race([quiet, late]);
    // The last bytes are with the system by now.
    this.#server.closeAllConnections();
    await Promise.race([closed, late]);
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    timer.abort();
  }
}
