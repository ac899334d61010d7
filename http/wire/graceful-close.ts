import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** Tracks running responses of a server, to close it without waiting for idle connections. */
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
   * Closes a server. Lets running responses finish, but does not wait for idle connections; then destroys all
   * connections.
   *
   * @param close - stops accepting connections and waits for the open ones.
   * @param patience - how long responses and WebSockets may take to end, in milliseconds.
   */
  async close(close: () => Promise<unknown>, patience: number): Promise<void> {
    const closed = close();
    const quiet =
      this.#responding === 0 ? Promise.resolve() : new Promise<void>((resolve) => (this.#onQuiet = resolve));
    const timer = new AbortController();
    const late = wait(patience, undefined, { signal: timer.signal, ref: false }).catch(() => undefined);
    await Promise.race([quiet, late]);
    // By now, the operating system has the last bytes.
    this.#server.closeAllConnections();
    await Promise.race([closed, late]);
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    timer.abort();
  }
}
