import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';

import { DeprecatedUses } from '../../http/observations/deprecated-uses.js';
import { ObservationLog } from '../../http/observations/observation-log.js';
import type { ObservedCall } from '../../http/observations/observed-call.js';
import { writeOverlay } from '../../http/observations/overlay-document.js';
import type { Operation } from '../../model/api.js';
import { loadApi } from '../../model/load-api.js';
import { tempFolder } from '../support/temp-folder.js';

/** With SPECMILL_FULL, an hour with 139 calls a second. Each kind of call was there when half of the fewer calls have passed. */
const CALLS = process.env['SPECMILL_FULL'] === undefined ? 50_000 : 500_000;
const EARLY = 25_000;

/** Megabytes that the counts may grow by after the first calls. */
const MOST_GROWTH = 8;

const SPEC = `openapi: 3.1.0
info: { title: Orders, version: '1' }
paths:
  /orders/{id}:
    get:
      operationId: readOrder
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        '200': { description: An order., content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } }
  /orders:
    post:
      operationId: createOrder
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } }
      responses:
        '201': { description: Made., content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } }
components:
  schemas:
    Order:
      type: object
      required: [id, state]
      properties:
        id: { type: string }
        state: { enum: [open, paid] }
        note: { type: string }
        old: { type: string, deprecated: true }
`;

/** A call that is unlike all others: ids, texts, members, clients. */
function callOf(
  index: number,
  { read, create }: { readonly read: Operation; readonly create: Operation },
): ObservedCall {
  const isCreation = index % 4 === 0;
  const status = index % 50 === 1 ? 410 : isCreation ? 201 : 200;
  const order = {
    id: `ord-${index}`,
    state: ['open', 'paid', 'sent'][index % 3],
    note: index % 7 === 0 ? null : `Note ${index} `.repeat(index % 9),
    old: 'x',
    [`extra-${index % 20_000}`]: { at: index },
  };
  return {
    operation: isCreation ? create : read,
    status,
    isValid: true,
    isHead: false,
    headers: { 'content-type': 'application/json', [`x-trace-${index % 1_000}`]: String(index) },
    body: { kind: 'json', value: status === 410 ? { error: `Order ${index} is gone.` } : order },
    at: 1_764_000_000_000 + index * 7,
    ...(isCreation ? { sent: { id: 'mine', state: 'open', note: String(index) } } : {}),
  };
}

function usedMegabytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed / 1e6;
}

it(
  'what a proxy keeps of an hour of traffic does not grow, and its overlay stays short',
  { timeout: 300_000 },
  async () => {
    const folder = tempFolder({ 'orders.yaml': SPEC });
    const api = await loadApi(path.join(folder, 'orders.yaml'));
    const [read, create] = api.operations;
    if (read === undefined || create === undefined) throw new Error('The spec has two operations.');
    const [log, uses] = [new ObservationLog(api), new DeprecatedUses(api)];
    const write = async (name: string): Promise<{ actions: number; bytes: number }> => {
      const file = path.join(folder, name);
      const { actions } = await writeOverlay(file, log);
      return { actions, bytes: statSync(file).size };
    };
    let early = { actions: 0, bytes: 0, memory: 0 };
    for (let index = 0; index < CALLS; index += 1) {
      if (index === EARLY) early = { ...(await write('early.yaml')), memory: usedMegabytes() };
      const call = callOf(index, { read, create });
      log.add(call);
      const { operation, status, headers, body, at } = call;
      const response = { status, headers, body: body.kind === 'json' ? body.value : undefined };
      const client = { 'user-agent': `client/${index}` };
      uses.add({ operation, query: '', headers: client, at: new Date(at).toISOString(), response });
    }
    expect(usedMegabytes() - early.memory).toBeLessThan(MOST_GROWTH);
    const late = await write('late.yaml');
    expect(log.calls).toBe(CALLS);
    expect(late.actions).toBe(early.actions);
    expect(late.bytes).toBeLessThan(early.bytes + 200);
    expect(readFileSync(path.join(folder, 'late.yaml'), 'utf8')).toMatch(/may be null: [\d,]+ of [\d,]+ values/);
    expect(uses.list().map(({ place, clients }) => [place, clients.length])).toEqual([
      ['response 200 body/old', 100],
      ['response 201 body/old', 100],
    ]);
  },
);
