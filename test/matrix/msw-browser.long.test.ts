import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { generate } from '../../entry/specmill.js';
import { hasBrowser, launchBrowser, watchPage } from '../support/browser.js';
import { writeTo } from '../support/temp-folder.js';

const MODULES = path.join(import.meta.dirname, 'node_modules');
const folder = mkdtempSync(path.join(tmpdir(), 'specmill-msw-browser-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A page whose client calls a server that is not there: the service worker responds. */
const PAGE = `
import { setupWorker } from 'msw/browser';
import { createShopClient } from './shop/index.js';
import { createOrderHandler, getOrderHandler, shopHandlers } from './shop/msw.js';
const said = [];
async function main() {
  const worker = setupWorker(...shopHandlers({ baseUrl: '/api' }));
  await worker.start({ onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass', quiet: true });
  const shop = createShopClient({ baseUrl: '/api', credentials: { token: 'x' }, validate: true, retry: false });
  said.push((await shop.getOrder({ path: { id: '7' } })).data.id);
  said.push((await shop.createOrder({ headers: { 'Idempotency-Key': 'a' }, body: { item: 'tea' } })).status);
  said.push((await shop.putInvoice({ path: { id: '7' }, body: new Blob(['x']) })).status);
  said.push((await shop.listOrders({ query: { take: 2 } })).data.length);
  let messages = 0;
  for await (const order of shop.watchOrdersEvents()) messages += order.id ? 1 : 0;
  said.push(messages);
  worker.use(
    getOrderHandler(({ path, respond }) => (path.id === '7' ? respond(404, { message: 'gone' }) : respond.network()), { baseUrl: '/api' }),
    createOrderHandler(({ body, respond }) => respond(201, { id: '8', item: body.item }), { baseUrl: '/api' }),
  );
  said.push(await shop.getOrder({ path: { id: '7' } }).catch(({ status, body }) => [status, body.message]));
  said.push(await shop.getOrder({ path: { id: '9' } }).catch(({ name }) => name));
  said.push((await shop.createOrder({ headers: { 'Idempotency-Key': 'a' }, body: { item: 'own' } })).data.item);
}
main().catch((error) => said.push(String(error))).finally(() => (document.body.textContent = JSON.stringify(said)));
`;

beforeAll(async () => {
  const shop = { spec: path.resolve('test/docs/shop.yaml'), output: 'shop', emitters: ['msw'] };
  const { apis } = await generate({ cwd: folder, config: { apis: { shop } } });
  if (apis[0]?.status !== 'written') throw apis[0]?.error ?? new Error('Nothing was written.');
});

/** Builds the page for a version of MSW, and serves it with its service worker. */
async function servePage(version: string): Promise<{ readonly server: Server; readonly origin: string }> {
  const place = path.join(folder, version);
  mkdirSync(path.join(place, 'node_modules'), { recursive: true });
  symlinkSync(path.join(MODULES, version), path.join(place, 'node_modules/msw'));
  cpSync(path.join(folder, 'shop'), path.join(place, 'shop'), { recursive: true });
  writeTo(place, 'page.ts', PAGE);
  const { outputFiles } = await build({
    ...{ entryPoints: [path.join(place, 'page.ts')], bundle: true, write: false, format: 'esm', logLevel: 'error' },
  });
  const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
    '/': ['text/html', '<!doctype html><title>Shop</title><body></body><script type="module" src="/page.js"></script>'],
    '/page.js': ['text/javascript', outputFiles[0]?.text ?? ''],
    '/mockServiceWorker.js': [
      'text/javascript',
      readFileSync(path.join(MODULES, version, 'lib/mockServiceWorker.js'), 'utf8'),
    ],
  };
  const server = createServer((request, response) => {
    const [type, text] = files[request.url ?? ''] ?? [];
    response.writeHead(text === undefined ? 404 : 200, { 'content-type': type ?? 'text/plain' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe.runIf(hasBrowser)('handlers in a real browser', () => {
  it.each(['msw-2', 'msw'])(
    'with the service worker of %s, the client of the output gets its responses',
    async (version) => {
      const { server, origin } = await servePage(version);
      onTestFinished(() => void server.close());
      const browser = await launchBrowser();
      onTestFinished(() => browser.close());
      const page = await browser.newPage();
      const found = watchPage(page, origin);
      await page.goto(origin);
      await page.waitForFunction("document.body.textContent.startsWith('[')");
      const said: unknown = JSON.parse((await page.textContent('body')) ?? '');
      expect(said).toEqual(['7', 201, 204, 2, 2, [404, 'gone'], 'NetworkError', 'own']);
      expect(found).toEqual([]);
    },
  );
});
