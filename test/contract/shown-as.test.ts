import path from 'node:path';

import { expect, test } from 'vitest';

import { type ContractReport, runContract } from '../../entry/contract.js';
import { loadApi } from '../../entry/specmill.js';
import { isValidValue } from '../../schema/compile-validator.js';
import { membersOf } from '../../schema/facts/members.js';
import type { Api } from '../../model/api.js';
import { runPastedTest } from '../support/run-pasted-test.js';

const SPEC = path.join(import.meta.dirname, 'specs/products.yaml');

type Product = Record<string, unknown>;

/** A correct server by hand, except for what `keep` does to a product. */
function serveProducts(api: Api, keep: (product: Product) => Product): typeof fetch {
  const products = new Map<string, Product>();
  const schema = api.schemas.get('Product')?.schema ?? true;
  let count = 0;
  return async (input, init) => {
    const request = new Request(input, init);
    const [, collection, id = ''] = new URL(request.url).pathname.split('/').map(decodeURIComponent);
    const known = products.get(id);
    if (collection !== 'products' || (id !== '' && known === undefined)) return new Response(null, { status: 404 });
    const allowed = id === '' ? ['GET', 'POST'] : ['GET', 'PUT', 'DELETE'];
    if (!allowed.includes(request.method))
      return new Response(null, { status: 405, headers: { allow: allowed.join(', ') } });
    if (request.method === 'GET') return Response.json(id === '' ? [...products.values()] : known);
    if (request.method === 'DELETE') {
      products.delete(id);
      return new Response(null, { status: 204 });
    }
    if (!/json/.test(request.headers.get('content-type') ?? '')) return new Response(null, { status: 415 });
    const sent = readProduct(await request.text());
    if (sent === undefined || !isValidValue(sent, schema, api)) return new Response(null, { status: 400 });
    const key = id === '' ? String((count += 1)) : id;
    products.set(key, { ...keep(sent), id: key });
    return Response.json(products.get(key), { status: id === '' ? 201 : 200 });
  };
}

function readProduct(text: string): Product | undefined {
  try {
    const { id: _, ...product } = JSON.parse(text) as Product;
    return product;
  } catch {
    return undefined;
  }
}

async function testServer(
  keep: (product: Product) => Product,
  tags: object = {},
): Promise<{ readonly report: ContractReport; readonly send: typeof fetch; readonly right: typeof fetch }> {
  const api = await loadApi(SPEC);
  const member = membersOf(api.schemas.get('Product')?.schema ?? true, api).get('tags')?.schema;
  if (typeof member === 'object') Object.assign(member, tags);
  const send = serveProducts(api, keep);
  const report = await runContract({ api, url: 'http://shop.test', fetch: send, phases: ['stateful'], seed: 1 });
  return { report, send, right: serveProducts(api, (product) => product) };
}

const sorted = (product: Product): Product => ({ ...product, tags: (product['tags'] as string[]).toSorted() });

test('a server that stores a list as a set gets one note about the order, and no finding', async () => {
  const { report } = await testServer(sorted);
  expect(report.findings).toEqual([]);
  expect(report.notes.filter((note) => note.includes('order of a list'))).toHaveLength(1);
});

test('a server that stores a list as a set gets no note if it keeps the order', async () => {
  const { report } = await testServer((product) => product);
  expect([report.findings, report.notes]).toEqual([[], []]);
});

test('another order is a finding if the spec says that it matters, and its test fails on that server only', async () => {
  const { report, send, right } = await testServer(sorted, { description: 'Shown in this order.' });
  const found = report.findings.find(({ pointer }) => pointer === '/tags');
  expect(found?.message).toBe('/tags differs from what was written.');
  await expect(runPastedTest(found?.test ?? '', { fetch: send })).rejects.toThrow('to deeply equal');
  await expect(runPastedTest(found?.test ?? '', { fetch: right })).resolves.toBeUndefined();
});

test('a lost tag is a finding, and its test passes on a server that stores the tags as a set', async () => {
  const { report, send, right } = await testServer((product) => ({
    ...product,
    tags: [...(product['tags'] as string[]).slice(1), 'other'],
  }));
  const found = report.findings.find(({ pointer }) => pointer === '/tags');
  await expect(runPastedTest(found?.test ?? '', { fetch: send })).rejects.toThrow('to deeply equal');
  await expect(runPastedTest(found?.test ?? '', { fetch: right })).resolves.toBeUndefined();
});

test.each([
  ['a text without the spaces around it', (product: Product) => ({ ...product, name: String(product['name']).trim() })],
  [
    'a price rounded to cents',
    (product: Product) => ({ ...product, price: Number(Number(product['price']).toFixed(2)) }),
  ],
])('a server has no finding if it shows %s', async (_name, keep) => {
  expect((await testServer(keep)).report.findings).toEqual([]);
});
