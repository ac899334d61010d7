import { describe, expect, onTestFinished, test } from 'vitest';

import { startMock } from '../../../server/start-mock.js';
import { documentWith, loadDocument } from '../../support/load-document.js';

const NUMBER_LIST = { type: 'array', items: { type: 'integer' } };

/** Responds to one GET, in process or over a socket, with a header `X-D`. */
async function getHeader(
  header: object,
  { over }: { readonly over: string },
): Promise<readonly [number, string | null]> {
  const responses = { 200: { description: 'ok', headers: { 'X-D': header } } };
  const api = await loadDocument(documentWith({ '/a': { get: { operationId: 'getA', responses } } }));
  const mock = await startMock(api, { seed: 1, ...(over === 'a socket' ? { port: 0 } : {}) });
  onTestFinished(() => mock.close());
  const send = over === 'a socket' ? fetch : mock.fetch;
  const response = await send(`${mock.url}/a`);
  await response.arrayBuffer();
  return [response.status, response.headers.get('x-d')];
}

describe.each(['a call in process', 'a socket'])('over %s', (over) => {
  test.each<[string, object, RegExp]>([
    ['a boolean', { schema: { type: 'boolean' } }, /^(true|false)$/],
    ['a duration', { schema: { type: 'string', format: 'duration' } }, /^P/],
    ['bytes', { schema: { type: 'string', format: 'byte' } }, /^[A-Za-z0-9+/]+=*$/],
    ['a text with a pattern', { schema: { type: 'string', pattern: String.raw`^v\d-[a-c]{3}$` } }, /^v\d-[a-c]{3}$/],
    ['an enum of numbers', { schema: { type: 'integer', enum: [7, 9] } }, /^[79]$/],
    ['a number with bounds', { schema: { type: 'number', exclusiveMinimum: 4.5, maximum: 5 } }, /^(4\.[5-9]\d*|5)$/],
    ['a list', { schema: { ...NUMBER_LIST, minItems: 3, maxItems: 3 } }, /^-?\d+,-?\d+,-?\d+$/],
    [
      'an object',
      { schema: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } }, maxProperties: 1 } },
      /^a,-?\d+$/,
    ],
    [
      'an exploded object',
      {
        explode: true,
        schema: { type: 'object', required: ['a'], properties: { a: { enum: ['x', 'y'] } }, maxProperties: 1 },
      },
      /^a=[xy]$/,
    ],
    [
      'JSON',
      {
        content: {
          'application/json': { schema: { type: 'object', required: ['n'], properties: { n: { const: 1 } } } },
        },
      },
      /^\{"n":1\}$/,
    ],
    ['one of two', { schema: { oneOf: [{ type: 'boolean' }, { const: 'auto' }] } }, /^(true|false|auto)$/],
    ['a number without bounds', { schema: { type: 'integer' } }, /^0$/],
    ['an example', { schema: { type: 'string' }, example: 'W/"1"' }, /^W\/"1"$/],
    ['an example that breaks the schema', { schema: { type: 'integer', minimum: 5 }, example: 'five' }, /^\d+$/],
  ])('a required header has a value that fits: %s', async (_, header, text) => {
    const [status, value] = await getHeader({ required: true, ...header }, { over });
    expect(status).toBe(200);
    expect(value).toMatch(text);
  });
});

test('an optional header is left out if no value fits it', async () => {
  const unwritable = { type: 'string', enum: ['日本', 'a\nb'] };
  expect(await getHeader({ schema: unwritable }, { over: 'a call in process' })).toEqual([200, null]);
});

test('a documented header whose name no header can have is left out', async () => {
  const headers = { 'X-Ev"il': { schema: { type: 'string' } }, 'X-D': { schema: { const: 'd' } } };
  const responses = { 200: { description: 'ok', headers } };
  const api = await loadDocument(documentWith({ '/a': { get: { operationId: 'getA', responses } } }));
  await using mock = await startMock(api, { seed: 1 });
  const response = await mock.fetch(`${mock.url}/a`);
  expect([response.status, response.headers.get('x-d')]).toEqual([200, 'd']);
});
