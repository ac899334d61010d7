import { expect, onTestFinished, test } from 'vitest';

import { startMock } from '../../server/start-mock.js';
import { documentWith, loadDocument } from '../support/load-document.js';

/** The status of a made-up XML answer, which the mock reads back and checks. */
async function statusOf(schema: object, schemas: object = {}): Promise<number> {
  const responses = {
    200: { description: 'ok', content: { 'application/xml': { schema } } },
  };
  const document = documentWith({ '/report': { get: { responses } } }, { components: { schemas } });
  const mock = await startMock(await loadDocument(document), { seed: 1 });
  onTestFinished(() => mock.close());
  return (await mock.fetch('http://mock/report')).status;
}

const object = (properties: object, more: object = {}): object => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
  ...more,
});

test.each<[string, object, object?]>([
  [
    'a map of empty objects',
    object({
      rooms: {
        type: 'object',
        minProperties: 2,
        additionalProperties: { type: 'object' },
      },
    }),
  ],
  [
    'a map of objects with numbers',
    object({
      rooms: {
        type: 'object',
        minProperties: 1,
        additionalProperties: object({ floor: { type: 'integer' } }),
      },
    }),
  ],
  [
    'a map of objects that have such a map',
    object({ tree: { $ref: '#/components/schemas/Tree' } }),
    {
      Tree: object({ size: { type: 'integer' } }, { additionalProperties: { $ref: '#/components/schemas/Tree' } }),
    },
  ],
  [
    'a list of texts that have a member for an attribute',
    object({
      marks: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'string',
          ...omitType(object({ id: { type: 'integer' } })),
        },
      },
    }),
  ],
])('a mock answers with XML that it can read back: %s', async (_name, schema, schemas) => {
  expect(await statusOf(schema, schemas)).toBe(200);
});

/** The members of a schema whose author gave it another type. */
function omitType(schema: object): object {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== 'type'));
}
