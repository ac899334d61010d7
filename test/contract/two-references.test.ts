import { expect, test } from 'vitest';

import { type ContractReport, runContract } from '../../entry/contract.js';
import { documentWith, loadDocument } from '../support/load-document.js';

const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const entity = (properties: object): object => ({ type: 'object', required: Object.keys(properties), properties });
const refused = { description: 'Refused.' };
const made = (schema: object): object => ({ 201: { description: 'Made.', ...json(schema) }, 422: refused });

/** Moves between two vaults; `keeper` has the pattern of the ids of people. */
const DOCUMENT = documentWith(
  {
    '/vaults': {
      post: {
        operationId: 'buildVault',
        requestBody: { required: true, ...json(entity({ label: { type: 'string' } })) },
        responses: made(ref('Vault')),
      },
    },
    '/vaults/{key}': {
      get: {
        operationId: 'getVault',
        parameters: [{ name: 'key', in: 'path', required: true, schema: ref('VaultKey') }],
        responses: { 200: { description: 'It.', ...json(ref('Vault')) }, 404: refused },
      },
    },
    '/people': {
      post: {
        operationId: 'hire',
        requestBody: { required: true, ...json(entity({ name: { type: 'string' } })) },
        responses: made(entity({ id: { type: 'string', pattern: '^kp_[0-9]+$' }, name: { type: 'string' } })),
      },
    },
    '/people/{id}': {
      delete: {
        operationId: 'dismiss',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', pattern: '^kp_[0-9]+$' } }],
        responses: { 204: { description: 'Gone.' }, 404: refused },
      },
    },
    '/moves': {
      post: {
        operationId: 'move',
        requestBody: { required: true, ...json(ref('Move')) },
        responses: made(ref('MadeMove')),
      },
    },
    '/moves/{number}': {
      get: {
        operationId: 'getMove',
        parameters: [{ name: 'number', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: { 200: { description: 'It.', ...json(ref('MadeMove')) }, 404: refused },
      },
    },
  },
  {
    components: {
      schemas: {
        VaultKey: { type: 'string', pattern: '^[a-z0-9]{4,20}$' },
        Vault: entity({ key: ref('VaultKey'), label: { type: 'string' } }),
        Move: entity({
          taken_out_of: ref('VaultKey'),
          put_into: ref('VaultKey'),
          keeper: { type: 'string', pattern: '^kp_[0-9]+$' },
        }),
        MadeMove: { allOf: [ref('Move'), entity({ number: { type: 'integer' } })] },
      },
    },
  },
);

async function run(swaps: boolean): Promise<ContractReport> {
  const known = new Set<unknown>();
  const labels = new Map<unknown, unknown>();
  const moves = new Map<string, object>();
  let last = 0;
  const respond = (status: number, body: unknown): Response => Response.json(body, { status });
  const serve: typeof fetch = async (input, init) => {
    const { method, url } = new Request(input, init);
    const [, collection = '', id = ''] = new URL(url).pathname.split('/');
    if (method === 'GET' && collection === 'vaults' && id !== '')
      return known.has(id) ? respond(200, { key: id, label: labels.get(id) }) : respond(404, {});
    if (method === 'DELETE' && collection === 'people' && id !== '')
      return new Response(null, { status: known.delete(id) ? 204 : 404 });
    const move = moves.get(id);
    if (method === 'GET' && collection === 'moves' && id !== '')
      return move === undefined ? respond(404, {}) : respond(200, move);
    if (method !== 'POST' || id !== '') return new Response(null, { status: 405, headers: { allow: 'POST' } });
    const body = await new Request(input, init).json().catch(() => undefined);
    const is = (value: unknown): boolean => typeof value === 'string';
    if (collection === 'vaults' && is(body?.label)) {
      const key = `v${(last += 1)}xyz`;
      known.add(key);
      labels.set(key, body.label);
      return respond(201, { key, label: body.label });
    }
    if (collection === 'people' && is(body?.name)) {
      const own = `kp_${(last += 1)}`;
      known.add(own);
      return respond(201, { id: own, name: body.name });
    }
    const { taken_out_of: from, put_into: to, keeper } = body ?? {};
    if (collection !== 'moves' || from === to || ![from, to, keeper].every((one) => known.has(one)))
      return respond(422, {});
    const done = { ...body, number: (last += 1), taken_out_of: swaps ? to : from, put_into: swaps ? from : to };
    moves.set(String(done.number), done);
    return respond(201, done);
  };
  const api = await loadDocument(DOCUMENT);
  return runContract({ api, url: 'http://127.0.0.1:9', fetch: serve, phases: ['examples'], keep: true });
}

test('two members with the schema of a path parameter get the ids of two items, and a pattern those of its kind', async () => {
  const { findings, reach } = await run(false);
  expect(findings.map(({ check, message }) => `${check}: ${message}`)).toEqual([]);
  expect(reach.succeeded).toContain('move');
});

test('a server that swaps two references of a kind is found', async () => {
  const { findings } = await run(true);
  expect(findings.map(({ check }) => check)).toContain('written as sent');
});
