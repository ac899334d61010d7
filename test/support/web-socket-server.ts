import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';

import type { WebSocketLike } from '../../runtime/live-session.js';

/** One side of a connection, as far as tests need it. */
export interface ServerSocket {
  send(data: string | Uint8Array, options?: { readonly binary: boolean }): void;
  close(code?: number, reason?: string): void;
  terminate(): void;
  on(event: 'message', listener: (data: Buffer) => void): void;
  on(event: 'close', listener: (code: number) => void): void;
}

interface WebSocketPackage {
  readonly WebSocket: new (url: string) => WebSocketLike;
  readonly WebSocketServer: new (options: { server: object }) => {
    on(event: 'connection', listener: (socket: ServerSocket, request: { readonly url: string }) => void): void;
  };
}

/** The package has no types. */
const { WebSocket, WebSocketServer } = createRequire(import.meta.url)('ws') as WebSocketPackage;

/** A WebSocket of a client: Node 20 has none. */
export function connectSocket(url: string): WebSocketLike {
  return new WebSocket(url);
}

export interface WebSocketServerHandle extends AsyncDisposable {
  readonly url: string;
  /** Path and query of each connection. */
  readonly urls: string[];
  /** Every message that came, parsed. */
  readonly messages: unknown[];
}

/** A WebSocket server on loopback: `onMessage` gets each message and the number of its connection. */
export async function startWebSocketServer(
  response: (message: Readonly<Record<string, unknown>>, socket: ServerSocket, connection: number) => void,
): Promise<WebSocketServerHandle> {
  const server = createServer();
  const urls: string[] = [];
  const messages: unknown[] = [];
  const sockets: ServerSocket[] = [];
  new WebSocketServer({ server }).on('connection', (socket, request) => {
    const connection = sockets.push(socket);
    urls.push(request.url);
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as Readonly<Record<string, unknown>>;
      messages.push(message);
      response(message, socket, connection);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    urls,
    messages,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
