import { expect, test } from 'vitest';

import { ExchangeLog } from '../../../contract/reproduction/exchange-log.js';
import type { Case, Exchange, WireRequest } from '../../../contract/types.js';

const SENT = {} as Case;

function exchange(text: string, status = 200): Exchange {
  const headers = { get: () => null, has: () => false, keys: () => [].values() };
  return { request: { method: 'GET', url: 'http://a/', headers: {} }, status, headers, text, durationMs: 1 };
}

test('the log keeps the last accepted requests, and large responses displace older ones', () => {
  const log = new ExchangeLog();
  const text = 'x'.repeat(900_000);
  for (let count = 0; count < 300; count += 1) log.add(SENT, exchange(text));
  const last = exchange('');
  log.add(SENT, last);
  const entry = log.find(last);
  const kept = entry === undefined ? [] : log.goodBefore(entry);
  expect(kept.at(-1)?.number).toBe(299);
  expect(kept.length).toBeGreaterThan(50);
  expect(kept.reduce((sum, one) => sum + one.exchange.text.length, 0)).toBeLessThanOrEqual(100_000_000);
});

test('the log omits refusals and responses that are too large', () => {
  const log = new ExchangeLog();
  for (const one of [exchange('a'), exchange('b', 404), exchange('c'.repeat(1_000_001)), exchange('d')])
    log.add(SENT, one);
  expect(log.goodFrom(0, 3).map((entry) => entry.exchange.text)).toEqual(['a', 'd']);
});

test('the last response to a read is known until a request may change something', () => {
  const log = new ExchangeLog();
  const first = exchange('a');
  const { request } = first;
  const add = (change: Partial<WireRequest>, status: number): void =>
    log.add(SENT, { ...exchange('', status), request: { ...request, ...change } });
  log.add(SENT, first);
  add({ headers: { 'if-none-match': '"1"' } }, 304);
  add({ method: 'HEAD' }, 200);
  expect(log.unchangedRead(request)).toBe(first);
  add({ method: 'PUT' }, 400);
  expect(log.unchangedRead(request)).toBeUndefined();
});
