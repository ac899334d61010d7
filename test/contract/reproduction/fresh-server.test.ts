import { expect, test } from 'vitest';

import { type ContractReport, checkResponse, runContract } from '../../../entry/contract.js';
import { loadDocument } from '../../support/load-document.js';
import { runPastedTest } from '../../support/run-pasted-test.js';
import { findWrongTests } from '../replay-findings.js';

const TEXT = { type: 'string' };
const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const SHIP = {
  type: 'object',
  required: ['id', 'name', 'state', 'etag'],
  properties: {
    id: { ...TEXT, readOnly: true },
    name: TEXT,
    call_sign: { ...TEXT, description: 'Unique among all ships.' },
    state: { enum: ['ACTIVE', 'DELETED'], readOnly: true },
    etag: TEXT,
  },
};
const shown = { description: 'x', ...json({ $ref: '#/components/schemas/Ship' }) };
const problem = {
  description: 'x',
  ...json({ type: 'object', required: ['message'], properties: { message: { ...TEXT, minLength: 1 } } }),
};
const body = {
  required: true,
  ...json({ type: 'object', required: ['name'], properties: { name: TEXT, call_sign: TEXT, etag: TEXT } }),
};
const created = {
  required: true,
  ...json({
    type: 'object',
    required: ['name'],
    properties: { name: TEXT, call_sign: SHIP.properties.call_sign },
  }),
};
const refusals = { 400: problem, 404: problem, 409: problem };
const SPEC = {
  openapi: '3.1.0',
  info: { title: 'Ships', version: '1' },
  paths: {
    '/ships': { post: { operationId: 'addShip', requestBody: created, responses: { 201: shown, ...refusals } } },
    '/ships/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: TEXT }],
      get: { operationId: 'getShip', responses: { 200: shown, ...refusals } },
      patch: { operationId: 'changeShip', requestBody: body, responses: { 200: shown, ...refusals } },
      delete: { operationId: 'dropShip', responses: { 200: shown, ...refusals } },
    },
  },
  components: { schemas: { Ship: SHIP } },
};

type Bug = 'taken twice' | 'says nothing of what is taken' | 'deletes in its answer only' | 'keeps its etag';
type Ship = Readonly<Record<string, unknown>>;

/** Ships with unique call signs, which are only marked as deleted, and changed by the current version. */
function serveShips(bug?: Bug): typeof fetch {
  const ships = new Map<string, Ship>();
  const isText = (value: unknown): boolean => value === undefined || typeof value === 'string';
  const refuse = (status: number, message: string): Response => Response.json({ message }, { status });
  let versions = 0;
  return async (input, init) => {
    const request = new Request(input, init);
    const id = new URL(request.url).pathname.split('/')[2];
    const ship = ships.get(id ?? '');
    if (id !== undefined && ship === undefined) return refuse(404, 'unknown');
    const allowed = id === undefined ? ['POST'] : ['GET', 'PATCH', 'DELETE'];
    if (!allowed.includes(request.method))
      return new Response(null, { status: 405, headers: { allow: allowed.join() } });
    if (request.method === 'GET') return Response.json(ship);
    versions += 1;
    if (request.method === 'DELETE') {
      const deleted = { ...ship, state: 'DELETED', etag: `v${versions}` };
      if (bug !== 'deletes in its answer only') ships.set(String(id), deleted);
      return Response.json(deleted);
    }
    const sent = (await request.json().catch(() => null)) as Ship | null;
    if (sent === null) return refuse(400, 'no object');
    const { name = ship?.['name'], call_sign: sign, etag } = sent;
    if (typeof name !== 'string' || !isText(sign) || !isText(etag)) return refuse(400, 'invalid');
    if (ship !== undefined && etag !== undefined && etag !== ship['etag']) return refuse(409, 'outdated');
    const isTaken = [...ships.values()].some((one) => one !== ship && sign !== undefined && one['call_sign'] === sign);
    if (isTaken && bug !== 'taken twice')
      return refuse(
        409,
        bug === 'says nothing of what is taken' && ship === undefined ? '' : 'This call sign is already taken.',
      );
    const version = bug === 'keeps its etag' && ship !== undefined ? ship['etag'] : `v${versions}`;
    const own = id ?? `ship-${versions}-${Math.random().toString(36).slice(2)}`;
    const made = {
      state: 'ACTIVE',
      ...ship,
      id: own,
      name,
      ...(sign === undefined ? {} : { call_sign: sign }),
      etag: version,
    };
    ships.set(own, made);
    return Response.json(made, { status: ship === undefined ? 201 : 200 });
  };
}

const run = async (bug?: Bug): Promise<ContractReport> => {
  const options = { url: 'http://ships.test', seed: 1, phases: ['examples', 'stateful'] as const };
  return runContract({ api: await loadDocument(SPEC), fetch: serveShips(bug), ...options });
};

test('a run finds nothing in a server that marks deleted items and has unique values', async () => {
  expect((await run()).findings.map(({ check, message }) => `${check}: ${message}`)).toEqual([]);
});

test.each<Bug>(['taken twice', 'says nothing of what is taken', 'deletes in its answer only', 'keeps its etag'])(
  'the printed tests of a server with the bug "%s" fail on a fresh one, and pass on one without it',
  async (bug) => {
    const { findings } = await run(bug);
    expect(findings).not.toEqual([]);
    const wrong = await findWrongTests(findings, async (code, server) => {
      const api = await loadDocument(SPEC);
      await runPastedTest(code, {
        fetch: serveShips(server === 'faulty' ? bug : undefined),
        checkResponse: ({ operation, response }: Parameters<typeof checkResponse>[0]) =>
          checkResponse({ api, operation, response }),
        process,
        URL,
      });
    });
    expect(wrong).toEqual([]);
  },
);
