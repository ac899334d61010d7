import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import * as mockExports from '../../entry/mock.js';
import { type Mock, connectMock, startMock } from '../../entry/mock.js';
import { handlers } from '../../entry/msw.js';
import { smallSpec, TEXT, listOf, object } from '../support/small-spec.js';
import { writeTo } from '../support/temp-folder.js';

/** MSW 2, whose types the compiler of this repository does not have. */
interface MswServer {
  readonly listen: (options: { readonly onUnhandledRequest: 'error' }) => void;
  readonly use: (...handlers: readonly unknown[]) => void;
  readonly resetHandlers: () => void;
  readonly close: () => void;
}
const MSW_NODE = path.resolve('test/matrix/node_modules/msw-2/lib/node/index.mjs');
const { setupServer } = (await import(MSW_NODE)) as { setupServer: (...handlers: readonly unknown[]) => MswServer };

const SPEC = {
  ...smallSpec(
    {
      'GET /orders listOrders': { returns: listOf(object({ id: TEXT, item: TEXT }, ['id', 'item'])) },
      'POST /orders createOrder': {
        takes: object({ item: TEXT }, ['item']),
        returns: object({ id: TEXT, item: TEXT }, ['id', 'item']),
        status: 201,
      },
      'GET /orders/{id} getOrder': { returns: object({ id: TEXT, item: TEXT }, ['id', 'item']) },
    },
    {},
  ),
  servers: [
    { url: 'https://{region}.shop.test/v1', variables: { region: { default: 'eu', enum: ['eu', 'us'] } } },
    { url: '/api' },
  ],
};

const folder = mkdtempSync(path.join(tmpdir(), 'specmill-msw-'));
const server = setupServer();
let mock: Mock;
beforeAll(async () => {
  writeTo(folder, 'shop.json', JSON.stringify(SPEC));
  mock = await startMock(path.join(folder, 'shop.json'));
  server.listen({ onUnhandledRequest: 'error' });
});
afterEach(async () => {
  server.resetHandlers();
  await mock.reset();
});
afterAll(async () => {
  server.close();
  await mock.close();
  rmSync(folder, { recursive: true });
});

const post = (url: string, body: unknown): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const count = async (url: string): Promise<number> => ((await (await fetch(url)).json()) as unknown[]).length;

describe('handlers of a mock for MSW', () => {
  it.each(['https://eu.shop.test/v1', 'https://us.shop.test/v1', 'http://localhost:3000/api', 'the mock'])(
    'an order that is created at %s is there at every address',
    async (given) => {
      server.use(...handlers(mock));
      const base = given === 'the mock' ? mock.url : given;
      const before = await count(`${base}/orders`);
      const created = await post(`${base}/orders`, { item: 'tea' });
      expect(created.status).toBe(201);
      const { id } = (await created.json()) as { id: string };
      expect(await (await fetch(`https://eu.shop.test/v1/orders/${id}?x=1`)).json()).toEqual({ id, item: 'tea' });
      expect(await count(`${mock.url}/orders`)).toBe(before + 1);
    },
  );

  it('below the address of a server, an unknown path is the 404 of the mock; other hosts and paths are unhandled', async () => {
    server.use(...handlers(mock));
    expect((await fetch('https://eu.shop.test/v1/nothing')).status).toBe(404);
    for (const url of [
      'https://ap.shop.test/v1/orders',
      'http://localhost:3000/api/nothing',
      'https://eu.shop.test/v10',
    ])
      await expect(fetch(url), url).rejects.toThrow('onUnhandledRequest');
  });

  it('an invalid request is refused with its violations, and a fault that closes the connection is a network error', async () => {
    server.use(...handlers(mock));
    const refused = await post('https://eu.shop.test/v1/orders', {});
    expect([refused.status, await refused.json()]).toMatchObject([400, { violations: [{ in: 'body' }] }]);
    await mock.faults.put([{ operationId: 'listOrders', status: 503, times: 1 }]);
    expect((await fetch('https://eu.shop.test/v1/orders')).status).toBe(503);
    await mock.faults.put([{ operationId: 'listOrders', abort: true }]);
    await expect(fetch('https://eu.shop.test/v1/orders')).rejects.toThrow('Failed to fetch');
  });

  it('two sandboxes keep their items apart', async () => {
    const [one, two] = [mock.sandbox('one'), mock.sandbox('two')];
    server.use(...handlers(one));
    const before = await count('https://eu.shop.test/v1/orders');
    await post('https://eu.shop.test/v1/orders', { item: 'tea' });
    expect(await count('https://eu.shop.test/v1/orders')).toBe(before + 1);
    server.use(...handlers(two));
    expect(await count('https://eu.shop.test/v1/orders')).toBe(before);
    expect((await one.requests()).length).toBe(3);
  });

  it('the option baseUrl replaces the servers, for a client of node:http as well', async () => {
    server.use(...handlers(mock, { baseUrl: 'http://shop.internal/v1' }));
    const status = await new Promise((resolve, reject) => {
      http.get('http://shop.internal/v1/orders', ({ statusCode }) => resolve(statusCode)).on('error', reject);
    });
    expect(status).toBe(200);
    await expect(fetch('https://eu.shop.test/v1/orders')).rejects.toThrow('onUnhandledRequest');
  });

  it('a mock in another process gets the requests of its addresses', async () => {
    await using served = await startMock(path.join(folder, 'shop.json'), { port: 0 });
    const remote = connectMock(served.url);
    server.use(...handlers(remote, { baseUrl: 'https://eu.shop.test/v1' }));
    await post('https://eu.shop.test/v1/orders', { item: 'tea' });
    expect(await count(`${served.url}/orders`)).toBe(await count('https://eu.shop.test/v1/orders'));
    expect((await served.requests()).map(({ method }) => method)).toEqual(['POST', 'GET', 'GET']);
  });
});

describe('specmill/msw without what it needs', () => {
  const user = path.join(folder, 'user');
  beforeAll(() => {
    mkdirSync(path.join(user, 'node_modules'), { recursive: true });
    symlinkSync(path.resolve('.'), path.join(user, 'node_modules/specmill'));
  });

  it('says in one sentence that MSW is missing', () => {
    const script = "import('specmill/msw').catch((error) => console.log(error.message))";
    expect(execFileSync('node', ['-e', script], { cwd: user, encoding: 'utf8' })).toBe(
      'specmill/msw needs the package msw >= 2.10; it is not installed here: npm install --save-dev msw\n',
    );
  });

  it.each(['specmill/mock', 'specmill/msw'])(
    'a bundle for browsers with %s says that it runs in Node',
    async (entry) => {
      const names = entry === 'specmill/mock' ? Object.keys(mockExports) : ['handlers'];
      const { outputFiles } = await build({
        stdin: { contents: `export { ${names.join(', ')} } from '${entry}';`, resolveDir: user },
        ...{ bundle: true, write: false, format: 'esm', platform: 'browser' },
      });
      const url = `data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`;
      await expect(import(/* @vite-ignore */ url)).rejects.toThrow(
        'specmill/mock and specmill/msw run in Node: in a browser, use the handlers of the emitter "msw", or start the mock with "specmill mock" and call its URL.',
      );
    },
  );
});
