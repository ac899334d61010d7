import { expect, test } from 'vitest';

import { ByteCollector } from '../../../http/wire/byte-collector.js';

const SIZES: Readonly<Record<string, readonly number[]>> = {
  'no chunk': [],
  'empty chunks': [0, 0, 0],
  'one chunk': [70_000],
  'single bytes': Array.from({ length: 50_000 }, () => 1),
  'single bytes after large chunks': Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? 1_024 : 1)),
  'chunks that do not fill a block': Array.from({ length: 100 }, () => 1_000),
};

test.each(Object.entries(SIZES))('the bytes of %s are kept in order, in few parts', (_name, sizes) => {
  let next = 0;
  const chunks = sizes.map((size) => Buffer.from(Array.from({ length: size }, () => (next += 1) % 251)));
  const collector = new ByteCollector();
  for (const chunk of chunks) collector.add(chunk);
  const all = Buffer.concat(chunks);
  const parts = collector.parts();
  expect(parts.length).toBeLessThanOrEqual(1 + all.length / 500);
  expect(collector.size).toBe(all.length);
  expect(Buffer.compare(collector.joined(), all)).toBe(0);
  collector.add(Buffer.from('x'));
  expect(Buffer.compare(collector.joined(), Buffer.concat([all, Buffer.from('x')]))).toBe(0);
});
