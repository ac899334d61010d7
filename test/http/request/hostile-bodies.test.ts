import { describe, expect, it, test } from 'vitest';

import { cutBody } from '../../../http/journal/truncate-body.js';
import { headerParameters } from '../../../http/header-parameters.js';
import { parseJson } from '../../../http/request/parse-json.js';
import { startMock } from '../../../entry/mock.js';

describe('a body of a megabyte', () => {
  const bodies: Readonly<Record<string, unknown>> = {
    members: Object.fromEntries(Array.from({ length: 64_000 }, (_, index) => [`k_${index}`, index])),
    numbers: { contents: Array.from({ length: 290_000 }, (_, index) => index % 10), system_instruction: {} },
    objects: { contents: Array.from({ length: 60_000 }, (_, index) => ({ [`k_${index % 10}`]: index })) },
  };

  test.each(Object.keys(bodies))('with many %s does not block a mock that renames members', async (name) => {
    await using mock = await startMock('generation', { noRateLimit: true });
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-vendor-api-key': 'k' },
      body: JSON.stringify(bodies[name]),
    };
    const send = async (): Promise<number> => {
      const started = performance.now();
      await (await mock.fetch('http://mock/v1beta/models/m:generateContent', init)).text();
      return performance.now() - started;
    };
    // Once before, so that what is compiled on first use does not count.
    await send();
    expect(Math.min(await send(), await send(), await send())).toBeLessThan(1_500);
  });

  test.each(['[{},', '[[],'])('a body of a megabyte of as many %s as fit is refused before it is parsed', (piece) => {
    const text = `${piece.repeat(200_000)}0`;
    expect(() => parseJson(text)).toThrow(/objects and lists|levels/);
    expect(() => parseJson(`[${'{},'.repeat(200_000)}0]`)).toThrow('must NOT have more than 100000 objects and lists');
  });

  it('a body of a megabyte may have as many objects as its length makes likely', () => {
    const text = JSON.stringify(Array.from({ length: 120_000 }, (_, index) => ({ id: index, name: `item ${index}` })));
    expect(parseJson(text)).toHaveLength(120_000);
  });
});

it('cuts a long value off without writing all of it', () => {
  const body = { a: 'x', list: Array.from({ length: 500_000 }, () => ({ b: 1, c: undefined })), at: new Date(0) };
  const whole = JSON.stringify(body);
  expect(cutBody(body)).toBe(whole.slice(0, 64 * 1_024));
  expect(cutBody({ a: new Date(0), bytes: new Uint8Array(70_000) })).toEqual({
    a: '1970-01-01T00:00:00.000Z',
    bytes: { $bytes: { size: 70_000 } },
  });
});

it('reads the parameters of a header once, whatever is in quotes', () => {
  expect(headerParameters('form-data; name="a\\"b"; FileName=x.txt; broken="y')).toEqual([
    { name: 'name', value: 'a\\"b' },
    { name: 'filename', value: 'x.txt' },
  ]);
  const started = performance.now();
  headerParameters(';a="\\"'.repeat(100_000));
  expect(performance.now() - started).toBeLessThan(500);
});
