import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { type Mock, startMock } from '../../../entry/mock.js';
import { hasBrowser, launchBrowser, watchPage } from '../../support/browser.js';
import { sampleOf } from '../../support/sample-of.js';
import { listOf, object, smallSpec, TEXT } from '../../support/small-spec.js';
import { tempFolder } from '../../support/temp-folder.js';

const CUSTOMER = object(
  {
    id: TEXT,
    name: TEXT,
    vip: { type: 'boolean' },
    plan: { type: 'string', enum: ['free', 'pro'] },
    seats: { type: 'integer', minimum: 1 },
    tags: listOf(TEXT),
  },
  ['id', 'name'],
);
const SPEC = smallSpec({
  'GET /customers listCustomers': { returns: listOf(CUSTOMER) },
  'POST /customers createCustomer': { takes: CUSTOMER, returns: CUSTOMER, status: 201 },
  'GET /customers/{id} readCustomer': { returns: CUSTOMER },
});
const SCENARIOS = 'card declined:\n  - { operationId: createCustomer, status: 402 }\n';
const PANELS = ['Operations', 'Resources', 'Journal', 'Data', 'State', 'Clock', 'Faults', 'Actions', 'Sandboxes'];

describe.skipIf(!hasBrowser).each(sampleOf([390, 1280], 2))('a page of %i pixels', (width) => {
  let browser: Browser;
  let page: Page;
  let mock: Mock;
  let problems: string[];

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    const cwd = tempFolder({ 'spec.json': JSON.stringify(SPEC), 'scenarios.yaml': SCENARIOS });
    mock = await startMock('spec.json', { cwd, port: 0, mount: '/shop', scenarios: 'scenarios.yaml' });
    page = await browser.newPage({ viewport: { width, height: 900 } });
    problems = watchPage(page, new URL(mock.url).origin);
  });
  afterEach(async () => {
    await page.close();
    await mock.close();
    if (problems.length > 0) throw new Error(`The page did what it must not do: ${problems.join('; ')}`);
  });

  const open = async (panel: string): Promise<void> => {
    await page.goto(`${mock.url}/__specmill/#/${panel}`);
    await page.getByRole('heading', { level: 1, name: 'Small' }).waitFor();
  };
  const customers = async (): Promise<readonly unknown[]> => (await mock.data.get())['/customers'] ?? [];

  it('adds, edits and deletes an item by the form of its schema', async () => {
    await open('data');
    await page.getByRole('button', { name: 'Add an item' }).click();
    const added = page.getByRole('form', { name: 'New item of /customers' });
    await added.getByLabel('id (required)').fill('cus_1');
    await added.getByLabel('vip').selectOption('true');
    await added.getByLabel('plan').selectOption('pro');
    await added.getByLabel('seats').fill('0');
    await added.getByLabel('tags').fill('["a"]');
    await added.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('/customers/0/seats').or(page.getByRole('alert')).waitFor();
    await added.getByLabel('seats').fill('12');
    await added.getByRole('button', { name: 'Save' }).click();
    await page.getByText('1 item', { exact: true }).waitFor();
    const made = { id: 'cus_1', name: expect.any(String), vip: true, plan: 'pro', seats: 12, tags: ['a'] };
    expect(await customers()).toEqual([made]);
    await page.getByRole('button', { name: 'Edit item 1 of /customers' }).click();
    const edited = page.getByRole('form', { name: 'Item 1 of /customers' });
    await edited.getByLabel('name (required)').fill('Ada');
    await edited.getByLabel('seats').fill('');
    await edited.getByRole('button', { name: 'Save' }).click();
    await expect.poll(customers).toEqual([{ id: 'cus_1', name: 'Ada', vip: true, plan: 'pro', tags: ['a'] }]);
    await page.getByRole('button', { name: 'Delete item 1 of /customers' }).click();
    await expect.poll(customers).toEqual([]);
  });

  it('loads a file of data, and says what is wrong in another', async () => {
    await open('data');
    const load = (name: string, text: string): Promise<void> =>
      page.getByLabel('Load a file').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
    await load('customers.csv', 'id,name,seats\ncus_1,Ada,3\ncus_2,Bo,4\n');
    await page.getByText('2 items', { exact: true }).waitFor();
    expect(await customers()).toEqual([
      { id: 'cus_1', name: 'Ada', seats: 3 },
      { id: 'cus_2', name: 'Bo', seats: 4 },
    ]);
    await load('wrong.yaml', 'customerz:\n  - { id: a }\n');
    await page.getByRole('alert').getByText('Did you mean customers?').waitFor();
    expect(await customers()).toHaveLength(2);
  });

  it('builds a fault with a condition, and switches a scenario', async () => {
    await open('faults');
    const form = page.getByRole('form', { name: 'New fault' });
    await form.getByLabel('Operation').selectOption('readCustomer');
    await form.getByRole('button', { name: 'Add a condition' }).click();
    const condition = form.getByRole('group', { name: 'Condition 1' });
    await condition.getByLabel('Name').fill('id');
    await condition.getByLabel('Value').fill('cus_402');
    await form.getByLabel('Name', { exact: true }).last().fill('declined');
    await form.getByLabel('Status').fill('402');
    await form.getByLabel('Response body').fill('{"code":"declined"}');
    await form.getByRole('button', { name: 'Add', exact: true }).click();
    await expect
      .poll(() => mock.faults.get())
      .toEqual([
        {
          name: 'declined',
          operationId: 'readCustomer',
          when: { path: { id: { equals: 'cus_402' } } },
          status: 402,
          body: { code: 'declined' },
        },
      ]);
    expect((await mock.fetch(`${mock.url}/customers/cus_402`)).status).toBe(402);
    await page.getByLabel('card declined').click();
    await expect.poll(() => mock.scenarios.get()).toEqual([{ name: 'card declined', active: true }]);
  });

  it('has no serious problem of axe in any panel or form, light or dark, and no sideways scroll', async () => {
    await mock.data.put({ '/customers': [{ id: 'cus_1' }] });
    await open('operations');
    await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
    for (const panel of PANELS) {
      await page.getByRole('link', { name: panel, exact: true }).click();
      if (panel === 'Data') await page.getByRole('button', { name: 'Add an item' }).click();
      if (panel === 'Faults') await page.getByRole('button', { name: 'Add a condition' }).click();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.waitForTimeout(100);
        const found = await page.evaluate(async () => {
          const { axe } = globalThis as unknown as {
            axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
          };
          return (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
        });
        expect(found, `${panel}, ${colorScheme}`).toEqual([]);
        if (process.env['PICTURES'] !== undefined)
          await page.screenshot({
            path: `${process.env['PICTURES']}/${panel}-${width}-${colorScheme}.png`,
            fullPage: true,
          });
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth), panel).toBeLessThanOrEqual(width);
    }
  });
});
