import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';

import { expect, onTestFinished, test } from 'vitest';

import { startMock } from '../../entry/mock.js';
import { generate } from '../../entry/specmill.js';
import { hasBrowser, launchBrowser } from '../support/browser.js';
import { hasPackages } from '../support/missing-packages.js';
import { tempFolder } from '../support/temp-folder.js';

const root = path.join(import.meta.dirname, '../..');
const example = path.join(root, 'examples/storybook');
const packages = path.join(root, 'test/matrix/node_modules');
const isPossible = hasBrowser && hasPackages('test/matrix');
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** Builds the stories of the example in a project of its own, for a mock at another address. */
async function buildStories(api: string): Promise<string> {
  const folder = tempFolder({});
  cpSync(example, folder, { recursive: true });
  mkdirSync(path.join(folder, 'node_modules'));
  for (const name of readdirSync(packages)) {
    if (!name.startsWith('.')) symlinkSync(path.join(packages, name), path.join(folder, 'node_modules', name));
  }
  const worker = path.join(packages, 'msw/lib/mockServiceWorker.js');
  cpSync(worker, path.join(folder, 'public/mockServiceWorker.js'));
  const shop = { spec: 'shop.yaml', output: 'generated/shop', only: ['types', 'msw'] };
  await generate({ cwd: folder, config: { apis: { shop } } });
  const cli = path.join(folder, 'node_modules/storybook/dist/bin/dispatcher.js');
  const env = { ...process.env, STORYBOOK_API: api, STORYBOOK_DISABLE_TELEMETRY: '1' };
  await promisify(execFile)(process.execPath, [cli, 'build', '--quiet'], { cwd: folder, env });
  return path.join(folder, 'storybook-static');
}

function serveFiles(folder: string): Promise<Server> {
  const files = createServer((request, response) => {
    const file = path.join(folder, new URL(request.url ?? '', 'http://localhost').pathname);
    response.setHeader('content-type', TYPES[path.extname(file)] ?? 'application/octet-stream');
    readFile(file).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  return new Promise((resolve) => files.listen(0, '127.0.0.1', () => resolve(files)));
}

test.runIf(isPossible)(
  'stories show the items of the mock and the scenario that they choose, or the handlers of MSW without a mock',
  async () => {
    const files = { data: path.join(example, 'customers.yaml'), scenarios: path.join(example, 'scenarios.yaml') };
    await using mock = await startMock(path.join(example, 'shop.yaml'), { port: 0, ...files });
    const server = await serveFiles(await buildStories(mock.url));
    onTestFinished(() => void server.close());
    const browser = await launchBrowser();
    const page = await browser.newPage();
    const open = (story: string): Promise<unknown> =>
      page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/iframe.html?id=customers--${story}`);
    const status = page.locator('section p');
    await open('all');
    await status.filter({ hasText: '2 customers' }).waitFor();
    await page.getByRole('button', { name: 'Alan Turing pays' }).click();
    await status.filter({ hasText: 'paid' }).waitFor();
    await open('none');
    await status.filter({ hasText: '0 customers' }).waitFor();
    await open('declined');
    await page.getByRole('button', { name: 'Alan Turing pays' }).click();
    await status.filter({ hasText: 'declined' }).waitFor();
    expect((await mock.requests({ violations: true })).length).toBe(0);
    const count = (await mock.requests()).length;
    const openOffline = (story: string): Promise<unknown> =>
      page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/iframe.html?id=offline--${story}`);
    await openOffline('made-up');
    await status.filter({ hasText: '2 customers' }).waitFor();
    await openOffline('paid');
    await page.getByRole('button', { name: 'Ada Lovelace pays' }).click();
    await status.filter({ hasText: 'paid' }).waitFor();
    await openOffline('declined');
    await page.getByRole('button', { name: 'Ada Lovelace pays' }).click();
    await status.filter({ hasText: 'declined' }).waitFor();
    expect(await mock.requests()).toHaveLength(count);
    await browser.close();
  },
  120_000,
);
