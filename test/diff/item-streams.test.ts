import { expect, it } from 'vitest';

import { selectOperations } from '../../config/select-operations.js';
import { diffApis } from '../../diff/index.js';
import type { Api } from '../../model/api.js';
import { documentWith, loadDocument } from '../support/load-document.js';

async function load(mediaType: string, media: object): Promise<Api> {
  const content = { [mediaType]: media };
  return loadDocument({
    ...documentWith(
      { '/a': { get: { operationId: 'a', responses: { 200: { description: 'ok', content } } } } },
      { components: { schemas: { Item: { type: 'object', properties: { n: { type: 'integer' } } } } } },
    ),
    openapi: '3.2.0',
  });
}

const NONE = { tags: [], paths: [], operations: [] };
const item = (n: object): object => ({ itemSchema: { type: 'object', properties: { n } } });

it.each(['application/jsonl', 'text/event-stream', 'application/json-seq'])(
  'a type that changes in the items of %s is breaking, at its place in itemSchema',
  async (mediaType) => {
    const { changes } = diffApis(
      await load(mediaType, item({ type: 'integer' })),
      await load(mediaType, item({ type: 'string' })),
    );
    expect(changes.map(({ kind, level }) => [kind, level])).toEqual([['type-changed', 'breaking']]);
    expect(changes[0]?.message).toContain('each item of');
    expect(changes[0]?.new?.pointer).toMatch(/itemSchema\/properties\/n/);
  },
);

it('keeps the schemas that only the items of a chosen operation use', async () => {
  const api = await load('application/jsonl', { itemSchema: { $ref: '#/components/schemas/Item' } });
  expect([...selectOperations(api, { include: { ...NONE, operations: ['a'] }, exclude: NONE }).schemas.keys()]).toEqual(
    ['Item'],
  );
});
