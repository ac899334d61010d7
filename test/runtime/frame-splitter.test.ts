import { describe, expect, test } from 'vitest';

import { FrameSplitter, type Framing } from '../../runtime/frame-splitter.js';
import { readEvent } from '../../runtime/items.js';
import { LINEAR, growthOf } from '../support/growth.js';

/** The contents of all items, and all bytes, when the text comes in pieces of this length. */
function split(framing: Framing, text: string, length: number): { contents: (string | undefined)[]; bytes: string } {
  const splitter = new FrameSplitter(framing, { boundary: 'b', maxBytes: 1_000 });
  const bytes = Buffer.from(text);
  const frames = [];
  for (let start = 0; start < bytes.length; start += length)
    frames.push(...splitter.push(bytes.subarray(start, start + length)));
  frames.push(...splitter.end());
  const contents = frames.map(({ content }) => (content === undefined ? undefined : Buffer.from(content).toString()));
  return { contents, bytes: Buffer.concat(frames.map((frame) => frame.bytes)).toString() };
}

/** By the examples of the HTML Living Standard, 9.2.6, and their odd neighbours. */
const EVENTS: readonly (readonly [string, string, string[]])[] = [
  ['one line', 'data: a\n\n', ['a']],
  ['several lines', 'data: YHOO\ndata: +2\ndata: 10\n\n', ['YHOO\n+2\n10']],
  ['CR and LF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
  ['CR as line end', 'data: a\r\rdata: b\r\r', ['a', 'b']],
  ['mixed ends', 'data: a\r\n\ndata: b\n\r\n', ['a', 'b']],
  ['comments and other fields', ': test\n\nevent: x\nid: 1\ndata: a\nretry: 5\n\n', ['a']],
  ['no space, two spaces, no colon', 'data:a\n\ndata:  b\n\ndata\n\n', ['a', ' b', '']],
  ['letters of several bytes', 'data: é😀\n\n', ['é😀']],
];

const OTHERS: readonly (readonly [Framing, string, (string | undefined)[]])[] = [
  ['json-lines', '1\n\n{"a":\t2}\r\n"é"', ['1', undefined, '{"a":\t2}', '"é"']],
  ['json-seq', '\u001e1\n\u001e{\n}\n\u001e"é"', ['1', '{\n}', '"é"']],
  [
    'multipart',
    '--b\r\n\r\none\r\n--b \r\nA: b\r\n\r\n\r\n--b--\r\n',
    [undefined, '\r\none', 'A: b\r\n\r\n', undefined],
  ],
  ['multipart', 'preamble\r\n--b\r\n\r\n--c\r\n--b--', [undefined, '\r\n--c', undefined]],
];

describe('the items of a stream', () => {
  test.each(EVENTS)('the items of a stream of events are split, however it is cut: %s', (_name, text, data) => {
    for (const length of [1, 2, 3, 5, 100]) {
      const { contents, bytes } = split('event-stream', text, length);
      expect(contents.flatMap((content) => readEvent(content ?? '')).map((event) => event.data)).toEqual(data);
      expect(bytes).toBe(text);
    }
  });

  test.each(OTHERS)('the items of a stream of %s are split, however it is cut: %j', (framing, text, wanted) => {
    for (const length of [1, 2, 3, 5, 100]) {
      const { contents, bytes } = split(framing, text, length);
      expect(contents.filter((content) => content !== undefined)).toEqual(wanted.filter((one) => one !== undefined));
      expect(bytes).toBe(text);
    }
  });

  test('line ends before an event are one frame, however many they are', () => {
    const [blank, ...events] = new FrameSplitter('event-stream').push(Buffer.from(`${'\r'.repeat(1_000)}data: 1\r\r`));
    expect([blank?.content, blank?.bytes.length, events.length]).toEqual([undefined, 1_000, 1]);
  });

  test('the items of a stream are not split any further after one that is longer than the limit', () => {
    const splitter = new FrameSplitter('event-stream', { maxBytes: 10 });
    expect(splitter.push(Buffer.from('data: a\n\ndata: '))).toHaveLength(1);
    expect(splitter.hasGivenUp).toBe(false);
    splitter.push(Buffer.from('123456'));
    expect(splitter.hasGivenUp).toBe(true);
    expect(Buffer.from(splitter.rest()).toString()).toBe('data: 123456');
  });

  test.each<Framing>(['event-stream', 'json-lines', 'json-seq', 'multipart'])(
    'of %s are split in linear time if they arrive byte by byte',
    async (framing) => {
      const split = (size: number): void => {
        const splitter = new FrameSplitter(framing, { boundary: 'b' });
        const chunk = new Uint8Array([0x5b]);
        for (let index = 0; index < size; index += 1) splitter.push(chunk);
      };
      expect(await growthOf(split, 20_000)).toBeLessThan(LINEAR);
    },
  );
});
