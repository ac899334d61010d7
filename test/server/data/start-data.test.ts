import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { type Mock, type MockOptions, startMock } from '../../../entry/mock.js';
import { loadApi } from '../../../entry/specmill.js';

const SHOP = await loadApi('test/server/data/shop.yaml');

/** Starts a mock with files of start data, given as texts by name. */
async function startWith(files: Readonly<Record<string, string>>, options: MockOptions = {}): Promise<Started> {
  const folder = await mkdtemp(path.join(tmpdir(), 'data-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  const mock = await startMock(SHOP, { cwd: folder, data: Object.keys(files), ...options });
  onTestFinished(() => mock.close());
  const read = async (target: string, sandbox = 'default'): Promise<unknown> => {
    const response = await mock.fetch(mock.url + target, { headers: { 'x-specmill-sandbox': sandbox } });
    return response.ok ? response.json() : response.status;
  };
  return { mock, folder, read };
}

interface Started {
  readonly mock: Mock;
  readonly folder: string;
  readonly read: (target: string, sandbox?: string) => Promise<unknown>;
}

const refused = async (files: Readonly<Record<string, string>>): Promise<unknown> =>
  startWith(files).then(
    () => 'served',
    (error: { message: string; place?: { file?: string; line?: number; pointer?: string } }) => {
      const { file = '', line, pointer } = error.place ?? {};
      return [path.basename(file), line, pointer, error.message];
    },
  );

const ADA = '{ "id": "cus_1", "name": "Ada", "email": "ada@example.com" }';

it('serves the items of several files in every format, whose required members are completed', async () => {
  const { read } = await startWith({
    'shop.yaml': 'plans: [{ id: gold, price: 10 }]\n/customers/cus_1/notes: [{ text: first }]\n',
    'customers.csv': 'id,name,age,vip,address.city,tags\ncus_1,"Ada\nB",30,TRUE,Oslo,"[""a""]"\ncus_2,Grace,,,,\n',
    'payments.ndjson': '{"id":"p1","amount":9007199254740993}\n\n{"id":"p2","amount":5,"customer_id":"cus_2"}\n',
  });
  expect(await read('/customers')).toEqual([
    {
      id: 'cus_1',
      name: 'Ada\nB',
      email: expect.stringContaining('@'),
      age: 30,
      vip: true,
      address: { city: 'Oslo' },
      tags: ['a'],
    },
    { id: 'cus_2', name: 'Grace', email: expect.stringContaining('@') },
  ]);
  expect(await read('/customers/cus_1/notes')).toEqual([
    { id: expect.any(Number), text: 'first', customer_id: 'cus_1' },
  ]);
  expect(await read('/payments/p2')).toEqual({ id: 'p2', amount: 5, customer_id: 'cus_2' });
  // A reference that was made up names an item.
  expect(await read('/payments/p1')).toMatchObject({ customer_id: expect.stringMatching(/^cus_[12]$/) });
});

it('keeps the items of a collection that the spec only reads, and no others', async () => {
  const { read } = await startWith({ 'plans.json': '[{ "id": "gold", "price": 10 }]' });
  expect(await read('/plans')).toEqual([{ id: 'gold', price: 10 }]);
  expect(await read('/plans/gold')).toEqual({ id: 'gold', price: 10 });
  expect(await read('/plans/silver')).toBe(404);
});

it.each(['memory', 'directory'])(
  'starts every sandbox with the data, and returns to it after a reset, in %s',
  async (where) => {
    const { mock, read } = await startWith(
      { 'customers.json': `[${ADA}]` },
      where === 'memory' ? {} : { state: 'state' },
    );
    await mock.data.put({ customers: [] });
    expect([await read('/customers'), await read('/customers', 'worker')]).toEqual([[], [JSON.parse(ADA)]]);
    await mock.state.put({ collections: {} });
    expect(await read('/customers')).toEqual([]);
    await mock.reset();
    expect(await read('/customers')).toEqual([JSON.parse(ADA)]);
  },
);

it('loads a changed file at a reload, and keeps everything if the new file is invalid', async () => {
  const { mock, folder, read } = await startWith({ 'data.json': `{ "customers": [${ADA}] }` });
  await mock.data.put({ plans: [{ id: 'own', price: 1 }] });
  expect(mock.files.map((file) => path.basename(file))).toContain('data.json');
  await writeFile(path.join(folder, 'data.json'), `{ "customers": [] }`);
  await mock.reload();
  expect([await read('/customers'), await read('/plans')]).toEqual([[], [{ id: 'own', price: 1 }]]);
  await writeFile(path.join(folder, 'data.json'), '{ "customers": [{ "name": 7 }] }');
  await expect(mock.reload()).rejects.toThrow('/name must be a string, not 7.');
  expect(await read('/customers')).toEqual([]);
});

it.each([
  [
    'unknown.yaml',
    '/customers: []\n/customerz: []\n',
    [2, '/~1customerz', 'There is no collection "/customerz". Did you mean /customers?'],
  ],
  ['item.yaml', 'customers:\n  - name: Ada\n  - name: 7\n', [3, '/customers/1/name', '/name must be a string, not 7.']],
  ['twice.yaml', 'plans: [{ id: a }, { id: a }]', [1, '/plans/1/id', 'There is already a plan with the id "a".']],
  ['customers.csv', 'id,age\n"a\nb",20\nc,young\n', [4, '/1/age', '/age must be an integer, not "young".']],
  [
    'customers.csv',
    'id,age\na\n',
    [2, undefined, 'The data cannot be read: this record has another number of cells than the first one.'],
  ],
  ['customers.csv', 'id,id\na,b\n', [1, undefined, 'The data cannot be read: two columns are named "id".']],
  ['customers.ndjson', '{"name":"a"}\n{', [2, undefined, 'The data cannot be read: this line is not JSON.']],
  ['list.yaml', '7', [1, '', 'The data must be a map from collections to lists of items, or a list of items.']],
  ['scalar.yaml', 'plans: 7', [1, '/plans', 'The collection "plans" must be a list of items.']],
  [
    'reference.yaml',
    'customers: [{ id: a }]\npayments:\n  - { id: p, customer_id: b }',
    [3, '/payments/0/customer_id', 'There is no customer "b", which /customer_id names.'],
  ],
  [
    'parent.yaml',
    '/customers/nobody/notes:\n  - text: lost\ncustomers: []',
    [
      2,
      '/~1customers~1nobody~1notes/0',
      'There is no customer "nobody", to which an item of /customers/nobody/notes would belong.',
    ],
  ],
])('refuses %s with its place: %j', async (name, text, expected) => {
  expect(await refused({ [name]: text })).toEqual([name, ...expected]);
});

it('names a file that does not exist', async () => {
  await expect(startMock(SHOP, { data: 'nowhere.yaml' })).rejects.toThrow(
    'The data cannot be read: there is no such file.',
  );
});

it('adds items whose ids are free, and changes nothing if one is not', async () => {
  const { mock } = await startWith({ 'customers.json': `[${ADA}]` });
  const added = await mock.data.add({ '/customers': [{ name: 'New' }], plans: { id: 'gold' } });
  expect(added).toEqual({
    '/customers': [{ id: expect.any(String), name: 'New', email: expect.any(String) }],
    '/plans': [{ id: 'gold', price: expect.any(Number) }],
  });
  const before = await mock.data.get();
  await expect(mock.data.add({ plans: [{ id: 'silver' }], customers: [{ id: 'cus_1' }] })).rejects.toMatchObject({
    status: 422,
    violations: [{ in: 'body', pointer: '/customers/0/id', message: expect.any(String) }],
  });
  expect(await mock.data.get()).toEqual(before);
  await mock.data.put(before);
  expect(await mock.data.get()).toEqual(before);
});

it('reads the files that the configuration names', async () => {
  const { folder } = await startWith({ 'plans.json': '[{ "id": "gold", "price": 10 }]' });
  const spec = path.resolve('test/server/data/shop.yaml');
  await writeFile(
    path.join(folder, 'specmill.config.json'),
    JSON.stringify({ apis: { shop: { spec, output: 'out', data: 'plans.json' } } }),
  );
  const mock = await startMock('shop', { cwd: folder });
  onTestFinished(() => mock.close());
  expect((await mock.data.get())['/plans']).toEqual([{ id: 'gold', price: 10 }]);
});

it('makes up an id for each of 6,000 items whose schema has fewer words', async () => {
  await using mock = await startMock('growth', { spec: 'bench/growth.yaml' });
  const added = await mock.data.add({ '/orders': Array.from({ length: 6_000 }, (_, price) => ({ price })) });
  expect(new Set(added['/orders']?.map((order) => (order as { readonly id: string }).id)).size).toBe(6_000);
});
