import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Browser, Page } from 'playwright-core';

import { type Mock, startMock } from '../../../entry/mock.js';
import { startProxy } from '../../../entry/start-proxy.js';
import { hasBrowser, launchBrowser } from '../../support/browser.js';
import { documentWith, loadDocument } from '../../support/load-document.js';

const PET = { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, name: { type: 'string' } } };
const content = { 'application/json': { schema: PET } };
const PATHS = {
  '/pets': {
    get: {
      operationId: 'listPets',
      responses: {
        200: { description: 'ok', content: { 'application/json': { schema: { type: 'array', items: PET } } } },
      },
    },
    post: { operationId: 'addPet', requestBody: { content }, responses: { 201: { description: 'ok', content } } },
  },
};

/** A name of an attacker that leads to this machine once its page is open: the page has the origin of the mock. */
const NAME = 'rebound.example';

interface Seen {
  readonly status: number;
  readonly text: string;
}

describe.skipIf(!hasBrowser)('a page whose name is rebound to this machine', () => {
  let browser: Browser;
  let page: Page;
  let mock: Mock;

  beforeAll(async () => {
    browser = await launchBrowser(`--host-resolver-rules=MAP ${NAME} 127.0.0.1`);
    page = await browser.newPage();
    mock = await startMock(await loadDocument(documentWith(PATHS)), { port: 0, seed: 1 });
    const body = JSON.stringify({ id: 1, name: 'Secret' });
    await fetch(`${mock.url}/pets`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  });
  afterAll(async () => {
    await browser?.close();
    await mock?.close();
  });

  /** What a script of the page gets from its own origin, which is the mock by now. */
  async function request(port: string, path: string, method: string): Promise<Seen> {
    await page.goto(`http://${NAME}:${port}/`);
    return page.evaluate(
      async ([at, verb]) => {
        const init =
          verb === 'GET' ? {} : { method: verb, headers: { 'content-type': 'application/json' }, body: '{"id":2}' };
        const response = await fetch(at, init);
        return { status: response.status, text: await response.text() };
      },
      [path, method] as const,
    );
  }

  it.each([
    ['/pets', 'GET'],
    ['/pets', 'POST'],
    ['/__specmill/requests', 'GET'],
    ['/__specmill/reset', 'POST'],
  ])('gets nothing from a mock: %s %s', async (path, method) => {
    const { status, text } = await request(new URL(mock.url).port, path, method);
    expect([status, text.includes('Secret')]).toEqual([403, false]);
    expect((await (await fetch(`${mock.url}/pets`)).json()) as object[]).toHaveLength(1);
  });

  it('gets nothing through a proxy', async () => {
    const proxy = await startProxy(await loadDocument(documentWith(PATHS)), { upstream: mock.url });
    const { status, text } = await request(new URL(proxy.url).port, '/pets', 'GET');
    await proxy.close();
    expect([status, text.includes('Secret')]).toEqual([403, false]);
  });
});
