import path from 'node:path';
import { writeFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { ElementSplitter } from '../../../http/recording/element-splitter.js';
import { readExchanges } from '../../../http/recording/read-exchanges.js';
import { tempFolder } from '../../support/temp-folder.js';

/** Splits a text into chunks of a size and returns the elements, their lines, and the rest. */
function split(text: string, size: number): { elements: unknown[]; lines: number[]; rest: string } {
  const splitter = new ElementSplitter();
  const bytes = Buffer.from(text);
  const found = [];
  for (let start = 0; start < bytes.length; start += size)
    found.push(...splitter.push(bytes.subarray(start, start + size)));
  return {
    elements: found.map((one) => JSON.parse(one.bytes.toString())),
    lines: found.map(({ line }) => line),
    rest: splitter.rest.toString(),
  };
}

const TRICKY = {
  log: {
    comment: 'a "log": {"entries": [1]} in a text \\',
    pages: [{ entries: [1, 2] }, []],
    entries: [{ text: ']},"{[\\"\\\\' }, [], [[1], { é: '\n\u2028😀' }], 'x,]', 1.5e3, null],
    after: { entries: [3] },
  },
};

describe('the splitter of recordings', () => {
  test.each([1, 2, 3, 5, 7, 64, 10_000])('finds the calls of a HAR file in chunks of %d bytes', (size) => {
    for (const space of [0, 2]) {
      const { elements, rest } = split(JSON.stringify(TRICKY, null, space), size);
      expect(elements).toEqual(TRICKY.log.entries);
      expect(JSON.parse(rest)).toEqual({ log: { ...TRICKY.log, entries: [] } });
    }
  });

  test.each([1, 4, 1_000])('finds the calls of a journal in chunks of %d bytes, with their lines', (size) => {
    expect(split('\n[ {"a":\n[1]},\n\n  2\n]\n', size)).toMatchObject({ elements: [{ a: [1] }, 2], lines: [2, 5] });
    expect(split('[ ]', size).elements).toEqual([]);
  });

  test.each(['[1,]', '[,1]', '[1,,2]', '[', '[1', '[1] 2', '{"log":{"entries":[1]}', '{"log":{"entries":[1]]}'])(
    'leaves a rest that is not JSON if the document %s is not JSON',
    (text) => expect(() => JSON.parse(split(text, 3).rest) as unknown).toThrow(SyntaxError),
  );
});

async function readAll(folder: string, name: string): Promise<unknown[]> {
  const calls = [];
  for await (const call of readExchanges(name, { cwd: folder })) calls.push(call);
  return calls;
}

const REQUEST = { method: 'get', url: 'http://x/a?b=1', headers: [{ name: 'User-Agent', value: 'test' }] };

describe('the reader of recordings', () => {
  test('reads method, target, time, headers and bodies of a HAR file and of a journal alike', async () => {
    const response = {
      status: 200,
      headers: [],
      content: { mimeType: 'text/plain', text: 'aGk=', encoding: 'base64' },
    };
    const entry = { startedDateTime: '2026-01-01T00:00:00Z', request: REQUEST, response };
    const call = { method: 'GET', path: '/a?b=1', status: 200, at: '2026-01-01T00:00:00Z' };
    const journal = { ...call, request: { headers: { 'User-Agent': 'test' } }, response: { body: { n: 1 } } };
    const folder = tempFolder({
      'a.har': JSON.stringify({ log: { entries: [entry] } }),
      'a.json': JSON.stringify([journal, { ...journal, method: 'MOCK' }]),
    });
    expect(await readAll(folder, 'a.har')).toMatchObject([
      {
        ...{ method: 'GET', target: 'http://x/a?b=1', status: 200, at: '2026-01-01T00:00:00Z' },
        request: { headers: { 'user-agent': 'test' }, text: '' },
        response: { text: 'aGk=', isBase64: true, mimeType: 'text/plain' },
      },
    ]);
    expect(await readAll(folder, 'a.json')).toMatchObject([
      {
        method: 'GET',
        target: '/a?b=1',
        request: { headers: { 'user-agent': ['test'] } },
        response: { value: { n: 1 } },
      },
    ]);
  });

  test.each([
    [
      'a text that is not UTF-8',
      Buffer.from('[{"a":"\xe9"}]', 'latin1'),
      /The journal cannot be read: this line is not written in UTF-8/,
    ],
    ['a broken call', Buffer.from('[\n{"a":1},\n{"a" 2}]'), /not a recorded call/],
    ['a broken first call', Buffer.from('[\n{"a" 2}]'), /is not JSON: a colon is expected here, not "2"/],
    [
      'another document',
      Buffer.from('{"log":{"pages":[]}}'),
      /Expected a journal \(JSON array of calls\) or a HAR file/,
    ],
    ['no text', Buffer.from(''), /is not JSON: a value is expected here, not the end of the file/],
  ])('refuses %s with one sentence', async (_name, bytes, message) => {
    const folder = tempFolder();
    writeFileSync(path.join(folder, 'a.har'), bytes);
    await expect(readAll(folder, 'a.har')).rejects.toThrow(message);
  });

  test('refuses a file with more than 16 MB beside its calls', async () => {
    const folder = tempFolder({ 'a.har': `{"log":{"pages":["${'x'.repeat(17 * 1_024 * 1_024)}"],"entries":[]}}` });
    await expect(readAll(folder, 'a.har')).rejects.toThrow('it has more than 16 MB beside the list of calls');
  });
});
