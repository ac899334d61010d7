import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { startProxy } from '../../entry/mock.js';
import { ObservationLog } from '../../http/observations/observation-log.js';
import { loadApi } from '../../model/load-api.js';
import { runCaptured } from '../support/run-captured.js';

const SPEC = `openapi: 3.0.3
info: { title: Orders, version: '2' }
paths:
  /orders/{id}:
    get:
      operationId: readOrder
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        '200':
          description: An order.
          headers: { x-version: { required: true, schema: { type: string } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } }
components:
  schemas:
    Address: { type: object, properties: { city: { type: string } } }
    Order:
      type: object
      additionalProperties: false
      required: [id, total]
      properties:
        id: { type: string }
        total: { type: integer }
        placed: { type: string, format: date-time }
        note: { type: string }
        address: { $ref: '#/components/schemas/Address' }
`;

/** Order 13 has a wrong type once; others show what the server does. */
function orderOf(id: string): unknown {
  const number = Number(id);
  return {
    id: number === 13 ? 13 : id,
    total: number % 2 === 0 ? 9.5 : 10,
    placed: 'yesterday',
    note: number % 3 === 0 ? null : 'fine',
    address: number % 5 === 0 ? null : { city: 'Oslo' },
    gift: true,
  };
}

let folder: string;
let server: Server;
let upstream: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'specmill-proxy-overlay-'));
  await writeFile(path.join(folder, 'orders.yaml'), SPEC);
  server = createServer((request, response) => {
    const id = request.url?.split('/')[2] ?? '';
    const isGone = Number(id) > 90;
    response.writeHead(isGone ? 410 : 200, { 'content-type': isGone ? 'text/plain' : 'application/json' });
    response.end(isGone ? 'gone' : JSON.stringify(orderOf(id)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

interface Action {
  readonly target: string;
  readonly update?: unknown;
  readonly remove?: boolean;
}

async function actionsOf(file: string): Promise<unknown[]> {
  const { actions } = parse(await readFile(path.join(folder, file), 'utf8')) as { actions: readonly Action[] };
  return actions.map(({ target, update, remove }) => [target, update ?? remove]);
}

const ORDER = '$.components.schemas.Order';

/** What the spec must say; the one order with a number as id is a fault of the server. */
const ACTIONS = [
  ["$.paths['/orders/{id}'].get.responses['200'].headers['x-version']", { required: false }],
  [
    "$.paths['/orders/{id}'].get",
    { responses: { 410: { description: 'Gone', content: { 'text/plain': { schema: { type: 'string' } } } } } },
  ],
  [ORDER, { properties: { gift: { type: 'boolean' } } }],
  [`${ORDER}.properties.address`, { nullable: true, allOf: [{ $ref: '#/components/schemas/Address' }] }],
  [`${ORDER}.properties.address['$ref']`, true],
  [`${ORDER}.properties.note`, { nullable: true }],
  [`${ORDER}.properties.placed.format`, true],
  [`${ORDER}.properties.total`, { type: 'number' }],
];

describe('proxy --write-overlay', () => {
  it('writes a short overlay after much traffic, now and at its end, and applied it leaves one fault', async () => {
    const proxy = await startProxy('orders.yaml', { upstream, cwd: folder, writeOverlay: 'fix.yaml' });
    for (let id = 1; id <= 100; id += 1) await fetch(`${proxy.url}/orders/${id}`);
    const now = await proxy.writeOverlay();
    expect(now).toMatchObject({ actions: ACTIONS.length, uncertain: 1, omitted: 0 });
    expect(await actionsOf('fix.yaml')).toEqual(ACTIONS);
    const journal = await proxy.requests();
    await rm(path.join(folder, 'fix.yaml'));
    await proxy.close();
    expect(await actionsOf('fix.yaml')).toEqual(ACTIONS);
    await writeFile(path.join(folder, 'journal.json'), JSON.stringify(journal));

    const applied = await runCaptured(folder, 'apply-overlay', 'orders.yaml', 'fix.yaml', '--out', 'true.yaml');
    expect(applied).toMatchObject({ status: 0, err: '' });
    const again = await startProxy('true.yaml', { upstream, cwd: folder });
    for (let id = 1; id <= 100; id += 1) await fetch(`${again.url}/orders/${id}`);
    const { violations } = again.report();
    await again.close();
    expect(violations.map(({ pointer, count }) => [pointer, count])).toEqual([['/body/id', 1]]);
  });

  it('writes the same from the journal of the proxy by coverage', async () => {
    const run = await runCaptured(
      folder,
      'coverage',
      'orders.yaml',
      '--journal',
      'journal.json',
      '--write-overlay',
      'c.yaml',
    );
    expect(run).toMatchObject({ status: 0, err: '' });
    expect(run.out).toContain('c.yaml: 8 actions to make the spec true to the server.');
    expect(run.out).toContain('1 observation is not certain enough for the overlay: the server may be wrong.');
    expect(await actionsOf('c.yaml')).toEqual(ACTIONS);
  });

  it('counts within a fixed memory, whatever bodies come, and says what it left out', async () => {
    const api = await loadApi(path.join(folder, 'orders.yaml'));
    const [operation] = api.operations;
    const log = new ObservationLog(api);
    if (operation === undefined) throw new Error('The spec has an operation.');
    const headers = { 'content-type': 'application/json' };
    for (let call = 0; call < 3_000; call += 1) {
      const members = Array.from({ length: 20 }, (_, index) => [`m${call}-${index}`, { deep: { [`n${call}`]: call } }]);
      const value = { id: 'a', total: 1, ...Object.fromEntries(members) };
      log.add({ operation, status: 200, headers, body: { kind: 'json', value }, isHead: false, at: call });
    }
    expect(log.calls).toBe(3_000);
    expect(log.folded.size).toBeLessThanOrEqual(2_000);
    expect(log.room.left).toBeGreaterThanOrEqual(0);
    expect(log.room.omitted).toBeGreaterThan(50_000);
  });
});
