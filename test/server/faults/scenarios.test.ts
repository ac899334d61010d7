import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { type Mock, type MockOptions, startMock } from '../../../entry/mock.js';
import { loadApi } from '../../../entry/specmill.js';

const SHOP = await loadApi('test/server/data/shop.yaml');

const SCENARIOS = `
default:
  - { operationId: listPayments, status: 500 }
card declined:
  - { name: declined, operationId: listPlans, status: 402, body: { code: declined } }
once:
  - { operationId: listPlans, status: 503, times: 1 }
`;

async function startWith(text: string, options: MockOptions = {}): Promise<{ mock: Mock; file: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'scenarios-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'scenarios.yaml');
  await writeFile(file, text);
  const mock = await startMock(SHOP, { cwd: folder, scenarios: 'scenarios.yaml', ...options });
  onTestFinished(() => mock.close());
  return { mock, file };
}

it.each(['memory', 'directory'])('scenarios switch, select and reset in %s', async (where) => {
  const { mock } = await startWith(SCENARIOS, where === 'memory' ? {} : { state: 'state' });
  const status = async (target: string, headers: Readonly<Record<string, string>> = {}): Promise<number> =>
    (await mock.fetch(mock.url + target, { headers })).status;
  expect([await status('/payments'), await status('/plans')]).toEqual([500, 200]);
  expect(await status('/plans', { 'x-specmill-scenario': 'card declined' })).toBe(402);
  expect(await status('/payments', { 'x-specmill-scenario': 'card declined' })).toBe(200);
  expect(await status('/plans', { 'x-specmill-scenario': 'card-declined' })).toBe(400);
  await mock.scenarios.set(['once', 'card declined']);
  expect(await mock.scenarios.get()).toEqual([
    { name: 'default', active: false },
    { name: 'card declined', active: true },
    { name: 'once', active: true },
  ]);
  expect([await status('/plans'), await status('/plans'), await status('/payments')]).toEqual([503, 402, 200]);
  expect(await status('/plans', { 'x-specmill-sandbox': 'other' })).toBe(200);
  await mock.scenarios.set(['once']);
  expect([await status('/plans'), await status('/plans')]).toEqual([503, 200]);
  await expect(mock.scenarios.set(['onze'])).rejects.toThrow('There is no scenario "onze". Did you mean once?');
  await mock.reset();
  expect([await status('/payments'), await status('/plans')]).toEqual([500, 200]);
});

it('a reload takes a changed file, and keeps the old scenarios if it is invalid', async () => {
  const { mock, file } = await startWith(SCENARIOS);
  expect(mock.files).toContain(file);
  await writeFile(file, 'new: [{ operationId: listPlans, status: 418 }]');
  await mock.reload();
  await mock.scenarios.set(['new']);
  expect((await mock.fetch(`${mock.url}/plans`)).status).toBe(418);
  await writeFile(file, 'new: [{ operationId: listPlanz }]');
  await expect(mock.reload()).rejects.toThrow('The API has no operation "listPlanz". Did you mean listPlans?');
  expect((await mock.fetch(`${mock.url}/plans`)).status).toBe(418);
});

it.each([
  ['a:\n  - operationId: listPlans\n    status: 999', 3, '/a/0/status', '/0/status must be'],
  ['a:\n  - operationId: nope', 2, '/a/0/operationId', 'The API has no operation "nope".'],
  ['a:\n  - body: "{{nope}}"', 2, '/a/0/body', 'The text is no usable template'],
  ['a: 7', 1, '/a', 'The scenario must be an array'],
  ['- 1', 1, '', 'The scenarios must be a map from a name to a list of faults.'],
])('refuses the scenarios %j with their place', async (text, line, pointer, message) => {
  await expect(startWith(text)).rejects.toMatchObject({
    message: expect.stringContaining(message),
    place: { file: expect.stringMatching(/scenarios\.yaml$/), line, pointer },
  });
});
