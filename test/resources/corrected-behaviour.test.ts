import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { runContract } from '../../entry/contract.js';
import { startMock } from '../../entry/mock.js';
import { loadApi } from '../../entry/specmill.js';
import { shopSpec } from '../support/shop-spec.js';
import { tempFolder } from '../support/temp-folder.js';

type Send = (method: string, path: string, body?: object) => Promise<number>;

/** Starts a mock of the shop with corrections, and returns how to call it. */
async function startShop(corrections: object, change = (spec: Record<string, unknown>) => spec): Promise<Send> {
  // The parameter has the name of the id, so that nothing but the rules is corrected.
  const text = JSON.stringify(change(shopSpec(corrections))).replaceAll('external_customer_id', 'external_id');
  const folder = tempFolder({ 'shop.json': text });
  const mock = await startMock(path.join(folder, 'shop.json'));
  return async (method, place, body) => {
    const headers = { 'content-type': 'application/json' };
    const init = { method, ...(body === undefined ? {} : { headers, body: JSON.stringify(body) }) };
    return (await mock.fetch(mock.url + place, init)).status;
  };
}

const LAGO_ID = '7f2c1c7e-3f4d-4c55-9c1e-0f4b5d1f1a0';

function customer(index: number, more: object = {}): object {
  const email = `c${index}@example.com`;
  return { customer: { lago_id: `${LAGO_ID}${index}`, external_id: `c${index}`, email, ...more } };
}

/** Without a documented status, in the operation that creates customers. */
function without(...statuses: string[]): (spec: Record<string, unknown>) => Record<string, unknown> {
  return (spec) => {
    const { post } = (spec['paths'] as { '/customers': { post: { responses: Record<string, unknown> } } })[
      '/customers'
    ];
    for (const status of statuses) delete post.responses[status];
    return spec;
  };
}

describe('a unique member of a correction', () => {
  test('is refused for a second item, and accepted for the item itself', async () => {
    const send = await startShop({ '/customers': { unique: ['email'] } });
    expect(await send('POST', '/customers', customer(1))).toBe(201);
    expect(await send('POST', '/customers', customer(2, { email: 'c1@example.com' }))).toBe(409);
    expect(await send('POST', '/customers', customer(2))).toBe(201);
    expect(await send('PATCH', '/customers/c2', { customer: { email: 'c2@example.com' } })).toBe(200);
    expect(await send('PATCH', '/customers/c2', { customer: { email: 'c1@example.com' } })).toBe(422);
  });

  test.each([
    [['409'], 422],
    [['409', '422'], 400],
  ])('is refused as documented: without %j with %d', async (statuses, expected) => {
    const send = await startShop({ '/customers': { unique: ['/email'] } }, without(...statuses));
    expect(await send('POST', '/customers', customer(1))).toBe(201);
    expect(await send('POST', '/customers', customer(2, { email: 'c1@example.com' }))).toBe(expected);
  });
});

describe('a reference of a correction', () => {
  const REFERENCES = { '/customers': { references: { plan_code: '/plans' } } };

  test('to an item that does not exist is refused as documented, else accepted', async () => {
    const send = await startShop(REFERENCES);
    expect(await send('POST', '/customers', customer(1, { plan_code: 'gold' }))).toBe(404);
    expect(await send('POST', '/plans', { code: 'gold', name: 'Gold' })).toBe(201);
    expect(await send('POST', '/customers', customer(1, { plan_code: 'gold' }))).toBe(201);
    expect(await send('POST', '/customers', customer(2))).toBe(201);
    const other = await startShop(REFERENCES, without('404'));
    expect(await other('POST', '/customers', customer(1, { plan_code: 'gold' }))).toBe(422);
    const open = await startShop(REFERENCES, without('404', '422'));
    expect(await open('POST', '/customers', customer(1, { plan_code: 'gold' }))).toBe(201);
  });
});

test('a path that is no resource has responses of the spec alone', async () => {
  const plan = { code: 'gold', name: 'Gold' };
  const open = await startShop({ '/plans': false });
  expect([await open('POST', '/plans', plan), await open('GET', '/plans/silver')]).toEqual([201, 200]);
  const known = await startShop({});
  expect([await known('POST', '/plans', plan), await known('GET', '/plans/silver')]).toEqual([201, 404]);
});

test('a contract run finds a server that accepts a unique value twice', async () => {
  const corrections = { '/plans': { unique: ['name'] } };
  const folder = tempFolder({
    'strict.json': JSON.stringify(shopSpec(corrections)),
    'loose.json': JSON.stringify(shopSpec()),
  });
  const strict = await loadApi(path.join(folder, 'strict.json'));
  const run = async (server: string): Promise<readonly string[]> => {
    await using mock = await startMock(path.join(folder, server), { port: 0 });
    const { findings } = await runContract({
      api: strict,
      url: mock.url,
      seed: 1,
      phases: ['stateful'],
      maxExamples: 4,
    });
    return findings.map(({ check, pointer }) => `${check} ${pointer ?? ''}`);
  };
  expect(await run('loose.json')).toContainEqual('unique value /name');
  expect(await run('strict.json')).not.toContainEqual(expect.stringMatching(/unique value/));
});
