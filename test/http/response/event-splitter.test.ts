import { describe, expect, test } from 'vitest';

import { EventSplitter } from '../../../http/response/event-splitter.js';

/** The data of each event, and all bytes, when the text comes in pieces of this length. */
function split(text: string, length: number): { data: (string | undefined)[]; bytes: string } {
  const splitter = new EventSplitter(1_000);
  const bytes = Buffer.from(text);
  const events = [];
  for (let start = 0; start < bytes.length; start += length)
    events.push(...splitter.add(bytes.subarray(start, start + length)));
  const passed = Buffer.concat([...events.map((event) => event.bytes), splitter.rest()]);
  return { data: events.map(({ data }) => data), bytes: passed.toString() };
}

/** By the examples of the HTML Living Standard, 9.2.6, and their odd neighbours. */
const STREAMS: readonly (readonly [string, string, (string | undefined)[]])[] = [
  ['one line', 'data: a\n\n', ['a']],
  ['several lines', 'data: YHOO\ndata: +2\ndata: 10\n\n', ['YHOO\n+2\n10']],
  ['CR and LF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
  ['CR alone', 'data: a\r\rdata: b\r\r', ['a', 'b']],
  ['mixed ends', 'data: a\r\n\ndata: b\n\r\n', ['a', 'b']],
  ['comments and other fields', ': test\n\nevent: x\nid: 1\ndata: a\nretry: 5\n\n', [undefined, 'a']],
  ['no space, two spaces, no colon', 'data:a\n\ndata:  b\n\ndata\n\n', ['a', ' b', '']],
  ['letters of several bytes', 'data: é😀\n\n', ['é😀']],
  ['what has no end', 'data: a\n\ndata: b\n', ['a']],
];

describe('the events of a stream', () => {
  test.each(STREAMS)('%s, whatever the pieces are', (_name, text, data) => {
    for (const length of [1, 2, 3, 5, 100]) expect(split(text, length)).toEqual({ data, bytes: text });
  });

  test('one that is longer than the limit', () => {
    const splitter = new EventSplitter(10);
    expect(splitter.add(Buffer.from('data: a\n\ndata: '))).toHaveLength(1);
    expect(splitter.hasGivenUp).toBe(false);
    splitter.add(Buffer.from('123456'));
    expect(splitter.hasGivenUp).toBe(true);
    expect(splitter.rest().toString()).toBe('data: 123456');
  });
});
