import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runContract } from '../../../entry/contract.js';
import { type Mock, startMock } from '../../../entry/mock.js';
import { startProxy } from '../../../entry/start-proxy.js';
import { diffApis } from '../../../diff/index.js';
import { createRouter } from '../../../http/routing/router.js';
import type { Api } from '../../../model/api.js';
import { loadDocument } from '../../support/load-document.js';
import { type CreateTestClient, emitClient } from '../../support/emit-client.js';
import { OutputFolder } from '../../support/output-folder.js';

const PET = { type: 'object', required: ['name'], properties: { name: { type: 'string', minLength: 1 } } };
const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const found = { 200: { description: 'found', ...json({ type: 'array', items: PET }) } };
const QUERY = { operationId: 'findPets', requestBody: { required: true, ...json(PET) }, responses: found };
const COPY = { operationId: 'copyPets', responses: { 204: { description: 'copied' } } };
const ODD = { operationId: 'oddPets', responses: { 204: { description: 'odd' } } };

function documentOf(pathItem: object): object {
  return { openapi: '3.2.0', info: { title: 'Pets', version: '1' }, paths: { '/pets': pathItem } };
}

const DOCUMENT = documentOf({ query: QUERY, additionalOperations: { COPY, 'x-Odd': ODD } });

const output = new OutputFolder();
let api: Api;
let mock: Mock;
let createTestClient: CreateTestClient;

beforeAll(async () => {
  api = await loadDocument(DOCUMENT);
  createTestClient = await emitClient(api, output);
  mock = await startMock(api, { port: 0, seed: 1, cors: ['any'] });
});
afterAll(async () => {
  output[Symbol.dispose]();
  await mock.close();
});

describe('QUERY and additional methods', () => {
  it('QUERY and additional methods are matched exactly, with their letter case', () => {
    const find = createRouter(api);
    expect(find('QUERY', '/pets')).toMatchObject({ operation: { id: 'findPets' } });
    expect(find('COPY', '/pets')).toMatchObject({ operation: { id: 'copyPets' } });
    expect(find('x-Odd', '/pets')).toMatchObject({ operation: { id: 'oddPets' } });
    for (const method of ['copy', 'X-ODD', 'x-odd', 'GET'])
      expect(find(method, '/pets')).toEqual({ kind: 'wrong-method', allow: 'QUERY, COPY, x-Odd, OPTIONS' });
  });

  it('the client sends QUERY and additional methods over a socket, and the mock checks them', async () => {
    const client = createTestClient({ baseUrl: mock.url });
    expect(await client['findPets']?.({ body: { name: 'Rex' } })).toMatchObject({ status: 200 });
    expect(await client['copyPets']?.()).toMatchObject({ status: 204 });
    await expect(client['findPets']?.({ body: { name: '' } })).rejects.toMatchObject({ status: 400 });
    expect(output.typeCheck()).toBe('');
  });

  it('the client sends methods of mixed letter case in process', async () => {
    const client = createTestClient({ baseUrl: mock.url, fetch: mock.fetch });
    expect(await client['oddPets']?.()).toMatchObject({ status: 204 });
  });

  it('Allow lists QUERY and additional methods, and a preflight allows them', async () => {
    expect((await fetch(`${mock.url}/pets`)).headers.get('allow')).toBe('QUERY, COPY, x-Odd, OPTIONS');
    const preflight = await fetch(`${mock.url}/pets`, {
      method: 'OPTIONS',
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'QUERY' },
    });
    expect(preflight.headers.get('access-control-allow-methods')).toBe('QUERY');
  });

  it('a proxy passes QUERY and additional methods, and checks both directions', async () => {
    await using proxy = await startProxy(api, { upstream: mock.url, port: 0 });
    const client = createTestClient({ baseUrl: proxy.url });
    await client['findPets']?.({ body: { name: 'Rex' } });
    await client['copyPets']?.();
    await client['findPets']?.({ body: { name: '' } }).catch(() => undefined);
    const entries = await proxy.requests();
    expect(entries.map(({ method, operationId, violations }) => [method, operationId, violations.length])).toEqual([
      ['QUERY', 'findPets', 0],
      ['COPY', 'copyPets', 0],
      ['QUERY', 'findPets', 1],
    ]);
  });

  it('contract runs test QUERY and additional methods', async () => {
    const good = await runContract({ api, url: mock.url, fetch: mock.fetch, maxExamples: 4 });
    expect(good.findings).toEqual([]);
    const wrong: typeof fetch = async (input, init) =>
      init?.method === 'QUERY' ? Response.json([{ name: 1 }]) : mock.fetch(input, init);
    const bad = await runContract({ api, url: mock.url, fetch: wrong, readOnly: true, maxExamples: 4 });
    expect(bad.findings.map(({ check, operationId }) => [check, operationId])).toContainEqual([
      'response schema',
      'findPets',
    ]);
  });

  it('the diff compares QUERY and additional methods, and names them exactly', async () => {
    const next = await loadDocument(documentOf({ query: { ...QUERY, requestBody: json(PET) } }));
    const removed = diffApis(api, next).changes.filter(({ level }) => level === 'breaking');
    expect(removed.map(({ message }) => message).join('\n')).toMatch(/COPY \/pets[^]*x-Odd \/pets/);
  });
});
