import { describe, expect, test } from 'vitest';

import { AnswerReader, MalformedAnswer } from '../../contract/requests/answer-reader.js';

interface Read {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | null>>;
  readonly body: string;
  readonly isKept: boolean;
}

/** Reads an answer in pieces of a size; `ends`: the connection ends after it. */
function read(text: string, { method = 'GET', size = Infinity, ends = false, names = [] as readonly string[] }): Read {
  const reader = new AnswerReader(method);
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, Math.min(bytes.length, at + size)));
  if (ends) reader.end();
  expect(reader.isDone).toBe(true);
  const headers = Object.fromEntries(names.map((name) => [name, reader.head?.headers.get(name) ?? null]));
  return { status: reader.head?.status, headers, body: reader.body.toString(), isKept: reader.isKept };
}

const CHUNKED =
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4;x=y\r\n{"a"\r\n3\r\n:1}\r\n0\r\nX-Sum: 7\r\n\r\n';

describe.each([1, 2, 3, 7, 1_000])('in pieces of %d bytes', (size) => {
  test.each([
    [
      'counted',
      'HTTP/1.1 201 Created\r\nContent-Length: 7\r\n\r\n{"a":1}',
      { status: 201, body: '{"a":1}', isKept: true },
    ],
    ['in chunks', CHUNKED, { status: 200, body: '{"a":1}', isKept: true }],
    ['after a hint', `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${CHUNKED}`, { status: 200, body: '{"a":1}' }],
    ['without a word after the status', 'HTTP/1.1 204\r\n\r\n', { status: 204, body: '', isKept: true }],
    [
      '304 with the length of what is not sent',
      'HTTP/1.1 304 x\r\nContent-Length: 9\r\n\r\n',
      { status: 304, body: '' },
    ],
    [
      'the last on its connection',
      'HTTP/1.1 200 OK\r\nConnection: Close\r\nContent-Length: 0\r\n\r\n',
      { isKept: false },
    ],
    ['of an old server', 'HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na', { body: 'a', isKept: false }],
    [
      'of an old server that stays',
      'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n',
      { isKept: true },
    ],
    ['with more than was asked for', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nabc', { body: 'a', isKept: false }],
    [
      'that changes the protocol',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n',
      { status: 101, isKept: false },
    ],
  ])('an answer %s', (_, text, expected) => expect(read(text, { size })).toMatchObject(expected));

  test('an answer that ends with its connection', () =>
    expect(read('HTTP/1.1 200 OK\r\n\r\nto the end', { size, ends: true })).toMatchObject({
      body: 'to the end',
      isKept: false,
    }));

  test('an answer to HEAD', () =>
    expect(read('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n', { size, method: 'HEAD' })).toMatchObject({
      body: '',
      isKept: true,
    }));

  test('headers in any case, empty, twice, and beyond ASCII', () => {
    const text = 'HTTP/1.1 204 x\r\nA:1 \r\nb: \r\nSet-Cookie: c=1\r\nset-cookie: d=2\r\nE:\t\u00e9 \u00e9\r\n\r\n';
    expect(read(text, { size, names: ['a', 'B', 'set-cookie', 'e', 'f'] }).headers).toEqual({
      a: '1',
      B: '',
      'set-cookie': 'c=1, d=2',
      e: '\u00e9 \u00e9',
      f: null,
    });
  });
});

describe('what is no answer', () => {
  test.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n\r\n'],
    ['another version', 'HTTP/2 200\r\n\r\n'],
    ['a status that is none', 'HTTP/1.1 99 x\r\n\r\n'],
    ['a line that is no header', 'HTTP/1.1 200 OK\r\nnothing\r\n\r\n'],
    ['a name with a space', 'HTTP/1.1 200 OK\r\nContent-Length : 3\r\n\r\nabc'],
    ['a folded header', 'HTTP/1.1 200 OK\r\nA: 1\r\n 2\r\n\r\n'],
    ['a lone line feed', 'HTTP/1.1 200 OK\r\nA: 1\nB: 2\r\n\r\n'],
    ['a NUL', 'HTTP/1.1 200 OK\r\nA: \0\r\n\r\n'],
    ['a length that is none', 'HTTP/1.1 200 OK\r\nContent-Length: +3\r\n\r\nabc'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd'],
    ['a length and chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a chunk whose size is none', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n\r\n'],
    [
      'a chunk that is longer than it says',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n',
    ],
    ['a head without an end', `HTTP/1.1 200 OK\r\nA: ${'a'.repeat(100_000)}`],
    [
      'a line of a chunk without an end',
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;${'a'.repeat(100_000)}`,
    ],
  ])('%s', (_, text) =>
    expect(() => new AnswerReader('GET').push(Buffer.from(text, 'latin1'))).toThrow(MalformedAnswer),
  );

  test.each([
    ['nothing', ''],
    ['half a head', 'HTTP/1.1 200 OK\r\n'],
    ['less than it says', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab'],
    ['chunks without the last one', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n'],
  ])('%s, and then the end', (_, text) => {
    const reader = new AnswerReader('GET');
    reader.push(Buffer.from(text));
    expect(() => reader.end()).toThrow(MalformedAnswer);
    expect(reader.isDone).toBe(false);
  });
});
