import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import type { WebSocket, WebSocketServer } from 'ws';

import type { RequestBase } from '../../http/messages.js';
import { writeResponse } from '../../http/wire/write-response.js';
import type { OpenSocket, OpenedSocket } from '../pipeline/create-socket-pipeline.js';
import type { Socket } from '../handler-api.js';
import { refuseForeignHost, type TransportOptions, sandboxOfRequest } from './dispatch.js';
import { MAX_MESSAGE_BYTES, MessageQueue } from './message-queue.js';
import { NodeRequest } from './node-request.js';
import type { SlowBodyGuard } from './slow-body-guard.js';

/** The API that opens WebSockets at a target. */
export interface FoundSockets extends Pick<TransportOptions, 'sandboxOf' | 'hosts'> {
  readonly sockets: OpenSocket;
  /** Without the prefix of the API. */
  readonly target: string;
  readonly base: RequestBase;
}

export interface WebSocketServerOptions {
  /** Returns `undefined` if no API there has WebSockets. */
  readonly find: (target: string) => FoundSockets | undefined;
  readonly bodies: SlowBodyGuard;
  /** Handles a request to upgrade to another protocol as if it had no `Upgrade`. */
  readonly respond: (request: IncomingMessage, response: ServerResponse) => void;
}

type AcceptedSocket = Extract<OpenedSocket, { ok: true }>;

/** Serves the WebSockets of the API on an HTTP server. */
export function acceptWebSockets(server: Server, options: WebSocketServerOptions): void {
  let webSockets: Promise<WebSocketServer> | undefined;
  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const response = createResponse(request);
    const found = options.find(request.url ?? '/');
    if (found === undefined || !isWebSocket(request)) {
      options.respond(request, response);
      return;
    }
    const { target, base } = found;
    // Loaded on first use: `ws` takes 30 ms, and most clients open no WebSocket.
    webSockets ??= loadWebSocketServer();
    const accepting = await webSockets;
    const opened = await open(new NodeRequest({ request, response, bodies: options.bodies, target, base }), found);
    if (opened.ok) {
      response.detachSocket(request.socket);
      // From here on, `ws` handles errors of the connection.
      socket.off('error', destroy);
      accepting.handleUpgrade(request, socket, head, (webSocket) => void serve(webSocket, opened));
    } else {
      const headers = { ...opened.response.headers, connection: 'close' };
      await writeResponse({ ...opened.response, headers }, request, response);
    }
  };
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', destroy);
    upgrade(request, socket, head).catch(() => socket.destroy());
  });
  server.on('close', () => void webSockets?.then((loaded) => loaded.close()));
}

async function loadWebSocketServer(): Promise<WebSocketServer> {
  const { WebSocketServer: Loaded } = await import('ws');
  return new Loaded({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
}

function destroy(this: Duplex): void {
  this.destroy();
}

/** Creates the response to a request with `Upgrade`, because Node does not. The connection is closed after it. */
function createResponse(request: IncomingMessage): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(request.socket);
  response.once('finish', () => request.socket.end());
  return response;
}

function isWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

async function open(request: NodeRequest, { sockets, sandboxOf, hosts }: FoundSockets): Promise<OpenedSocket> {
  const foreign = refuseForeignHost(request, hosts === undefined ? {} : { hosts });
  if (foreign !== undefined) return { ok: false, response: foreign };
  const found = sandboxOfRequest(request, sandboxOf);
  return found.sandbox === undefined ? { ok: false, response: found.problem } : sockets(request, found.sandbox);
}

async function serve(webSocket: WebSocket, accepted: AcceptedSocket): Promise<void> {
  webSocket.on('error', () => webSocket.terminate());
  try {
    await accepted.serve({
      messages: readMessages(webSocket),
      send: (message) => send(webSocket, message),
      close: (code, reason) => webSocket.close(code, reason),
    });
    if (webSocket.readyState === webSocket.OPEN) webSocket.close(1000);
  } catch {
    webSocket.terminate();
  }
}

function send(webSocket: WebSocket, message: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    // Errors are ignored: reading messages notices a client that is gone.
    webSocket.send(message, () => resolve());
  });
}

/**
 * Yields messages, text as a string and others as bytes, until the connection ends. Reading from the connection pauses
 * while the queue is full.
 */
function readMessages(webSocket: WebSocket): Socket['messages'] {
  const queue = new MessageQueue(() => {
    if (webSocket.isPaused && !queue.holds(0.5)) webSocket.resume();
  });
  webSocket.on('message', (data: Buffer, isBinary: boolean) => {
    queue.push(isBinary ? new Uint8Array(data) : data.toString('utf8'));
    if (queue.holds(1)) webSocket.pause();
  });
  webSocket.on('close', () => queue.end());
  return queue.read();
}
