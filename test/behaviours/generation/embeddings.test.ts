import { expect, test } from 'vitest';

import { call, type ErrorResponse, start } from './calls.js';

interface Embedding {
  readonly values: readonly number[];
}

const textOf = (text: string): object => ({ content: { parts: [{ text }] } });

function closeness(one: Embedding | undefined, other: Embedding | undefined): number {
  return (one?.values ?? []).reduce((sum, value, index) => sum + value * (other?.values[index] ?? 0), 0);
}

test('embeddings are repeatable, have length 1, and are closer the more words two texts share', async () => {
  await using mock = await start({});
  const texts = ['the ferry leaves at noon', 'when does the ferry leave', 'blue cheese on bread'];
  const requests = texts.map((text) => ({ model: 'models/sonata-embedding-1', ...textOf(text) }));
  const path = '/v1beta/models/sonata-embedding-1:batchEmbedContents';
  const { body } = await call<{ embeddings: Embedding[] }>(mock, 'POST', path, { requests });
  const [ferry, question, cheese] = body.embeddings;
  expect(ferry?.values).toHaveLength(768);
  expect(closeness(ferry, ferry)).toBeCloseTo(1, 5);
  expect(closeness(ferry, question)).toBeGreaterThan(closeness(ferry, cheese) + 0.1);
  const single = '/v1beta/models/text-embedding-9:embedContent';
  const again = await call<{ embedding: Embedding }>(mock, 'POST', single, textOf(texts[0] ?? ''));
  expect(again.body.embedding).toEqual(ferry);
  const short = await call<{ embedding: Embedding }>(mock, 'POST', single, { ...textOf('a'), outputDimensionality: 3 });
  expect(short.body.embedding.values).toHaveLength(3);
});

test.each([
  ['sonata-embedding-1:embedContent', { content: { parts: [] } }, '/content'],
  ['sonata-embedding-1:embedContent', { ...textOf('a'), model: 'models/sonata-2-pro' }, undefined],
  [
    'sonata-embedding-1:batchEmbedContents',
    { requests: [textOf('a'), { ...textOf('a'), model: 'models/other' }] },
    '/requests/1/model',
  ],
  ['sonata-embedding-1:batchEmbedContents', { requests: [] }, '/requests'],
  ['sonata-embedding-1:embedContent', { ...textOf('a'), outputDimensionality: 9999 }, '/outputDimensionality'],
  ['sonata-embedding-1:embedContent', textOf('word '.repeat(2_100)), undefined],
  ['sonata-embedding-1:generateContent', { contents: [{ parts: [{ text: 'a' }] }] }, undefined],
  ['sonata-2-flash:embedContent', textOf('a'), undefined],
])('%s refuses %j with 400', async (target, body, pointer) => {
  await using mock = await start({});
  const { status, body: sent } = await call<ErrorResponse>(mock, 'POST', `/v1beta/models/${target}`, body);
  expect([status, sent.error.violations?.[0]?.pointer]).toEqual([400, pointer]);
});
