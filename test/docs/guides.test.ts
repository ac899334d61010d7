import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { expect, it, vi } from 'vitest';

import { runCli } from '../../cli/run-cli.js';
import { captureIo } from '../support/run-captured.js';
import { listOf, object, smallSpec, TEXT } from '../support/small-spec.js';
import { tempFolder } from '../support/temp-folder.js';

const ROOT = path.join(import.meta.dirname, '../..');
const CUSTOMER = object({ id: TEXT, name: TEXT });
const SHOP = smallSpec({
  'GET /customers listCustomers': { returns: listOf(CUSTOMER) },
  'POST /customers createCustomer': { takes: CUSTOMER, returns: CUSTOMER, status: 201 },
  'GET /customers/{id} readCustomer': { returns: CUSTOMER },
});

function guideFolder(): string {
  const guide = readFileSync(path.join(ROOT, 'docs/guides.md'), 'utf8');
  const blocks = [...guide.matchAll(/^```js (\S+)\n(.*?)^```$/gms)].map(([, name = '', text = '']) => [name, text]);
  return tempFolder({ ...(Object.fromEntries(blocks) as Record<string, string>), 'shop.json': JSON.stringify(SHOP) });
}

it('the nine lines of the guide print what it says', async () => {
  const cwd = guideFolder();
  const file = path.join(cwd, 'fifty.mjs');
  const built = pathToFileURL(path.join(ROOT, 'dist/entry/mock.js')).href;
  writeFileSync(file, readFileSync(file, 'utf8').replace('specmill/mock', built));
  const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd });
  expect(stdout).toBe('50 402\n');
});

it('the command of the configuration for Playwright serves the address that it waits for', async () => {
  const cwd = guideFolder();
  const { default: config } = (await import(path.join(cwd, 'playwright.config.mjs'))) as {
    default: { webServer: { command: string; url: string } };
  };
  const { command, url } = config.webServer;
  const controller = new AbortController();
  const { io } = captureIo(cwd, controller.signal);
  const status = runCli(command.split(' ').slice(2), io);
  try {
    await vi.waitFor(async () => expect((await fetch(url)).status).toBe(200), { timeout: 20_000 });
  } finally {
    controller.abort();
    expect(await status).toBe(0);
  }
});
