import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { type Mock, startMock } from '../entry/mock.js';
import type { Figure } from './measure.js';

const SIZES = [100, 10_000, 100_000] as const;
/** Calls of each kind that are measured. */
const CALLS = 100;
/** The parts of the calls of a kind. The best one counts. */
const SLICES = 5;
const ORDERS = '/orders';
/** Items of one call that fills the collection. */
const FILLED_AT_ONCE = 20_000;

interface Kind {
  readonly what: string;
  /** @param index - of the call @param ids - of the items */
  readonly call: (index: number, ids: readonly string[]) => readonly [method: string, target: string, body?: object];
  /** Whether it looks at every item, so that its time grows with their number. */
  readonly isScan?: boolean;
}

const KINDS: readonly Kind[] = [
  { what: 'create', call: (index) => ['POST', ORDERS, orderOf(index)] },
  { what: 'read', call: (index, ids) => ['GET', `${ORDERS}/${ids[placeOf(index, ids)]}`] },
  { what: 'list', call: (index, ids) => ['GET', `${ORDERS}?limit=20&offset=${placeOf(index, ids)}`] },
  { what: 'filter', call: (index) => ['GET', `${ORDERS}?limit=20&customer=c${index % 50}`] },
  { what: 'sort', call: () => ['GET', `${ORDERS}?limit=20&sort=-price`] },
  { what: 'filter, sort', call: () => ['GET', `${ORDERS}?limit=20&status=open&sort=price`] },
  { what: 'two values, sort', call: () => ['GET', `${ORDERS}?limit=20&status=open&status=paid&sort=price`] },
  { what: 'range', call: (index) => ['GET', `${ORDERS}?limit=20&created_after=2026-01-0${1 + (index % 9)}T00:00:00Z`] },
  { what: 'update', call: (index, ids) => ['PATCH', `${ORDERS}/${ids[placeOf(index, ids)]}`, { price: index }] },
  { what: 'delete', call: (index, ids) => ['DELETE', `${ORDERS}/${ids[index]}`] },
  { what: 'search (a full scan)', call: (index) => ['GET', `${ORDERS}?limit=20&q=c${index}x`], isScan: true },
];

function orderOf(index: number): object {
  const day = String(1 + (index % 28)).padStart(2, '0');
  const status = ['open', 'paid', 'sent'][index % 3];
  return {
    customer: `c${index % 5_000}`,
    status,
    price: (index * 7_919) % 10_007,
    created_at: `2026-01-${day}T00:00:00Z`,
  };
}

/** One of the items in the middle: those at the start are deleted. */
function placeOf(index: number, { length }: readonly string[]): number {
  return Math.floor(length / 2) + (index % Math.floor(length / 4));
}

/** What a call takes with few and with many items, in processor time, and what the items take. */
export async function benchGrowth(): Promise<Figure[]> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const times = new Map<string, number[]>(KINDS.map(({ what }) => [what, []]));
  const memory: number[] = [];
  for (const size of SIZES) {
    await using mock = await startMock('growth', {
      spec: path.join(import.meta.dirname, 'growth.yaml'),
      maxState: '1GB',
    });
    collect();
    const before = process.memoryUsage().heapUsed;
    const ids = await fill(mock, size);
    for (const { what, call, isScan = false } of KINDS) {
      const count = isScan ? CALLS / 10 : Math.min(CALLS, size / 5);
      // The first calls make indexes, and compile.
      for (let index = 0; index < Math.min(count, 10); index += 1)
        if (what !== 'delete') await send(mock, call(index, ids));
      times.get(what)?.push(await leastTime(count / SLICES, (index) => send(mock, call(index, ids))));
    }
    collect();
    memory.push((process.memoryUsage().heapUsed - before) / 2 ** 20);
  }
  return [...KINDS.map((kind) => toFigure(kind, times.get(kind.what) ?? [])), memoryFigure(memory)];
}

/** The processor time of a call in the best of some slices, in µs: other work on the machine only adds to it. */
async function leastTime(count: number, call: (index: number) => Promise<unknown>): Promise<number> {
  let least = Infinity;
  for (let slice = 0; slice < SLICES; slice += 1) {
    const start = process.cpuUsage();
    for (let index = 0; index < count; index += 1) await call(slice * count + index);
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, (user + system) / count);
  }
  return least;
}

/** Adds items by the control interface, and returns their ids. */
async function fill(mock: Mock, size: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let start = 0; start < size; start += FILLED_AT_ONCE) {
    const orders = Array.from({ length: Math.min(FILLED_AT_ONCE, size - start) }, (_none, index) => ({
      id: `order_${start + index}`,
      ...orderOf(start + index),
    }));
    await mock.data.add({ [ORDERS]: orders });
    ids.push(...orders.map(({ id }) => id));
  }
  return ids;
}

function toFigure({ what, isScan = false }: Kind, times: readonly number[]): Figure {
  const [, middle = 0, most = 0] = times;
  // The logarithm grows by a quarter; caches of the processor that no longer hold everything add to it.
  const isSteady = most < 2 * middle;
  return {
    what,
    value: `${times.map((time) => time.toFixed(0)).join(' / ')} µs`,
    bound: isScan ? 'may grow with the items' : '100,000 items at most twice 10,000',
    within: isScan || isSteady,
  };
}

function memoryFigure(memory: readonly number[]): Figure {
  return {
    what: 'memory of the items and their indexes',
    value: `${memory.map((one) => one.toFixed(0)).join(' / ')} MB`,
    bound: '100,000 items at most 100 MB',
    within: (memory.at(-1) ?? 0) <= 100,
  };
}

async function send(mock: Mock, [method, target, body]: ReturnType<Kind['call']>): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const response = await mock.fetch(mock.url + target, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status >= 400) throw new Error(`${method} ${target}: ${response.status}`);
  return /"id":"([^"]*)"/.exec(text)?.[1] ?? '';
}
