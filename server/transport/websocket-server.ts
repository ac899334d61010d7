import type { IncomingMessage, ServerResponse } from 'node:http';

import websocket, { type WebSocket } from '@fastify/websocket';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { OpenSocket, OpenedSocket } from '../pipeline/create-socket-pipeline.js';
import type { Socket } from '../handler-api.js';
import type { BodyWatch } from './slow-body-guard.js';
import { type DoorOptions, findSandbox } from './dispatch.js';
import { NodeRequest } from './node-request.js';
import { MAX_MESSAGE_BYTES, MessageQueue } from './message-queue.js';
import { writeAnswer } from '../../http/wire/write-response.js';

export interface SocketDoorOptions extends Pick<DoorOptions, 'sandboxOf'> {
  readonly sockets: OpenSocket;
  readonly bodies: BodyWatch;
  /** Answers a call that asks for another protocol than WebSocket as if it had not. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

/** Messages that wait for the handler; more of them, and the connection is read no further. */
const MAX_WAITING = 1_000;

/** Adds the WebSockets of the API to an HTTP door. */
export async function addSockets(
  server: FastifyInstance,
  { sockets, bodies, sandboxOf, answer }: SocketDoorOptions,
): Promise<void> {
  await server.register(websocket, {
    options: { maxPayload: MAX_MESSAGE_BYTES },
    errorHandler: (_error, socket) => socket.terminate(),
  });
  const opened = new WeakMap<IncomingMessage, Extract<OpenedSocket, { ok: true }>>();
  const open = async (request: NodeRequest): Promise<OpenedSocket> => {
    const found = await findSandbox(request, sandboxOf);
    return found.sandbox === undefined ? { ok: false, answer: found.problem } : await sockets(request, found.sandbox);
  };
  server.route({
    method: 'GET',
    url: '/',
    preValidation: async (request, reply) => {
      if (!request.ws) return;
      if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
        reply.hijack();
        await answer(request.raw, reply.raw);
        return;
      }
      const result = await open(
        new NodeRequest({ request: request.raw, response: reply.raw, target: targetOf(request), bodies }),
      );
      if (result.ok) opened.set(request.raw, result);
      else {
        reply.hijack();
        await writeAnswer(
          { ...result.answer, headers: { ...result.answer.headers, connection: 'close' } },
          request.raw,
          reply.raw,
        );
      }
    },
    handler: () => undefined,
    wsHandler: async (socket, request) => {
      const found = opened.get(request.raw);
      if (found === undefined) socket.close(1011);
      else await serve(socket, found);
    },
  });
}

function targetOf({ originalUrl }: FastifyRequest): string {
  return originalUrl;
}

async function serve(socket: WebSocket, { serve }: Extract<OpenedSocket, { ok: true }>): Promise<void> {
  const messages = readMessages(socket);
  await serve({
    messages,
    send: (message) => send(socket, message),
    close: (code, reason) => socket.close(code, reason),
  });
  if (socket.readyState === socket.OPEN) socket.close(1000);
}

function send(socket: WebSocket, message: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    // A client that is gone is seen where messages are read.
    socket.send(message, () => resolve());
  });
}

/** The messages as they come: text as a string, the rest as bytes. Ends when the connection does. */
function readMessages(socket: WebSocket): Socket['messages'] {
  const queue = new MessageQueue((left) => {
    if (socket.isPaused && left < MAX_WAITING / 2) socket.resume();
  });
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (queue.push(isBinary ? new Uint8Array(data) : data.toString('utf8')) > MAX_WAITING) socket.pause();
  });
  socket.on('close', () => queue.end());
  return queue.read();
}
