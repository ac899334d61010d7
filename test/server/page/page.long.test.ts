import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { type Mock, startMock } from '../../../entry/mock.js';
import { explain } from '../../../entry/specmill.js';
import { hasBrowser, launchBrowser, watchPage } from '../../support/browser.js';
import { documentWith, loadDocument } from '../../support/load-document.js';
import { sampleOf } from '../../support/sample-of.js';
import { wordsOf } from '../../support/shell-words.js';

const EVIL = '<img src=x onerror="alert(1)"><script>alert(2)</script>';

/** A spec whose every text tries to become HTML. */
const HOSTILE = {
  openapi: '3.1.0',
  info: {
    title: `Title ${EVIL}`,
    version: '1',
    description: `# Head ${EVIL}\n\n[link](javascript:alert(3)) <b>bold</b>`,
  },
  tags: [{ name: `tag ${EVIL}` }],
  paths: {
    '/notes/{id}': {
      get: {
        operationId: `getNote ${EVIL}`,
        tags: [`tag ${EVIL}`],
        summary: EVIL,
        description: EVIL,
        parameters: [
          {
            name: 'id',
            in: 'path',
            required: true,
            description: `id ${EVIL}`,
            schema: { type: 'string', examples: ['a'] },
          },
        ],
        responses: {
          200: {
            description: EVIL,
            content: {
              'application/json': {
                schema: { type: 'object', properties: { [EVIL]: { type: 'string', description: EVIL } } },
                example: { [EVIL]: EVIL },
              },
            },
          },
        },
      },
    },
    '/stream': {
      get: {
        operationId: 'stream',
        'x-limit-of-another-tool': { name: 'long'.repeat(200) },
        responses: {
          200: {
            description: 'events',
            content: {
              'text/event-stream': {
                'x-event-stream': 'item',
                schema: { type: 'object', properties: { text: { type: 'string' } } },
                example: { text: 'hello' },
              },
            },
          },
        },
      },
    },
  },
};

const PANELS = [
  'Operations',
  'Resources',
  'Journal',
  'Data',
  'State',
  'Clock',
  'Faults',
  'Actions',
  'Sandboxes',
] as const;

/** The serious findings of axe-core, which the page has loaded. */
function findSerious(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run: () => Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
}

/** What the tests use of a mock of any API. */
type AnyMock = Pick<Mock, 'url' | 'api' | 'clock' | 'faults' | 'close'> & {
  readonly sandbox: (name: string) => Pick<Mock, 'faults'>;
};

describe.skipIf(!hasBrowser)('the page of a mock', () => {
  let browser: Browser;
  let page: Page;
  let mock: AnyMock;
  let problems: string[];

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    await page.close();
    await mock.close();
    if (problems.length > 0) throw new Error(`The page did what it must not do: ${problems.join('; ')}`);
  });

  const open = async (started: AnyMock, { hash = '', width = 1280 } = {}): Promise<void> => {
    mock = started;
    page = await browser.newPage({ viewport: { width, height: 900 } });
    problems = watchPage(page, mock.url);
    await page.goto(`${mock.url}/__specmill/${hash}`);
    await page.getByRole('heading', { level: 1, name: mock.api.title }).waitFor();
  };
  const openPanel = (name: string): Promise<void> => page.getByRole('link', { name, exact: true }).click();

  /** `SCREENSHOTS=1` renews the pictures of docs/page.md. */
  const takePicture = async (name: string): Promise<void> => {
    if (process.env['SCREENSHOTS'] === '1' && page.viewportSize()?.width !== 390)
      await page.screenshot({ path: `docs/images/page-${name}.png` });
  };

  describe.each(sampleOf([1280, 390], 2))('of the signing API, %i pixels wide', (width) => {
    beforeEach(async () => open(await startMock('signing', { port: 0, seed: 1 }), { width }));

    it('the page has the title of the API as its document title', async () => {
      await expect.poll(() => page.title()).toBe(mock.api.title);
    });

    it('finds operations by path, id and summary, below headings of their tags', async () => {
      expect(await page.getByRole('heading', { level: 2, name: 'search' }).count()).toBe(1);
      await page.getByLabel('Search operations').fill('find templates');
      await page.getByRole('link', { name: 'GET /api/v2/findtemplates' }).waitFor();
      expect(await page.getByRole('link', { name: /^(?:GET|POST|PUT|DELETE) / }).count()).toBe(1);
    });

    it('sends a prefilled request, and shows the response, also in the live journal', async () => {
      await page.getByRole('link', { name: 'POST /api/v2/createcase Create a case' }).click();
      await page.getByLabel('Username').fill('key');
      await page.getByLabel('Password').fill('secret');
      await page.getByRole('button', { name: 'Send' }).click();
      const response = page.getByRole('region', { name: 'Response' });
      await response.getByText('200 OK').waitFor();
      await response.scrollIntoViewIfNeeded();
      await takePicture('operations');
      expect(await response.textContent()).toContain('content-type: application/json');
      await openPanel('Journal');
      await page.getByRole('button', { name: /POST \/api\/v2\/createcase 200/ }).click();
      expect(await page.getByRole('region', { name: 'Request' }).textContent()).toContain('Basic REDACTED');
      await page.emulateMedia({ colorScheme: 'dark' });
      await takePicture('journal-dark');
      await fetch(`${mock.url}/api/v2/findcases?Take=101`, {
        headers: { authorization: `Basic ${btoa('key:secret')}` },
      });
      await page.getByRole('button', { name: /findcases\?Take=101 4\d\d 1 violation/ }).waitFor();
      await page.getByLabel('Only violations').check();
      expect(await page.getByRole('button', { name: /createcase/ }).count()).toBe(0);
    });

    it('the page shows the violations of a body before it is sent', async () => {
      await page.getByRole('link', { name: 'POST /api/v2/createcase Create a case' }).click();
      await page.getByRole('textbox', { name: 'Body' }).fill('{"Name": 1}');
      await page.getByRole('button', { name: 'Check' }).click();
      await expect.poll(() => page.getByText('body /Name').count()).toBe(1);
    });

    it('shows the state, saves a change, and refuses an invalid change with an alert', async () => {
      await openPanel('State');
      const editor = page.getByRole('textbox', { name: 'State' });
      await editor.waitFor();
      await page.waitForFunction(() => document.querySelector('textarea')?.value.includes('"clock"'));
      const state = JSON.parse(await editor.inputValue()) as { clock: { now: string } };
      await editor.fill('{"clock": 5}');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('alert').waitFor();
      await editor.fill(JSON.stringify({ ...state, clock: { now: '2030-01-01T00:00:00.000Z', frozen: true } }));
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('alert').waitFor({ state: 'detached' });
      expect(await mock.clock.get()).toEqual({ now: '2030-01-01T00:00:00.000Z', frozen: true });
    });

    it('deletes a single item', async () => {
      const authorization = `Basic ${Buffer.from('k:s').toString('base64')}`;
      const headers = { authorization, 'content-type': 'application/json' };
      const created = await fetch(`${mock.url}/api/v2/createcase`, {
        method: 'POST',
        headers,
        body: '{"Name":"Gone"}',
      });
      const { Id: id } = (await created.json()) as { readonly Id: string };
      const read = async (): Promise<number> =>
        (await fetch(`${mock.url}/api/v2/getcase?id=${id}`, { headers: { authorization } })).status;
      expect(await read()).toBe(200);
      await openPanel('State');
      await page.getByLabel('Search items').fill(id);
      await page.getByRole('button', { name: `Delete ${id} of case` }).click();
      await expect.poll(read).toBe(404);
    });

    it('shows the clock, freezes and advances it', async () => {
      await openPanel('Clock');
      await page.getByLabel('Frozen').check();
      await page.getByText(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/).waitFor();
      await expect.poll(async () => (await mock.clock.get()).frozen).toBe(true);
      const before = Date.parse((await mock.clock.get()).now);
      await page.getByLabel('Advance by').fill('P1D');
      await page.getByRole('button', { name: 'Advance' }).click();
      await expect.poll(async () => Date.parse((await mock.clock.get()).now) - before).toBe(86_400_000);
    });

    it('adds and removes faults', async () => {
      await openPanel('Faults');
      await page.getByLabel('Operation').selectOption('getcase');
      await page.getByLabel('Status').fill('418');
      await page.getByLabel('Times').fill('2');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByText('getcase, 418, 2 times').waitFor();
      expect(await mock.faults.get()).toEqual([{ operationId: 'getcase', status: 418, times: 2 }]);
      await page.getByRole('button', { name: 'Remove', exact: true }).click();
      await page.getByText('No faults.').waitFor();
    });

    it('the page has a form for each action and shows why one was refused', async () => {
      await openPanel('Actions');
      const form = page.getByRole('form', { name: 'approve' });
      await form.getByLabel('caseId').fill('no-such-case');
      await form.getByRole('button', { name: 'Run' }).click();
      await form.getByRole('alert').waitFor();
      expect(await form.getByRole('alert').textContent()).toContain('caseId');
    });

    it('shows the resources of the mock', async () => {
      await openPanel('Resources');
      const [resource] = (await explain(mock.api)).resources;
      await page.getByRole('rowheader', { name: 'id', exact: true }).first().waitFor();
      expect(await page.getByRole('heading', { level: 2 }).first().textContent()).toContain(resource?.path);
    });

    it('switches between sandboxes and resets the one in use', async () => {
      await mock.sandbox('worker-1').faults.put([{ status: 500 }]);
      await openPanel('Sandboxes');
      await page.getByRole('button', { name: 'worker-1', exact: true }).click();
      expect(await page.getByLabel('Sandbox').inputValue()).toBe('worker-1');
      await openPanel('Faults');
      await page.getByText('every operation, 500').waitFor();
      await page.getByRole('button', { name: 'Reset' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
      await page.getByText('No faults.').waitFor();
      expect(await mock.sandbox('worker-1').faults.get()).toEqual([]);
    });
  });

  describe.each([1280, 390])('of the signing API, %i pixels wide, in each panel', (width) => {
    beforeEach(async () => open(await startMock('signing', { port: 0, seed: 1 }), { width }));

    it('axe-core finds no serious problem in any panel, light or dark', async () => {
      await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
      for (const [index, panel] of PANELS.entries()) {
        const colorScheme = index % 2 === 0 ? 'light' : 'dark';
        await page.emulateMedia({ colorScheme });
        await openPanel(panel);
        if (panel === 'Operations')
          await page.getByRole('link', { name: 'POST /api/v2/createcase Create a case' }).click();
        await page.waitForTimeout(300);
        expect(await findSerious(page), `${panel}, ${colorScheme}`).toEqual([]);
      }
    });

    it('the page fits into 360 pixels', async () => {
      await page.setViewportSize({ width: 360, height: 740 });
      for (const panel of PANELS) {
        await openPanel(panel);
        await page.waitForTimeout(200);
        expect(await page.evaluate(() => document.documentElement.scrollWidth), panel).toBeLessThanOrEqual(360);
        if (panel === 'State') await takePicture('state-narrow');
      }
    });
  });

  it('the page of a mock shows texts of a spec literally, never as HTML', async () => {
    await open(await startMock(await loadDocument(HOSTILE), { port: 0 }));
    await page.getByRole('link', { name: /GET \/notes/ }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('region', { name: 'Response' }).getByText('200').first().waitFor();
    await page.getByText(EVIL).first().waitFor();
    await openPanel('Journal');
    await page.getByRole('button', { name: /GET \/notes/ }).click();
    await page.waitForTimeout(300);
    expect(await page.locator('img, main script').count()).toBe(0);
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
  });

  it('the page of a mock sends a list in a path in its style, and the curl line sends the same request', async () => {
    const id = {
      name: 'ids',
      in: 'path',
      required: true,
      schema: { type: 'array', minItems: 2, items: { type: 'string' } },
    };
    const session = { name: 'session', in: 'cookie', required: true, schema: { type: 'string', examples: ['a b'] } };
    const responses = { 200: { description: 'ok', content: { 'application/json': { schema: {}, example: 'yes' } } } };
    const paths = Object.fromEntries(
      ['simple', 'label', 'matrix'].map((style) => [
        `/${style}/{ids}`,
        {
          get: { operationId: style, parameters: [{ ...id, style, explode: style !== 'simple' }, session], responses },
        },
      ]),
    );
    await open(await startMock(await loadDocument(documentWith(paths)), { port: 0 }));
    for (const [style, target] of Object.entries({
      simple: 'a%20b,c',
      label: '.a%20b.c',
      matrix: ';ids=a%20b;ids=c',
    })) {
      await page.getByRole('link', { name: `GET /${style}/` }).click();
      await page.getByLabel('ids').fill('a b, c');
      const sent = page.waitForRequest((request) => request.url().includes(`/${style}/`));
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('region', { name: 'Response' }).getByText('200 OK').waitFor();
      expect((await sent).url()).toBe(`${mock.url}/${style}/${target}`);
      await page.getByText('As a command and as code').click();
      const line = (await page.getByLabel('curl', { exact: true }).textContent()) ?? '';
      expect(wordsOf(line)).toEqual(['-sS', '-g', `${mock.url}/${style}/${target}`, '-H', 'cookie: session=a%20b']);
      expect(await page.getByLabel('client', { exact: true }).textContent()).toBe(
        `await client.${style}({ path: { ids: ["a b","c"] }, cookies: { session: "a b" } });`,
      );
    }
    expect(await page.context().cookies()).toEqual([]);
  });

  it('the page of a mock opens a live session, sends messages and shows those of the server', async () => {
    await open(await startMock('generation', { port: 0 }));
    await page.getByRole('link', { name: /GET \/ws\/.*BidiGenerateContent Open a live session$/ }).click();
    await page.getByLabel('key', { exact: true }).fill('any-key');
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    const response = page.getByRole('region', { name: 'Response' });
    await response.getByText('open', { exact: true }).waitFor();
    const send = async (message: object): Promise<void> => {
      await page.getByRole('textbox', { name: 'Body' }).fill(JSON.stringify(message));
      await page.getByRole('button', { name: 'Send' }).click();
    };
    await send({ setup: { model: 'models/sonata-2-live' } });
    await expect.poll(() => response.textContent()).toContain('setupComplete');
    await send({ clientContent: { turns: [{ role: 'user', parts: [{ text: 'hello' }] }], turnComplete: true } });
    await expect.poll(() => response.textContent()).toContain('You said');
    await page.getByRole('button', { name: 'Close' }).click();
    await response.getByText(/^closed 1\d\d\d/).waitFor();
  });

  it('the page of a mock lists the client helpers of an operation, and not the extensions of other tools', async () => {
    await open(await startMock('notifications', { port: 0 }));
    await page.getByRole('link', { name: /GET \/notifications List/ }).click();
    const article = page.getByRole('article');
    await expect.poll(() => article.textContent()).toContain('x-conditional-polling');
    await mock.close();
    await page.close();
    await open(await startMock(await loadDocument(HOSTILE), { port: 0 }));
    await page.getByRole('link', { name: 'GET /stream' }).click();
    await expect.poll(() => page.getByRole('article').textContent()).toContain('Try it');
    expect(await page.getByRole('article').textContent()).not.toContain('x-limit-of-another-tool');
  });

  it('the page of a mock fits hostile texts without a space into 360 pixels', async () => {
    const { info, ...rest } = HOSTILE;
    const long = 'w'.repeat(500);
    await open(
      await startMock(await loadDocument({ ...rest, info: { ...info, description: `\`${long}\`` } }), { port: 0 }),
    );
    await page.setViewportSize({ width: 360, height: 740 });
    for (const name of [/GET \/notes/, 'GET /stream']) {
      await page.getByRole('link', { name }).click();
      await page.getByRole('button', { name: 'Send' }).waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    }
  });

  it('the page of a mock shows a stream event by event', async () => {
    await open(await startMock(await loadDocument(HOSTILE), { port: 0 }));
    await page.getByRole('link', { name: 'GET /stream' }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    const response = page.getByRole('region', { name: 'Response' });
    await expect.poll(() => response.textContent()).toContain('"hello"');
  });
});

describe('the address of a mock', () => {
  it('the URL of a mock redirects browsers to the page if the API has no path /', async () => {
    await using mock = await startMock('signing', { port: 0 });
    const browser = await fetch(mock.url, { headers: { accept: 'text/html' }, redirect: 'manual' });
    expect([browser.status, browser.headers.get('location')]).toEqual([302, '/__specmill/']);
    expect((await fetch(mock.url)).status).toBe(404);
  });

  it('the page is refused to a foreign host or origin', async () => {
    await using mock = await startMock('signing', { port: 0 });
    const response = await fetch(`${mock.url}/__specmill/`, { headers: { origin: 'https://evil.example' } });
    expect(response.status).toBe(403);
  });
});

describe('the events of a sandbox', () => {
  it('the events of a sandbox are the calls and changes of that sandbox only, and end with the mock', async () => {
    const mock = await startMock('signing', { port: 0 });
    const response = await fetch(`${mock.url}/__specmill/events?sandbox=a`);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    await reader.read();
    await mock.sandbox('b').faults.put([{ status: 500 }]);
    await mock.sandbox('a').faults.put([{ status: 503 }]);
    await mock.sandbox('a').clock.advance('PT1H');
    await fetch(`${mock.url}/api/v2/findcases`, { headers: { 'x-specmill-sandbox': 'a' } });
    let text = '';
    while (!text.includes('"journal"')) text += (await reader.read()).value ?? '';
    const changes = text
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice(6)) as { type: string; faults?: unknown });
    expect(changes[0]).toEqual({ type: 'faults', faults: [{ status: 503 }] });
    expect(changes.map(({ type }) => type)).toEqual(expect.arrayContaining(['faults', 'clock', 'journal']));
    const closed = mock.close();
    for (let part = await reader.read(); !part.done; part = await reader.read());
    await closed;
  });

  it('the control interface lists sandboxes and drops one', async () => {
    await using mock = await startMock('signing', { port: 0 });
    await mock.sandbox('w').state.get();
    const list = async (): Promise<{ name: string; items: number }[]> =>
      (await (await fetch(`${mock.url}/__specmill/sandboxes`)).json()) as { name: string; items: number }[];
    expect((await list()).map(({ name }) => name)).toContain('w');
    const drop = (name: string): Promise<Response> =>
      fetch(`${mock.url}/__specmill/sandboxes/${name}`, { method: 'DELETE' });
    expect((await drop('w')).status).toBe(204);
    expect((await list()).map(({ name }) => name)).not.toContain('w');
    expect((await drop('w')).status).toBe(404);
  });
});
