import { once } from 'node:events';
import { type IncomingMessage, type RequestListener, type Server, createServer } from 'node:http';
import { type AddressInfo, type Socket, connect, createServer as createNetServer } from 'node:net';

import { expect, onTestFinished, vi } from 'vitest';

import type { ProxyOptions } from '../../proxy/proxy-options.js';
import { startProxy } from '../../entry/start-proxy.js';
import type { ValidationProxy } from '../../proxy/start-proxy.js';
import type { JournalEntry } from '../../http/journal/journal.js';
import type { Api } from '../../model/api.js';
import { documentWith, loadDocument } from '../support/load-document.js';

const PET = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, age: { type: 'integer' } },
};
const json = (schema: object): object => ({ 'application/json': { schema } });

/** One operation for each thing that a proxy does. */
export const SHOP: object = documentWith(
  {
    '/pets': {
      get: {
        operationId: 'listPets',
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } }],
        responses: {
          200: {
            description: 'ok',
            headers: { 'X-Total': { required: true, schema: { type: 'integer' } } },
            content: json({ type: 'array', items: PET }),
          },
        },
      },
      post: {
        operationId: 'addPet',
        requestBody: { required: true, content: json(PET) },
        responses: { 201: { description: 'added', content: json(PET) }, 422: { description: 'refused' } },
      },
    },
    '/pets/{id}': {
      get: { operationId: 'getPet', responses: { 200: { description: 'ok', content: json(PET) } } },
      delete: { operationId: 'deletePet', responses: { 204: { description: 'gone' } } },
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
    },
    '/files': {
      put: {
        operationId: 'putFile',
        requestBody: { content: { '*/*': {} } },
        responses: { 200: { description: 'kept', content: { '*/*': {} } } },
      },
    },
    '/events': {
      get: {
        operationId: 'watchPets',
        'x-streaming': { error: { pointer: '/error' }, end: '[DONE]' },
        responses: {
          200: { description: 'events', content: { 'text/event-stream': { 'x-event-stream': 'item', schema: PET } } },
        },
      },
    },
    '/socket': {
      get: {
        operationId: 'openSocket',
        parameters: [{ name: 'room', in: 'query', required: true, schema: { type: 'string' } }],
        responses: { 101: { description: 'open' } },
      },
    },
    '/secret': {
      get: {
        operationId: 'getSecret',
        security: [{ key: [] }, { token: [] }],
        responses: { 200: { description: 'ok' } },
      },
    },
  },
  {
    components: {
      securitySchemes: {
        key: { type: 'apiKey', in: 'query', name: 'key' },
        token: { type: 'http', scheme: 'bearer' },
      },
    },
  },
);

let shop: Promise<Api> | undefined;

export function loadShop(): Promise<Api> {
  shop ??= loadDocument(SHOP);
  return shop;
}

/** A server of Node's own: none of our code is in it. */
export async function startServer(received: RequestListener): Promise<Server & { readonly url: string }> {
  const server = createServer(received);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return Object.assign(server, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

/** A server that says whatever the test wants, HTTP or not. */
export async function startRawServer(talk: (socket: Socket, request: string) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createNetServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => talk(socket, chunk.toString('latin1')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A proxy in front of a server, with the shop as its spec. */
export async function startShopProxy(
  upstream: string | RequestListener,
  options: Partial<ProxyOptions> = {},
): Promise<ValidationProxy> {
  const url = typeof upstream === 'string' ? upstream : (await startServer(upstream)).url;
  const proxy = await startProxy(await loadShop(), { upstream: url, ...options });
  onTestFinished(() => proxy.close());
  return proxy;
}

/** The calls in the journal, as soon as there are so many: a call is over a moment after its client has the response. */
export async function callsOf(proxy: ValidationProxy, count = 1): Promise<readonly JournalEntry[]> {
  await vi.waitFor(async () => expect(await proxy.requests()).toHaveLength(count), { timeout: 5_000, interval: 5 });
  return proxy.requests();
}

/** Sends a text as it is, and gives all that comes back until the connection closes or nothing more comes. */
export async function talk(url: string, text: string | Uint8Array, patience = 1_000): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => (received += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  socket.write(text);
  const timer = setTimeout(() => socket.destroy(), patience);
  await once(socket, 'close');
  clearTimeout(timer);
  return received;
}

export async function readAll(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Responds with JSON of a known length. */
export function respondWithJson(
  response: Parameters<RequestListener>[1],
  value: unknown,
  { status = 200, headers = {} }: { readonly status?: number; readonly headers?: Record<string, string> } = {},
): void {
  const text = JSON.stringify(value);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}
