import { expect, it } from 'vitest';

import type { Key, KeyCondition, QueryResult, Store, StoreQuery } from '../../server/stores/store.js';

/** Values of every kind that members of items have. */
const VALUES: readonly unknown[] = [
  0,
  -0,
  1,
  2,
  10,
  1.5,
  7n,
  9007199254740993n,
  '',
  '1',
  'a',
  'B',
  'b',
  true,
  false,
  null,
];

interface Item {
  readonly time?: unknown;
  readonly state?: unknown;
  readonly tags?: unknown;
}

/** A small generator of numbers, the same in each run. */
function createNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 1;
    return (state >>> 8) % below;
  };
}

type Next = ReturnType<typeof createNumbers>;

/** Returns the same as a scan of all items, whatever indexes a store has made and kept. */
export function describeIndexes(makeStore: () => Store | Promise<Store>): void {
  it('gives the items of a scan for any query, after any writes', async () => {
    const next = createNumbers(4);
    const store = await makeStore();
    const copy = new Map<string, Item>();
    const queries = Array.from({ length: 150 }, () => queryOf(next));
    for (let round = 0; round < 4; round += 1) {
      await change(store, copy, next);
      for (const query of queries) {
        const wanted = scan(copy, query);
        const found = await store.query('items', query);
        expect(found, `round ${round}: ${describe(query)}`).toEqual({ ...found, ...wanted });
        const few = await store.query('items', { ...query, countTotal: false });
        expect(few.items).toEqual(found.items);
      }
    }
  });

  it('finds an item once for several values, also if it gets a second one of them later, or a value is named twice', async () => {
    const store = await makeStore();
    const copy = new Map<string, Item>();
    const put = async (id: number, tags: readonly string[]): Promise<void> => {
      const item = { tags, time: id % 7 };
      copy.set(String(id), item);
      await store.put('items', String(id), item);
    };
    for (let id = 0; id < 90; id += 1) await put(id, [['a', 'b', 'c'][id % 3] ?? '']);
    const match = { name: 'tags', keysOf: (item: unknown) => keysOf((item as Item).tags), test: 'equals' } as const;
    const query = (values: readonly Key[]): StoreQuery => ({
      match: [{ ...match, values }],
      order: [{ path: 'time' }],
      ...{ skip: 7, take: 40, locate: ['0', '1', '2'] },
    });
    for (const values of [
      ['a', 'b'],
      ['b', 'b', 'c'],
      ['a', 'none'],
    ])
      expect(await store.query('items', query(values))).toMatchObject(scan(copy, query(values)));
    await put(3, ['a', 'b']);
    expect(await store.query('items', query(['a', 'b']))).toMatchObject(scan(copy, query(['a', 'b'])));
    await put(3, ['c']);
    expect(await store.query('items', query(['a', 'b']))).toMatchObject(scan(copy, query(['a', 'b'])));
  });
}

/** The first round fills the store with so many items that queries use indexes. */
async function change(store: Store, copy: Map<string, Item>, next: Next): Promise<void> {
  const writes = copy.size === 0 ? 150 : 12;
  for (let count = 0; count < writes; count += 1) {
    const id = String(next(170));
    if (next(5) === 0) {
      await store.delete('items', id);
      copy.delete(id);
      continue;
    }
    const item = itemOf(next);
    await store.put('items', id, item);
    copy.set(id, item);
  }
}

function itemOf(next: Next): Item {
  const value = (): unknown => VALUES[next(VALUES.length)];
  return {
    ...(next(6) === 0 ? {} : { time: next(4) === 0 ? value() : next(60) }),
    ...(next(6) === 0 ? {} : { state: next(4) === 0 ? value() : ['open', 'closed'][next(2)] }),
    ...(next(6) === 0 ? {} : { tags: Array.from({ length: next(4) }, value) }),
  };
}

const MEMBERS = ['time', 'state', 'tags'] as const;
const TESTS = ['equals', 'from', 'to', 'contains'] as const;

function queryOf(next: Next): StoreQuery {
  const value = (): unknown => (next(2) === 0 ? VALUES[next(VALUES.length)] : ['open', 'closed', next(60)][next(3)]);
  const pick = <T>(list: readonly [T, ...T[]]): T => list[next(list.length)] ?? list[0];
  const [own, isOwn] = [pick(MEMBERS), next(2) === 0];
  const member = (): (typeof MEMBERS)[number] => (isOwn ? own : pick(MEMBERS));
  const where = Array.from({ length: next(3) }, () => ({ path: member(), test: pick(TESTS), value: value() }));
  const match = Array.from({ length: next(3) }, () => keyCondition(member(), next));
  const order = Array.from({ length: next(3) }, () => ({ path: pick(MEMBERS), descending: next(2) === 0 }));
  const locate = next(3) === 0 ? [String(next(170)), String(next(170)), 'none'] : undefined;
  return {
    ...{ where, match, order, skip: next(3) === 0 ? next(60) : 0 },
    ...(next(4) === 0 ? {} : { take: next(20) }),
    ...(next(5) === 0 ? { filter: (item: unknown) => (item as Item).state !== 'closed' } : {}),
    ...(locate === undefined ? {} : { locate }),
  };
}

function keyCondition(member: keyof Item, next: Next): KeyCondition {
  const test = (['equals', 'equals', 'from', 'to'] as const)[next(4)] ?? 'equals';
  const one = (): Key => ['open', 'closed', 'a', 1, next(60), next(60)][next(6)] ?? 0;
  const values = Array.from({ length: 1 + (test === 'equals' ? next(2) : 0) }, one);
  return { name: member, keysOf: (item) => keysOf((item as Item)[member]), test, values, isExclusive: next(2) === 0 };
}

function keysOf(value: unknown): Key[] {
  if (Array.isArray(value)) return value.flatMap((one) => keysOf(one));
  return typeof value === 'number' ? [value] : [String(value).toLowerCase()];
}

type Found = Pick<QueryResult, 'total'> & { readonly items: unknown; readonly positions?: ReadonlyMap<string, number> };

/** A query without any index: every item is tested, and the matches are sorted. */
function scan(copy: ReadonlyMap<string, Item>, query: StoreQuery): Found {
  const { where = [], match = [], order = [], skip = 0, take = Infinity, filter, locate } = query;
  const matching = [...copy].filter(
    ([, item]) =>
      where.every((one) => flat(item[one.path as keyof Item]).some((value) => meets(value, one))) &&
      match.every((one) => one.keysOf(item).some((key) => meetsKey(key, one))) &&
      filter?.(item) !== false,
  );
  matching.sort(([, one], [, other]) => {
    for (const { path, descending = false } of order) {
      const [left, right] = [one, other].map((item) => flat(item[path as keyof Item])[0]);
      const result = compare(left, right);
      if (result !== 0) return descending ? -result : result;
    }
    return 0;
  });
  const positions = new Map(matching.map(([id], index) => [id, index]));
  return {
    items: matching.slice(skip, skip + take).map(([id, value]) => expect.objectContaining({ id, value })),
    total: matching.length,
    ...(locate === undefined ? {} : { positions: new Map(locate.flatMap((id) => at(positions, id))) }),
  };
}

function at(positions: ReadonlyMap<string, number>, id: string): [string, number][] {
  const position = positions.get(id);
  return position === undefined ? [] : [[id, position]];
}

/** A list has itself and its items as values. */
function flat(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? [value, ...value.flatMap((one: unknown) => flat(one))] : [value];
}

function meets(value: unknown, { test, value: wanted }: NonNullable<StoreQuery['where']>[number]): boolean {
  if (test === 'equals') return value === wanted;
  if (test === 'contains')
    return typeof value === 'string' && value.toLowerCase().includes(String(wanted).toLowerCase());
  if (kindOf(value) !== kindOf(wanted)) return false;
  return test === 'from' ? compare(value, wanted) >= 0 : compare(value, wanted) <= 0;
}

function meetsKey(key: Key, { test, values, isExclusive = false }: KeyCondition): boolean {
  return values.some((value) => {
    if (test === 'equals') return key === value;
    if (typeof key !== typeof value || (isExclusive && key === value)) return false;
    return test === 'from' ? key >= value : key <= value;
  });
}

function kindOf(value: unknown): string {
  return typeof value === 'bigint' ? 'number' : typeof value;
}

function compare(one: unknown, other: unknown): number {
  const rank = (value: unknown): number =>
    value === undefined || value === null ? 0 : 1 + ['boolean', 'number', 'string', 'object'].indexOf(kindOf(value));
  if (rank(one) !== rank(other)) return rank(one) - rank(other);
  if (rank(one) === 0 || typeof one === 'object') return 0;
  return one === other ? 0 : (one as number) < (other as number) ? -1 : Number((one as number) > (other as number));
}

function describe(query: StoreQuery): string {
  return JSON.stringify(query, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}
