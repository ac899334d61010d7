import { expect, onTestFinished, test } from 'vitest';

import { runContract } from '../../entry/contract.js';
import { startMock } from '../../server/start-mock.js';
import { documentWith, loadDocument } from '../support/load-document.js';

const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const ok = (content: object = {}): object => ({ 200: { description: 'ok', ...content } });
const text = { type: 'string' };
const object = (properties: object, required: readonly string[] = []): object => ({
  type: 'object',
  properties,
  required,
});
const uuid = { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } };
const thing = object({ id: text, label: text, kind: text }, ['id', 'label', 'kind']);
const list = { type: 'array', items: thing };
const query = (name: string, schema: object = text): object => ({ name, in: 'query', schema });
const binary = { type: 'string', format: 'binary' };
const files = object({ file: binary, files: { type: 'array', items: binary } }, ['file', 'files']);
const missing = { 404: { description: 'no' } };
const header = { 'X-Why': { required: true, schema: text } };

test.each<[string, object]>([
  [
    'a required list in a form',
    { '/a': { post: { requestBody: form('application/x-www-form-urlencoded'), responses: ok() } } },
  ],
  [
    'a required list of files',
    {
      '/a': {
        post: {
          requestBody: { required: true, content: { 'multipart/form-data': { schema: files } } },
          responses: ok(json(files)),
        },
      },
    },
  ],
  [
    'a GET with a required body',
    { '/a': { get: { requestBody: { required: true, ...json(thing) }, responses: ok(json(thing)) } } },
  ],
  [
    'a parameter whose example breaks its schema',
    {
      '/a': {
        get: { parameters: [{ ...query('f', object({ a: text })), required: true, example: 'x' }], responses: ok() },
      },
    },
  ],
  [
    'a parameter that is JSON in any media type',
    {
      '/a': {
        get: {
          parameters: [{ name: 'f', in: 'query', content: { '*/*': { schema: object({ a: text }) } } }],
          responses: ok(),
        },
      },
    },
  ],
  [
    'an item that only its id names',
    { '/a/{id}': { get: { parameters: [uuid], responses: { ...ok(json(thing)), ...missing } } } },
  ],
  [
    'filters of a list that nothing creates',
    { '/things': { get: { parameters: [query('search'), query('kind'), query('label')], responses: ok(json(list)) } } },
  ],
  [
    'a page number that is required',
    {
      '/things': {
        get: {
          parameters: [
            { ...query('page', { type: 'integer', minimum: 0 }), required: true },
            query('size', { type: 'integer' }),
          ],
          responses: ok(json(object({ totalElements: { type: 'integer' }, content: list }, ['content']))),
        },
        post: {
          requestBody: { required: true, ...json(thing) },
          responses: { 201: { description: 'ok', ...json(thing) } },
        },
      },
    },
  ],
  [
    'errors that are a text in any media type',
    {
      '/a': {
        post: {
          requestBody: { required: true, ...json(thing) },
          responses: { ...ok(json(thing)), 400: { description: 'no', content: { '*/*': { schema: text } } } },
        },
      },
    },
  ],
  [
    'errors that are a list, with a required header',
    {
      '/a': {
        get: {
          parameters: [{ ...query('type'), required: true }],
          responses: {
            ...ok(),
            default: { description: 'no', headers: header, ...json({ type: 'array', items: text }) },
          },
        },
      },
    },
  ],
])('a contract run finds nothing in the mock of %s', async (_what, paths) => {
  const api = await loadDocument(documentWith(paths));
  const mock = await startMock(api, { seed: 1 });
  onTestFinished(() => mock.close());
  const { findings, reach } = await runContract({
    ...{ api, url: 'http://mock.test', fetch: mock.fetch, seed: 1, maxExamples: 5, maxTime: '10s' },
  });
  expect(
    findings.filter(({ severity }) => severity !== 'note').map(({ check, message }) => `${check}: ${message}`),
  ).toEqual([]);
  expect(reach).toMatchObject({ refused: [], notSent: [] });
});

function form(mediaType: string): object {
  return {
    required: true,
    content: {
      [mediaType]: { schema: object({ id: text, phones: { type: 'array', items: text } }, ['id', 'phones']) },
    },
  };
}

test('a made-up list shows the items that a filter asks for', async () => {
  const paths = { '/things': { get: { parameters: [query('search'), query('kind')], responses: ok(json(list)) } } };
  const mock = await startMock(await loadDocument(documentWith(paths)), { seed: 1 });
  onTestFinished(() => mock.close());
  const read = async (target: string): Promise<{ kind: string }[]> =>
    (await (await mock.fetch(`http://mock/things${target}`)).json()) as { kind: string }[];
  const all = await read('');
  expect(await read(`?kind=${all[0]?.kind}`)).toEqual(all.filter(({ kind }) => kind === all[0]?.kind));
  expect(new Set((await read('?kind=books')).map(({ kind }) => kind))).toEqual(new Set(['books']));
  expect(await read('?search=qzx')).toEqual([]);
});
