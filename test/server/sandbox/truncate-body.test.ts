import { expect, test } from 'vitest';

import { cutBody } from '../../../http/journal/journal-limits.js';

const size = (bytes: number): object => ({ $bytes: { size: bytes } });

test.each<[string, unknown, unknown]>([
  ['JSON stays', { a: [1, null] }, { a: [1, null] }],
  ['bytes are their size', new Uint8Array(3), size(3)],
  ['so are those inside', { a: { b: new Uint8Array(2) }, c: 1 }, { a: { b: size(2) }, c: 1 }],
  ['and the files of a form', { file: new File(['abcd'], 'a.txt'), name: 'x' }, { file: size(4), name: 'x' }],
  ['a long text is cut', 'x'.repeat(70_000), 'x'.repeat(65_536)],
  ['long JSON is cut as text', ['x'.repeat(70_000)], `["${'x'.repeat(65_534)}`],
  ['beside bytes, too', [new Uint8Array(1), 'x'.repeat(70_000)], `[{"$bytes":{"size":1}},"${'x'.repeat(65_512)}`],
])('the journal truncates bodies: %s', (_rule, body, want) => {
  expect(cutBody(body)).toEqual(want);
});
