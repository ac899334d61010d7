import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

import { serve as serveNode } from '@hono/node-server';
import express from 'express';
import { type FastifyPluginAsync, fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { generate } from '../../../entry/specmill.js';
import { OutputFolder } from '../../support/output-folder.js';

const SPEC = `
openapi: 3.1.0
info: { title: Jars, version: '1' }
paths:
  /jars:
    get:
      operationId: listJars
      parameters:
        - { name: theme, in: cookie, schema: { type: string } }
        - { name: size, in: cookie, schema: { type: integer } }
        - { name: limit, in: query, schema: { type: integer } }
      responses: { '200': { description: All., headers: { X-Count: { schema: { type: string } } }, content: { application/json: { schema: {} } } } }
    post:
      operationId: createJar
      security: [{ key: [] }]
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [name], properties: { name: { type: string } } } }, text/plain: { schema: { type: string } } } }
      responses: { '201': { description: Made., content: { application/json: { schema: {} } } } }
  /lids:
    put:
      operationId: putLids
      requestBody: { content: { application/octet-stream: {} } }
      responses: { '200': { description: Size., content: { application/json: { schema: { type: integer } } } } }
components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }
`;

type Values = Readonly<Record<string, unknown>>;
type Handlers = Readonly<Record<string, (request: Values, context: Values) => unknown>>;
type Fetch = (request: Request) => Response | Promise<Response>;

/** The functions of a generated server. */
interface Jars {
  readonly jarsFetch: (handlers: Handlers, options: object) => Fetch;
  readonly jarsHono: (handlers: Handlers, options: object) => { readonly fetch: Fetch };
  readonly jarsFastify: FastifyPluginAsync<{ readonly handlers: Handlers }>;
  readonly jarsExpress: (handlers: Handlers, options: object) => express.Router;
}

interface Running extends AsyncDisposable {
  readonly port: number;
}

const output = new OutputFolder();
afterAll(() => output[Symbol.dispose]());
const made = new Map<string, Jars>();
const jars = (framework: string): Jars => made.get(framework) as Jars;

beforeAll(async () => {
  output.linkPackages();
  output.write('spec.yaml', SPEC);
  for (const framework of ['hono', 'fastify', 'express'] as const) {
    const emitters = [['server', { framework }] as const];
    const api = { spec: 'spec.yaml', output: framework, only: ['types', 'validators'], emitters };
    const [result] = (await generate({ cwd: output.folder, config: { apis: { jars: api } } })).apis;
    if (result?.status !== 'written') throw result?.error ?? new Error('The server was not generated.');
    made.set(framework, await output.run(`${framework}/server.ts`));
  }
}, 60_000);

async function listening(server: http.Server): Promise<Running> {
  if (!server.listening) await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const listenTo = (fetch: Fetch): Promise<Running> =>
  listening(serveNode({ fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false }) as http.Server);

/** Starts the server of each framework on a socket. */
const STARTS: Readonly<Record<string, (handlers: Handlers, options: object) => Promise<Running>>> = {
  fetch: (handlers, options) => listenTo(jars('hono').jarsFetch(handlers, options)),
  hono: (handlers, options) => listenTo(jars('hono').jarsHono(handlers, options).fetch),
  fastify: async (handlers, options) => {
    const app = fastify();
    await app.register(jars('fastify').jarsFastify, { handlers, ...options });
    await app.listen({ port: 0, host: '127.0.0.1' });
    return listening(app.server);
  },
  express: (handlers, options) => {
    const app = express();
    app.use(jars('express').jarsExpress(handlers, options));
    return listening(app.listen(0, '127.0.0.1'));
  },
};

/** What the framework adds to the context. */
const ADDED: Readonly<Record<string, readonly string[]>> = {
  fetch: ['request', 'env'],
  hono: ['c'],
  fastify: ['request', 'reply'],
  express: ['req', 'res'],
};

/** A promise that others resolve. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

async function send(request: http.ClientRequest): Promise<readonly [response: http.IncomingMessage, text: string]> {
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  let text = '';
  for await (const piece of response.setEncoding('utf8')) text += String(piece);
  return [response, text];
}

const authenticate = { key: (key: string) => ({ key }) };

function start(framework: string, handlers: Handlers, options: object = {}): Promise<Running> {
  return (STARTS[framework] as (typeof STARTS)[string])(handlers, { authenticate, ...options });
}

describe.each(Object.keys(STARTS))('a server in %s', (framework) => {
  it('gives handlers a context that they may destructure, with one signal', async () => {
    const seen: unknown[] = [];
    await using server = await start(framework, {
      createJar(_request, context) {
        const { signal, operation, identity, ...others } = context;
        seen.push(operation, identity, Object.keys(others), context['signal'] === signal);
        seen.push(signal instanceof AbortSignal && signal.aborted);
        return { status: 201, body: {} };
      },
    });
    const headers = { 'x-key': 'k', 'content-type': 'application/json' };
    const { status } = await fetch(`http://127.0.0.1:${server.port}/jars`, {
      method: 'POST',
      headers,
      body: '{"name":"a"}',
    });
    expect([status, ...seen]).toEqual([201, 'createJar', { key: 'k' }, ADDED[framework], true, false]);
  });

  it('aborts the signal of a handler whose client leaves, and of no other', async () => {
    const signals: AbortSignal[] = [];
    const reached = gate();
    const left = gate();
    await using server = await start(framework, {
      listJars: async ({ query }, { signal }) => {
        signals.push(signal as AbortSignal);
        if ((query as Values)['limit'] === 1) return { status: 200, body: [] };
        (signal as AbortSignal).addEventListener('abort', left.open);
        reached.open();
        await left.opened;
        return { status: 200, body: [] };
      },
    });
    const { port } = server;
    await send(http.get({ port, path: '/jars?limit=1' }));
    const leaving = http.get({ port, path: '/jars' });
    leaving.on('error', () => undefined);
    await reached.opened;
    leaving.destroy();
    await left.opened;
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
  });

  it('reads a body that arrives before and after its credential is checked', async () => {
    const arrived = gate();
    const asked = gate();
    const key = async (): Promise<object> => {
      asked.open();
      await arrived.opened;
      return {};
    };
    const handlers: Handlers = { createJar: ({ body }) => ({ status: 201, body }) };
    await using server = await start(framework, handlers, { authenticate: { key } });
    const headers = { 'x-key': 'k', 'content-type': 'application/json', connection: 'close' };
    const request = http.request({ port: server.port, path: '/jars', method: 'POST', headers });
    request.write('{"name":');
    await asked.opened;
    request.end('"late"}', () => arrived.open());
    const [{ statusCode }, text] = await send(request);
    expect([statusCode, text]).toEqual([201, '{"name":"late"}']);
  });

  it('lets a handler read a stream after it waited', async () => {
    const whole = gate();
    await using server = await start(framework, {
      putLids: async ({ body }) => {
        await whole.opened;
        let size = 0;
        for await (const piece of body as AsyncIterable<Uint8Array>) size += piece.length;
        return { status: 200, body: size };
      },
    });
    const headers = { 'content-type': 'application/octet-stream', 'content-length': '6' };
    const request = http.request({ port: server.port, path: '/lids', method: 'PUT', headers });
    request.write('abc');
    request.end('def', () => whole.open());
    const [, text] = await send(request);
    expect(text).toBe('6');
  });

  it('reads several cookies, and answers HEAD as GET without a body', async () => {
    const seen: unknown[] = [];
    await using server = await start(framework, {
      listJars({ cookies }, { operation }) {
        seen.push([operation, cookies]);
        return { status: 200, body: [1], headers: { 'x-count': '1' } };
      },
    });
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const headers = { cookie: ['theme=dark; size=3', 'other=1'] };
    const results: unknown[] = [];
    for (const method of ['GET', 'HEAD', 'GET']) {
      const request = http.request({ port: server.port, path: '/jars', method, headers, agent });
      request.end();
      const [{ statusCode, headers: sent }, text] = await send(request);
      results.push([statusCode, sent['x-count'], sent['content-type']?.split(';')[0], text]);
    }
    agent.destroy();
    const full = [200, '1', 'application/json', '[1]'];
    expect(results).toEqual([full, [200, '1', 'application/json', ''], full]);
    expect(seen).toEqual(Array.from({ length: 3 }, () => ['listJars', { theme: 'dark', size: 3 }]));
  });
});

describe.each(Object.keys(STARTS))('a body in %s', (framework) => {
  it('ends a call whose client left before its body was read', async () => {
    const asked = gate();
    const gone = gate();
    const failed = gate();
    let calls = 0;
    const key = async (): Promise<object> => {
      asked.open();
      await gone.opened;
      return {};
    };
    const handlers: Handlers = { createJar: () => ({ status: 201, body: (calls += 1) }) };
    await using server = await start(framework, handlers, { authenticate: { key }, onError: failed.open });
    const headers = { 'x-key': 'k', 'content-type': 'application/json', 'content-length': '99' };
    const request = http.request({ port: server.port, path: '/jars', method: 'POST', headers });
    request.on('error', () => undefined);
    request.write('{"name":');
    await asked.opened;
    request.destroy();
    // The server has seen that the client left when it serves the next one.
    await fetch(`http://127.0.0.1:${server.port}/jars`, { method: 'OPTIONS' });
    gone.open();
    await failed.opened;
    expect(calls).toBe(0);
  });
});

it('a body in express that another parser read and did not keep is an error', async () => {
  const errors: string[] = [];
  const handlers: Handlers = { createJar: () => ({ status: 201, body: 1 }) };
  const app = express();
  app.use((request, _response, next) => request.on('end', () => next()).resume());
  app.use(
    jars('express').jarsExpress(handlers, { authenticate, onError: ({ message }: Error) => errors.push(message) }),
  );
  await using server = await listening(app.listen(0, '127.0.0.1'));
  const headers = { 'x-key': 'k', 'content-type': 'application/json' };
  const { status } = await fetch(`http://127.0.0.1:${server.port}/jars`, {
    method: 'POST',
    headers,
    body: '{"name":"a"}',
  });
  expect([status, errors]).toEqual([
    500,
    ['Another parser has read the body of the request, but request.body is not set.'],
  ]);
});
