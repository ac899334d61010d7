import { describe, expect, it } from 'vitest';

import { type Store, type StoreQuery, VersionConflictError } from '../../server/stores/store.js';
import { describeIndexes } from './index-conformance.js';

/** What every store must do. `makeStore` gives an empty one. */
export function describeStore(name: string, makeStore: () => Store | Promise<Store>): void {
  describe(`the store ${name}`, () => {
    describeItems(makeStore);
    describeQueries(makeStore);
    describeIndexes(makeStore);
    describeCopies(makeStore);
    describeContents(makeStore);
  });
}

type MakeStore = Parameters<typeof describeStore>[1];

function describeItems(makeStore: MakeStore): void {
  it('stores items by collection and id', async () => {
    const store = await makeStore();
    expect(await store.get('pets', '1')).toBeUndefined();
    expect(await store.put('pets', '1', { name: 'Rex' })).toBe(1);
    expect(await store.put('pets', '1', { name: 'Max' })).toBe(2);
    await store.put('owners', '1', { name: 'Ann' });
    expect(await store.get('pets', '1')).toEqual({ id: '1', version: 2, value: { name: 'Max' } });
    expect([...(await store.collections())].sort()).toEqual(['owners', 'pets']);
    expect(await store.delete('pets', '1')).toBe(true);
    expect(await store.delete('pets', '1')).toBe(false);
    expect(await store.get('pets', '1')).toBeUndefined();
    expect(await store.collections()).toEqual(['owners']);
  });

  it.each([
    ['a new item', undefined, 0, true],
    ['an item that is there already', 1, 0, false],
    ['the version that is stored', 1, 1, true],
    ['another version', 1, 2, false],
    ['a version of a missing item', undefined, 1, false],
  ])('writes on condition: %s', async (_name, stored, expected, isWritten) => {
    const store = await makeStore();
    if (stored !== undefined) await store.put('pets', '1', 'old');
    const write = await store.put('pets', '1', 'new', expected).catch((error: unknown) => error);
    expect(isWritten ? write : write instanceof VersionConflictError).toBe(isWritten ? (stored ?? 0) + 1 : true);
    expect((await store.get('pets', '1'))?.value).toBe(isWritten ? 'new' : stored === undefined ? undefined : 'old');
  });

  it('updates atomically: parallel updates lose nothing', async () => {
    const store = await makeStore();
    await Promise.all(Array.from({ length: 200 }, () => store.update('counters', 'n', (n) => Number(n ?? 0) + 1)));
    expect(await store.get('counters', 'n')).toMatchObject({ value: 200, version: 200 });
  });

  it('lets exactly one of many parallel conditional writes succeed', async () => {
    const store = await makeStore();
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) => store.put('pets', '1', index, 0)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('deletes an item if its update returns nothing, and keeps it if the update throws', async () => {
    const store = await makeStore();
    await store.put('pets', '1', 'Rex');
    await expect(
      store.update('pets', '1', () => {
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect((await store.get('pets', '1'))?.value).toBe('Rex');
    expect(await store.update('pets', '1', () => undefined)).toBeUndefined();
    expect(await store.get('pets', '1')).toBeUndefined();
  });

  it('accepts any text as a name or id', async () => {
    const store = await makeStore();
    for (const text of ['__proto__', 'constructor', 'hasOwnProperty', '', 'a/b', 'ä\u0000', '../x']) {
      expect(await store.get(text, text)).toBeUndefined();
      await store.put(text, text, { [text]: text });
      expect((await store.get(text, text))?.value).toEqual(JSON.parse(JSON.stringify({ [text]: text })));
    }
    expect(({} as Record<string, unknown>)['__proto__']).toBe(Object.prototype);
  });
}

const PEOPLE = [
  { name: 'Carl', age: 40, city: { name: 'Oslo' }, tags: ['a', 'b'], mail: [{ at: 'x' }, { at: 'y' }] },
  { name: 'anna', age: 30, city: { name: 'Rome' }, tags: ['b'], mail: [] },
  { name: 'Bert', age: 30, city: { name: 'oslo' }, tags: [], mail: [{ at: 'y' }] },
  { name: 'Dora', city: null, 'a.b': 1 },
];

const QUERIES: [string, StoreQuery, string[]][] = [
  ['everything, in the order of creation', {}, ['Carl', 'anna', 'Bert', 'Dora']],
  ['equals', { where: [{ path: 'age', test: 'equals', value: 30 }] }, ['anna', 'Bert']],
  ['equals is exact', { where: [{ path: 'city.name', test: 'equals', value: 'Oslo' }] }, ['Carl']],
  ['equals knows types', { where: [{ path: 'age', test: 'equals', value: '30' }] }, []],
  ['equals null', { where: [{ path: 'city', test: 'equals', value: null }] }, ['Dora']],
  ['equals an object', { where: [{ path: 'city', test: 'equals', value: { name: 'Rome' } }] }, ['anna']],
  ['equals any item of a list', { where: [{ path: 'tags', test: 'equals', value: 'b' }] }, ['Carl', 'anna']],
  ['equals a list', { where: [{ path: 'tags', test: 'equals', value: ['a', 'b'] }] }, ['Carl']],
  ['a member of any item of a list', { where: [{ path: 'mail.at', test: 'equals', value: 'y' }] }, ['Carl', 'Bert']],
  ['contains, in any case', { where: [{ path: 'name', test: 'contains', value: 'R' }] }, ['Carl', 'Bert', 'Dora']],
  ['from', { where: [{ path: 'age', test: 'from', value: 40 }] }, ['Carl']],
  ['to, inclusive', { where: [{ path: 'age', test: 'to', value: 30 }] }, ['anna', 'Bert']],
  [
    'bounds of texts',
    {
      where: [
        { path: 'name', test: 'from', value: 'B' },
        { path: 'name', test: 'to', value: 'Cz' },
      ],
    },
    ['Carl', 'Bert'],
  ],
  ['bounds do not mix types', { where: [{ path: 'age', test: 'from', value: '0' }] }, []],
  [
    'all conditions together',
    {
      where: [
        { path: 'age', test: 'equals', value: 30 },
        { path: 'name', test: 'contains', value: 'e' },
      ],
    },
    ['Bert'],
  ],
  ['a path that does not exist', { where: [{ path: 'city.zip', test: 'equals', value: undefined }] }, []],
  ['a path into a prototype', { where: [{ path: 'constructor.name', test: 'equals', value: 'Object' }] }, []],
  ['a member with a dot', { where: [{ path: String.raw`a\.b`, test: 'equals', value: 1 }] }, ['Dora']],
  [
    'a filter',
    {
      filter: (value) =>
        (value as { name: string }).name.length === 4 &&
        !('city' in (value as object) && (value as { city: unknown }).city === null),
    },
    ['Carl', 'anna', 'Bert'],
  ],
  ['order', { order: [{ path: 'name' }] }, ['Bert', 'Carl', 'Dora', 'anna']],
  ['order: what is missing first, ties by creation', { order: [{ path: 'age' }] }, ['Dora', 'anna', 'Bert', 'Carl']],
  [
    'descending, ties by creation all the same',
    { order: [{ path: 'age', descending: true }] },
    ['Carl', 'anna', 'Bert', 'Dora'],
  ],
  ['order by two members', { order: [{ path: 'age' }, { path: 'name' }] }, ['Dora', 'Bert', 'anna', 'Carl']],
];

function describeQueries(makeStore: MakeStore): void {
  it.each(QUERIES)('finds: %s', async (_name, query, want) => {
    const store = await makeStore();
    for (const [index, person] of PEOPLE.entries()) await store.put('people', String(index), person);
    const { items, total } = await store.query('people', query);
    expect(items.map(({ value }) => (value as { name: string }).name)).toEqual(want);
    expect(total).toBe(want.length);
    const page = await store.query('people', { ...query, skip: 1, take: 2 });
    expect(page.items).toEqual(items.slice(1, 3));
    expect(page.total).toBe(total);
  });

  it('finds items after changes', async () => {
    const store = await makeStore();
    const find = async (age: number): Promise<string[]> =>
      (await store.query('people', { where: [{ path: 'age', test: 'equals', value: age }] })).items.map(({ id }) => id);
    for (const id of ['1', '2', '3']) await store.put('people', id, { age: 1 });
    await store.put('people', '2', { age: 2 });
    expect(await find(1)).toEqual(['1', '3']);
    await store.update('people', '2', () => ({ age: 1 }));
    expect(await find(1)).toEqual(['1', '2', '3']);
    await store.delete('people', '1');
    await store.put('people', '1', { age: 1 });
    expect(await find(1)).toEqual(['2', '3', '1']);
    expect(await find(2)).toEqual([]);
  });

  it('finds nothing in a collection that does not exist', async () => {
    expect(await (await makeStore()).query('none', {})).toEqual({ items: [], total: 0 });
  });
}

function describeCopies(makeStore: MakeStore): void {
  it('shares no object with its callers', async () => {
    const store = await makeStore();
    const value = { list: [{ n: 1 }], bytes: Uint8Array.of(1, 2) };
    await store.put('a', '1', value);
    value.list.push({ n: 2 });
    value.bytes[0] = 9;
    const stored = { list: [{ n: 1 }], bytes: Uint8Array.of(1, 2) };
    const reads = [
      async () => (await store.get('a', '1'))?.value,
      async () => (await store.query('a', {})).items[0]?.value,
      async () => (await store.dump())[0]?.items[0]?.value,
      async () => store.update('a', '1', (one) => one),
    ];
    for (const read of reads) {
      const copy = (await read()) as typeof value;
      expect(copy).toEqual(stored);
      copy.list.push({ n: 3 });
      copy.bytes[1] = 9;
      expect((await store.get('a', '1'))?.value).toEqual(stored);
    }
  });

  it('omits undefined members, and refuses values that are neither JSON nor bytes', async () => {
    const store = await makeStore();
    await store.put('a', '1', { here: 1, gone: undefined });
    expect(Object.keys((await store.get('a', '1'))?.value as object)).toEqual(['here']);
    for (const value of [new Date(), () => 1, Symbol('s'), new Map(), { deep: [Number.NaN] }, Promise.resolve(1)]) {
      await expect(store.put('a', '2', value)).rejects.toThrow(TypeError);
    }
    expect(await store.get('a', '2')).toBeUndefined();
  });

  it('keeps the digits of whole numbers beyond 2^53', async () => {
    const store = await makeStore();
    const value = { id: 2n ** 53n + 1n, list: [-(2n ** 63n), 2 ** 53] };
    await store.put('a', '1', value);
    expect((await store.get('a', '1'))?.value).toEqual(value);
  });
}

function describeContents(makeStore: MakeStore): void {
  it('exports all items and restores them, with versions and order', async () => {
    const store = await makeStore();
    for (const id of ['z', 'y', '1']) await store.put('a', id, { n: 1 });
    await store.put('a', 'z', { n: 2 });
    await store.put('b', '1', Uint8Array.of(7));
    const contents = await store.dump();
    await store.clear();
    expect(await store.collections()).toEqual([]);
    await store.put('c', '1', 'gone');
    await store.load(contents);
    expect(await store.dump()).toEqual(contents);
    expect(await store.get('a', 'z')).toEqual({ id: 'z', version: 2, value: { n: 2 } });
    const { items } = await store.query('a', { where: [{ path: 'n', test: 'equals', value: 1 }] });
    expect(items.map(({ id }) => id)).toEqual(['y', '1']);
    expect(await store.put('a', 'z', { n: 3 })).toBe(3);
  });
}
