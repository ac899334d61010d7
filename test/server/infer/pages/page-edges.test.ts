import { expect, test } from 'vitest';

import { runContract } from '../../../../entry/contract.js';
import { findPagingGaps } from '../../../../resources/find-paging-gaps.js';
import { startMock } from '../../../../server/start-mock.js';
import { documentWith, loadDocument } from '../../../support/load-document.js';
import { type Fetch, documentOf, readPages, startWords, take } from './paged-lists.js';

const CURSOR = { size: 'limit', step: 'cursor', next: '/next_cursor', style: 'token', more: '/has_more' } as const;

async function readJson(fetch: Fetch, target: string): Promise<unknown> {
  const response = await fetch(target);
  expect(response.status).toBe(200);
  return response.json();
}

function idsOf(page: unknown): string[] {
  return (take(page, '/words') as { id: string }[]).map(({ id }) => id);
}

test.each([
  ['all items of a page', ['w0', 'w1']],
  ['the item behind the page', ['w2']],
  ['items on both sides', ['w1', 'w2']],
  ['the last item', ['w5']],
])('a token stays valid after the deletion of %s', async (_, deleted) => {
  const { fetch } = await startWords(CURSOR, 6);
  const first = await readJson(fetch, '/words?limit=2');
  for (const id of deleted) await fetch(`/words/${id}`, { method: 'DELETE' });
  const rest: string[] = [];
  let token = take(first, '/next_cursor');
  while (typeof token === 'string') {
    const page = await readJson(fetch, `/words?limit=2&cursor=${token}`);
    rest.push(...idsOf(page));
    token = take(page, '/next_cursor');
  }
  const left = ['w2', 'w3', 'w4', 'w5'].filter((id) => !deleted.includes(id));
  expect(rest.filter((id) => left.includes(id))).toEqual(left);
});

test('the id of a deleted item still says where the next page starts', async () => {
  const names = { size: 'limit', step: 'starting_after', next: '/last_id', style: 'token' } as const;
  const { fetch } = await startWords(names, 4);
  const first = await readJson(fetch, '/words?limit=2');
  expect(take(first, '/last_id')).toBe('w1');
  await fetch('/words/w1', { method: 'DELETE' });
  expect(idsOf(await readJson(fetch, '/words?limit=2&starting_after=w1'))).toEqual(['w2', 'w3']);
});

test('a list goes back as well as on', async () => {
  const names = { ...CURSOR, previous: '/prev_cursor' };
  const { fetch } = await startWords(names, 5);
  const seen: string[][] = [];
  let target = '/words?limit=2';
  for (const way of ['/next_cursor', '/next_cursor', '/prev_cursor', '/prev_cursor'] as const) {
    const page = await readJson(fetch, target);
    seen.push(idsOf(page));
    target = `/words?limit=2&cursor=${String(take(page, way))}`;
  }
  const first = await readJson(fetch, target);
  seen.push(idsOf(first));
  expect(seen).toEqual([['w0', 'w1'], ['w2', 'w3'], ['w4'], ['w2', 'w3'], ['w0', 'w1']]);
  expect(take(first, '/prev_cursor')).toBeUndefined();
});

test.each([
  ['null if it may be', { type: ['string', 'null'] }, null],
  ['an empty text', { type: 'string' }, ''],
])('a required token of the last page is %s', async (_, nextSchema, wanted) => {
  const { fetch } = await startWords({ ...CURSOR, nextSchema, isStrict: true }, 1);
  expect(await readJson(fetch, '/words?limit=2')).toMatchObject({ next_cursor: wanted, has_more: false });
});

test('a required token that may not be empty leads to an empty page', async () => {
  const { fetch } = await startWords({ ...CURSOR, nextSchema: { type: 'string', minLength: 1 }, isStrict: true }, 2);
  const page = await readJson(fetch, '/words?limit=2');
  expect(page).toMatchObject({ has_more: false });
  expect(idsOf(await readJson(fetch, `/words?cursor=${String(take(page, '/next_cursor'))}`))).toEqual([]);
});

test.each([
  ['a number', { type: 'integer' }],
  ['short', { type: 'string', maxLength: 10 }],
])('a token is what its parameter takes: %s', async (_, schema) => {
  const shape = { ...CURSOR, stepSchema: schema, nextSchema: schema };
  const { fetch } = await startWords(shape, 5);
  const pages = await readPages(fetch, shape, { limit: '2' });
  expect(pages.map(({ ids }) => ids)).toEqual([['w0', 'w1'], ['w2', 'w3'], ['w4']]);
});

test('a list whose next page cannot be asked for is whole, and the mock says what is missing', async () => {
  const api = await loadDocument(documentOf({ ...CURSOR, step: 'colour' }));
  const said: string[] = [];
  const onDiagnostic = ({ message }: { readonly message: string }): void => void said.push(message);
  const mock = await startMock(api, { seed: 1, items: 3, onDiagnostic });
  const page: unknown = await (await mock.fetch('http://mock/words?limit=1')).json();
  expect(idsOf(page)).toHaveLength(3);
  expect(page).toMatchObject({ has_more: false });
  expect(page).not.toHaveProperty('next_cursor');
  await expect
    .poll(() => said)
    .toEqual([
      'The list GET /words has /next_cursor, but no parameter takes it: all its items are on one page. This line of "resources" would decide it: /words: { page: { cursor: <parameter>, next: /next_cursor } }',
    ]);
  await mock.close();
});

test('a creation that may return a page of items is not warned about as a list', async () => {
  const document = structuredClone(documentOf(CURSOR)) as unknown as {
    paths: Record<string, Record<string, { responses: Record<string, unknown> } | undefined>>;
  };
  const { get, post } = document.paths['/words'] ?? {};
  if (get === undefined || post === undefined) throw new Error('The document has no list and creation of words.');
  post.responses = { 200: get.responses['200'], ...post.responses };
  expect([...findPagingGaps(await loadDocument(document))]).toEqual([]);
});

test('a list that says there is more, which no parameter leads to, is whole, and the mock says what lacks', async () => {
  const word = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
  const page = { type: 'object', properties: { words: { type: 'array', items: word }, has_more: { type: 'boolean' } } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Words', version: '1' },
    paths: {
      '/words': {
        get: {
          operationId: 'listWords',
          parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
          responses: { 200: { description: 'ok', content: { 'application/json': { schema: page } } } },
        },
      },
    },
  };
  const said: string[] = [];
  const onDiagnostic = ({ message }: { readonly message: string }): void => void said.push(message);
  await using mock = await startMock(await loadDocument(document), { seed: 1, items: 3, onDiagnostic });
  expect(await (await mock.fetch('http://mock/words?limit=1')).json()).toMatchObject({ has_more: false });
  await expect
    .poll(() => said)
    .toEqual([
      'The list GET /words has /has_more, but no parameter leads to the next page: all its items are on one page. This line of "resources" would decide it: /words: { page: { cursor: <parameter> } }',
    ]);
});

test('x-resources says which parameter takes a token', async () => {
  const document = {
    ...documentOf({ ...CURSOR, step: 'colour' }),
    'x-resources': { '/words': { page: { cursor: 'colour', next: '/next_cursor' } } },
  };
  const mock = await startMock(await loadDocument(document), { seed: 1, items: 3 });
  const fetch: Fetch = (target) => mock.fetch(typeof target === 'string' ? new URL(target, 'http://mock') : target);
  const pages = await readPages(fetch, { ...CURSOR, step: 'colour' }, { limit: '2' });
  expect(pages.map(({ ids }) => ids.length)).toEqual([2, 1]);
  await mock.close();
});

test.each([
  { ...CURSOR, step: 'start_cursor' },
  { ...CURSOR, step: 'starting_after', next: '/pages/next/starting_after' },
  { size: 'limit', step: 'after', style: 'after', more: '/has_more' },
  { size: 'page[size]', step: 'page[after]', next: '/links/next', style: 'link', total: '/meta/total' },
  { size: 'per_page', step: 'page', style: 'page', next: '/next_page', total: '/total' },
  { size: 'take', step: 'skip', style: 'offset', next: '/next', total: '/count' },
] as const)('a contract run finds nothing in the mock of a list by $step', { timeout: 60_000 }, async (shape) => {
  const { api, url, fetch } = await startWords(shape, 0);
  const report = await runContract({
    api,
    url,
    fetch: (input, init) => fetch(input, init),
    seed: 1,
    phases: ['stateful'],
    maxExamples: 3,
  });
  expect(report.findings.map(({ check, message }) => `${check}: ${message}`)).toEqual([]);
});

test.each([
  ['filter[rank]=1', ['a', 'c']],
  ['sort=rank&order=desc', ['a', 'c', 'b']],
])('a list of JSON:API keeps what its parameters promise: %s', async (query, wanted) => {
  const item = (id: string, rank: number): object => ({ type: 'words', id, attributes: { rank } });
  const attributes = { type: 'object', properties: { rank: { type: 'integer' } } };
  const schema = {
    type: 'object',
    required: ['type', 'id'],
    properties: { type: { type: 'string' }, id: { type: 'string' }, attributes },
  };
  const page = { type: 'object', properties: { data: { type: 'array', items: schema } } };
  const json = (inner: object): object => ({ content: { 'application/json': { schema: inner } } });
  const parameters = ['order', 'sort', 'filter[rank]'].map((name) => ({
    name,
    in: 'query',
    schema: { type: 'string' },
  }));
  const one = { type: 'object', properties: { data: schema } };
  const api = await loadDocument(
    documentWith({
      '/words': {
        get: { parameters, responses: { 200: { description: 'ok', ...json(page) } } },
        post: { requestBody: json(one), responses: { 201: { description: 'ok', ...json(one) } } },
      },
      '/words/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        get: { responses: { 200: { description: 'ok', ...json(one) } } },
      },
    }),
  );
  const mock = await startMock(api, { seed: 1 });
  const headers = { 'content-type': 'application/json' };
  for (const [id, rank] of [
    ['a', 1],
    ['b', 0],
    ['c', 1],
  ] as const)
    await mock.fetch('http://mock/words', { method: 'POST', headers, body: JSON.stringify({ data: item(id, rank) }) });
  const { data } = (await (await mock.fetch(`http://mock/words?${query}`)).json()) as { data: { id: string }[] };
  expect(data.map(({ id }) => id)).toEqual(wanted);
  await mock.close();
});
