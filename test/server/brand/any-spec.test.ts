import path from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { defineMock, type Mock, type MockOptions, startMock } from '../../../entry/mock.js';
import type { MockSource } from '../../../server/start/load-source.js';
import { loadApi } from '../../../model/load-api.js';
import { tempFolder } from '../../support/temp-folder.js';

const SPEC = `openapi: 3.1.0
info: { title: Orders, version: 1.0.0 }
paths:
  /vendor/orders:
    post:
      operationId: addVendorOrder
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/VendorOrder' } } }
      responses:
        '201':
          description: Added.
          headers: { X-Vendor-Order: { schema: { type: string } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/VendorOrder' } } }
    get:
      operationId: listVendorOrders
      parameters: [{ name: vendorKind, in: query, schema: { $ref: '#/components/schemas/Kind' } }]
      responses:
        '200':
          description: All of them.
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/VendorOrder' } } } }
components:
  schemas:
    Kind: { type: string, enum: [VENDOR_SHIP, OTHER] }
    VendorOrder:
      type: object
      required: [vendorKind]
      properties: { id: { type: string }, vendorKind: { $ref: '#/components/schemas/Kind' }, note: { type: string } }
`;

async function start(source: (folder: string) => MockSource | Promise<MockSource>, config: string): Promise<Mock> {
  const folder = tempFolder({ 'spec.yaml': SPEC, 'specmill.config.yaml': config });
  const given = await source(folder);
  const options: MockOptions = { cwd: folder, ...(config.includes('vendor') ? {} : { vendor: 'acme' }) };
  const mock = await startMock(given as string, options);
  onTestFinished(() => mock.close());
  return mock;
}

const CONFIG = 'apis: { orders: { spec: spec.yaml, output: out } }';

it.each<[string, (folder: string) => MockSource | Promise<MockSource>, string]>([
  ['a spec of the configuration', () => 'orders', CONFIG],
  ['the vendor of the configuration', () => 'orders', CONFIG.replace('output', 'vendor: acme, output')],
  [
    'operations that are chosen by their real paths',
    () => 'orders',
    CONFIG.replace('output', 'vendor: acme, include: { paths: [/acme/**] }, output'),
  ],
  ['an API that was loaded already', (folder) => loadApi(path.join(folder, 'spec.yaml')), CONFIG],
])('%s is served with real names', async (_name, source, config) => {
  const mock = await start(source, config);
  const note = 'vendorKind: VENDOR_SHIP';
  const added = await mock.fetch(`${mock.url}/acme/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ acmeKind: 'ACME_SHIP', note }),
  });
  expect([added.status, await added.json()]).toEqual([201, expect.objectContaining({ acmeKind: 'ACME_SHIP', note })]);
  const listed = await mock.fetch(`${mock.url}/acme/orders?acmeKind=ACME_SHIP`);
  expect([listed.status, await listed.json()]).toMatchObject([200, [{ acmeKind: 'ACME_SHIP' }]]);
  expect((await mock.fetch(`${mock.url}/acme/orders?acmeKind=ACME_SHOP`)).status).toBe(400);
});

it('behaviours of the user see the real names', async () => {
  const mock = await start(
    () =>
      defineMock('orders', {
        operations: {
          listAcmeOrders: (call) => call.respond(200, { kind: 'json', value: [{ acmeKind: 'ACME_SHIP' }] }),
        },
      }),
    CONFIG,
  );
  expect(await (await mock.fetch(`${mock.url}/acme/orders`)).json()).toEqual([{ acmeKind: 'ACME_SHIP' }]);
});

it('a response of Prism has real names', async () => {
  const mock = await startMock('generation', { stateless: true, vendor: 'acme' });
  onTestFinished(() => mock.close());
  const response = await mock.fetch(`${mock.url}/v1beta/models`, { headers: { 'x-acme-api-key': 'k' } });
  expect(response.status).toBe(200);
});

it.each(['acme,heder=x', 'a b'])('the vendor %j is refused', async (vendor) => {
  await expect(startMock('generation', { vendor })).rejects.toThrow(/vendor/);
});
