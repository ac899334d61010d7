import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';

import { describe, expect, it, test } from 'vitest';

import { cutBody } from '../../../http/journal/journal-limits.js';
import { readAllItems } from '../../../http/item-codec.js';
import { ItemStreamCheck } from '../../../http/response/checked-items.js';
import { headerParameters } from '../../../runtime/header-parameters.js';
import { decodeJson } from '../../../runtime/decode-json.js';
import { startMock } from '../../../entry/mock.js';
import { LINEAR, growthOf } from '../../support/growth.js';

describe('a body of a megabyte', () => {
  const list = <T>(length: number, item: (index: number) => T): T[] =>
    Array.from({ length }, (_, index) => item(index));

  test.each([
    ['members', 15_000, (size: number) => Object.fromEntries(list(size, (index) => [`k_${index}`, index]))],
    ['numbers', 290_000, (size: number) => ({ contents: list(size, (index) => index % 10), system_instruction: {} })],
    ['objects', 12_000, (size: number) => ({ contents: list(size, (index) => ({ [`k_${index % 10}`]: index })) })],
  ])('is renamed in linear time if it has many %s', async (_what, most, make) => {
    await using mock = await startMock('generation', { noRateLimit: true });
    const headers = { 'content-type': 'application/json', 'x-vendor-api-key': 'k' };
    const send = async (size: number): Promise<void> => {
      const init = { method: 'POST', headers, body: JSON.stringify(make(size)) };
      await (await mock.fetch('http://mock/v1beta/models/m:generateContent', init)).text();
    };
    // Collecting the garbage of a megabyte adds to the larger half only.
    expect(await growthOf(send, most / 8)).toBeLessThan(40);
  });

  test('a compressed body of less than a megabyte expands to two megabytes at most', async () => {
    await using mock = await startMock('generation', { noRateLimit: true });
    const send = async (text: string): Promise<number> => {
      const headers = { 'content-type': 'application/json', 'x-vendor-api-key': 'k', 'content-encoding': 'gzip' };
      const init = { method: 'POST', headers, body: gzipSync(text) };
      return (await mock.fetch('http://mock/v1beta/models/m:countTokens', init)).status;
    };
    expect(await send('[]'.padEnd(1_900_000))).toBe(400);
    expect(await send('[]'.padEnd(2_100_000))).toBe(413);
    // Of a megabyte or more, the limit of all bodies counts.
    expect(await send(JSON.stringify([randomBytes(2_000_000).toString('base64')]))).toBe(400);
  });

  test.each([
    ['objects', '{},'.repeat(200_000)],
    ['objects in lists', '[{},'.repeat(200_000)],
    ['lists', '[],'.repeat(200_000)],
    ['numbers', '1,'.repeat(450_000)],
    ['members', `{${'"a":1,'.repeat(100_000)}"b":1},`],
    ['objects of many members', `{${'"a":1,'.repeat(900)}"b":1},`.repeat(50)],
    ['wide integers', '12345678901234567891,'.repeat(26_000)],
  ])('a body with more %s than the limit is refused before it is parsed', (_what, items) => {
    const limits =
      /^must NOT (have more than 12500 objects, 100000 lists, 16000 members of one object or 25000 int|be nested deeper)/;
    expect(() => decodeJson(`[${items}0]`)).toThrow(limits);
  });

  test.each([
    ['objects', Array.from({ length: 12_000 }, () => ({ a: 1 }))],
    ['lists', Array.from({ length: 60_000 }, () => [1])],
    ['numbers', Array.from({ length: 300_000 }, () => 1)],
    ['members', Object.fromEntries(Array.from({ length: 16_000 }, (_, index) => [`k${index}`, '{[,]}']))],
  ])('a body with many %s is accepted', (_what, value) => {
    expect(decodeJson(JSON.stringify(value))).toEqual(value);
  });

  it('a body of several megabytes may have 120,000 objects', () => {
    const items = Array.from({ length: 120_000 }, (_, index) => ({ id: index, name: `item ${index}` }));
    expect(decodeJson(JSON.stringify(items))).toHaveLength(120_000);
  });
});

it('the journal truncates a long value without serialising all of it', () => {
  const body = { a: 'x', list: Array.from({ length: 500_000 }, () => ({ b: 1, c: undefined })), at: new Date(0) };
  const whole = JSON.stringify(body);
  expect(cutBody(body)).toBe(whole.slice(0, 64 * 1_024));
  expect(cutBody({ a: new Date(0), bytes: new Uint8Array(70_000) })).toEqual({
    a: '1970-01-01T00:00:00.000Z',
    bytes: { $bytes: { size: 70_000 } },
  });
});

it('the parameters of a header are parsed in linear time, whatever is in quotes', async () => {
  expect(headerParameters('form-data; name="a\\"b"; FileName=x.txt; broken="y')).toEqual([
    { name: 'name', value: 'a\\"b' },
    { name: 'filename', value: 'x.txt' },
  ]);
  const read = (size: number): unknown => headerParameters(';a="\\"'.repeat(size));
  expect(await growthOf(read, 12_000)).toBeLessThan(LINEAR);
});

describe('a stream of events', () => {
  it.each([
    ['events', 'data: 1\n\n', 9_000, 13_000],
    ['lines of one event', ':\n', 90_000, 110_000],
  ])('that is read as a whole has a limited number of %s', (_what, text, fits, exceeds) => {
    const read = (count: number): unknown[] =>
      readAllItems(Buffer.from(`${text.repeat(count)}data: 2\n\n`), { format: 'event-data' }, undefined);
    expect(read(fits).at(-1)).toBe(2);
    expect(() => read(exceeds)).toThrow(/must NOT have more than/);
  });

  it('is checked event by event, and its empty lines are not', () => {
    const checked: string[] = [];
    const find = (content: Uint8Array): [] => {
      checked.push(String(content));
      return [];
    };
    const limits = { itemBytes: 1_000, violations: 1 };
    const check = new ItemStreamCheck(find, { framing: 'event-stream', boundary: undefined }, limits);
    const stream = Buffer.from(`${'\n'.repeat(1_000)}${'\r'.repeat(1_000)}${'\r\n'.repeat(1_000)}data: 1\n\n`);
    expect(Buffer.concat(check.admit(stream).passed)).toEqual(stream);
    expect(checked).toHaveLength(1);
  });
});
