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
  'a changed type in the items of %s is breaking and has a position in itemSchema',
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

it.each<[string, object, object, string]>([
  [
    'itemEncoding',
    { itemEncoding: { contentType: 'application/json' } },
    { itemEncoding: { contentType: 'text/plain' } },
    'Each further part of the body is written as "text/plain", was "application/json"',
  ],
  [
    'prefixEncoding',
    { prefixEncoding: [{}, { contentType: 'multipart/mixed', itemEncoding: { contentType: 'image/png' } }] },
    { prefixEncoding: [{}, { contentType: 'multipart/mixed', itemEncoding: { contentType: 'image/gif' } }] },
    'Part 2 of the body is written as "multipart/mixed of image/gif", was "multipart/mixed of image/png"',
  ],
])('a change of %s of a part is breaking', async (member, old, next, message) => {
  const schema = { type: 'array', items: {} };
  const { changes } = diffApis(
    await load('multipart/mixed', { schema, ...old }),
    await load('multipart/mixed', { schema, ...next }),
  );
  expect(changes.map(({ kind, level }) => [kind, level])).toEqual([['encoding-changed', 'breaking']]);
  expect(changes[0]?.message).toContain(message);
  expect(changes[0]?.new?.pointer).toContain(member);
});

it('another default alternative of a discriminator is breaking', async () => {
  const kind = { type: 'string' };
  const withDefault = (defaultMapping: string): Promise<Api> =>
    loadDocument({
      ...documentWith(
        {
          '/a': {
            get: {
              operationId: 'a',
              responses: {
                200: {
                  description: 'ok',
                  content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
                },
              },
            },
          },
        },
        {
          components: {
            schemas: {
              Pet: {
                anyOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
                discriminator: { propertyName: 'kind', defaultMapping },
              },
              Cat: { type: 'object', properties: { kind, lives: { type: 'integer' } } },
              Dog: { type: 'object', properties: { kind, bark: { type: 'string' } } },
            },
          },
        },
      ),
      openapi: '3.2.0',
    });
  const { changes } = diffApis(await withDefault('Cat'), await withDefault('Dog'));
  expect(changes.map(({ kind: changed, level }) => [changed, level])).toEqual([['discriminator-changed', 'breaking']]);
  expect(changes[0]?.message).toContain('without a known value of "kind" is "Dog", was "Cat"');
});
