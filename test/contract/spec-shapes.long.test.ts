import { expect, test } from 'vitest';

import { isComparable, isServerTime } from '../../contract/checks/is-comparable.js';
import { runContract } from '../../entry/contract.js';
import { startMock } from '../../entry/mock.js';
import { documentWith, loadDocument } from '../support/load-document.js';

type Schema = Readonly<Record<string, unknown>>;

const json = (schema: Schema): object => ({ content: { 'application/json': { schema } } });
const ok = (schema: Schema): object => ({ description: 'ok', ...json(schema) });
const taking = (schema: Schema): object => ({ required: true, ...json(schema) });
const object = (properties: object, required = Object.keys(properties)): Schema => ({
  type: 'object',
  required,
  properties,
});
const idIn = (name: string, type = 'string'): object => ({ name, in: 'path', required: true, schema: { type } });

const TEXT = { type: 'string', minLength: 1 };
const GONE = { description: 'none' };
const KEY = object({ id: { type: 'integer', readOnly: true }, name: TEXT, place: object({ id: TEXT, name: TEXT }) });
const WRITTEN_KEY = object({ name: TEXT, place: TEXT });
const PACKAGE = object({ id: { type: 'string', readOnly: true }, provider: TEXT, checksum: TEXT });
const STATE = object({ state: { type: 'string', enum: ['on', 'off'] } });
const TAG = object({ id: { type: 'integer', readOnly: true }, name: TEXT });
const LIMITS = object({ daily: { type: 'integer', minimum: 1 }, label: TEXT });
const REPORT = object({ details: TEXT, rows: { type: 'array', items: TEXT }, place: object({ id: TEXT }) }, [
  'details',
]);
const VARIABLE = object({ uuid: { type: 'string' }, value: TEXT });
const USER = object({ id: { type: 'integer' }, visits: { type: 'integer' } });

const SHAPES: Readonly<Record<string, object>> = {
  'a creation that shows a job beside the item, both with an id': {
    '/keys': {
      get: { responses: { 200: ok(object({ keys: { type: 'array', items: KEY } })) } },
      post: {
        requestBody: taking(WRITTEN_KEY),
        responses: { 201: ok(object({ action: object({ id: { type: 'integer' }, command: TEXT }), key: KEY })) },
      },
    },
    '/keys/{id}': {
      parameters: [idIn('id', 'integer')],
      get: { responses: { 200: ok(object({ key: KEY })), 404: GONE } },
    },
  },
  'a creation that shows the item in a list, and a change of what items do not have': {
    '/packages': {
      get: { responses: { 200: ok({ type: 'array', items: PACKAGE }) } },
      post: {
        requestBody: taking(object({ provider: TEXT, checksum: TEXT })),
        responses: { 201: ok({ type: 'array', items: PACKAGE }) },
      },
    },
    '/packages/{id}': {
      parameters: [idIn('id')],
      get: { responses: { 200: ok(PACKAGE), 404: GONE } },
      patch: { requestBody: taking(STATE), responses: { 200: ok(STATE), 404: GONE } },
    },
  },
  'paths that end in .json, with numbers as ids': {
    '/tags.json': {
      get: { responses: { 200: ok(object({ tag_list: { type: 'array', items: TAG } })) } },
      post: { requestBody: taking(object({ name: TEXT })), responses: { 200: ok(object({ tag: TAG })) } },
    },
    '/tags/{id}.json': {
      parameters: [idIn('id')],
      get: { responses: { 200: ok(object({ tag: TAG })), 404: GONE } },
      put: { requestBody: taking(object({ name: TEXT })), responses: { 200: ok(object({ tag: TAG })), 404: GONE } },
    },
  },
  'settings in an envelope': {
    '/limits': {
      get: { responses: { 200: ok(object({ code: { type: 'integer' }, result: LIMITS })) } },
      put: {
        requestBody: taking(LIMITS),
        responses: { 200: ok(object({ code: { type: 'integer' }, result: LIMITS })) },
      },
    },
  },
  'a change of what cannot be read': {
    '/commits/{commit}/report': {
      parameters: [idIn('commit')],
      put: { requestBody: taking(REPORT), responses: { 200: ok(object({ report: REPORT })) } },
    },
  },
  'an id that bodies repeat, and a list that refuses no cursor': {
    '/variables': {
      get: {
        parameters: [{ name: 'after', in: 'query', schema: { type: 'string' } }],
        responses: { 200: ok({ type: 'array', items: VARIABLE }), 403: GONE },
      },
      post: { requestBody: taking(VARIABLE), responses: { 201: ok(VARIABLE) } },
    },
    '/variables/{variable_uuid}': {
      parameters: [idIn('variable_uuid')],
      get: { responses: { 200: ok(VARIABLE), 404: GONE } },
      put: { requestBody: taking(VARIABLE), responses: { 200: ok(VARIABLE), 404: GONE } },
    },
  },
  'a switch for the direction of an order': {
    '/users': {
      get: {
        parameters: [
          { name: 'order', in: 'query', schema: { type: 'string', enum: ['visits'] } },
          { name: 'asc', in: 'query', schema: { type: 'string', enum: ['true'] } },
        ],
        responses: { 200: ok({ type: 'array', items: USER }) },
      },
    },
  },
  'lists of at least seven items': {
    '/routes': {
      post: {
        requestBody: taking(object({ stops: { type: 'array', minItems: 7, items: { type: 'integer' } } })),
        responses: { 204: GONE },
      },
    },
  },
  'failures whose form the spec does not describe': {
    '/photos/{id}': {
      parameters: [idIn('id', 'integer')],
      get: {
        responses: {
          200: { description: 'ok', content: { 'image/png': {} } },
          default: { description: 'failed', content: { 'image/png': { schema: object({ code: TEXT }) } } },
        },
      },
    },
    '/archives/{id}': {
      parameters: [idIn('id', 'integer')],
      get: { responses: { default: { description: 'done', content: { 'application/octet-stream': {} } } } },
    },
  },
};

test.each(Object.keys(SHAPES))('a contract run finds nothing in the mock of %s', async (shape) => {
  const api = await loadDocument(documentWith(SHAPES[shape] ?? {}));
  await using mock = await startMock(api, { seed: 1 });
  const report = await runContract({ api, url: 'http://mock.test', fetch: mock.fetch, seed: 1, maxExamples: 3 });
  expect(report.findings.map(({ check, operationId, curl }) => `${check} ${operationId}: ${curl}`)).toEqual([]);
});

test('sent and returned values are compared only if their schemas have the same form', async () => {
  const api = await loadDocument(documentWith({}));
  const place = { type: 'object', properties: { id: { type: 'string' } } } as const;
  expect(isComparable('berlin', { type: 'string' }, api)).toBe(true);
  expect(isComparable('berlin', place, api)).toBe(false);
  expect(isComparable(['berlin'], { type: 'array', items: place }, api)).toBe(false);
  expect(isComparable([{ id: 'berlin' }], { type: 'array', items: place }, api)).toBe(true);
  expect(isComparable(null, place, api)).toBe(true);
  expect(isComparable(7, true, api)).toBe(true);
  expect(isServerTime('/meta/updated_on')).toBe(true);
  expect(isServerTime('created_on')).toBe(false);
});

test('a key that an operation without security requires as a parameter is sent', async () => {
  const key = { name: 'X-Key', in: 'header', required: true, schema: { type: 'string', minLength: 3 } };
  const open = { security: [], parameters: [key], responses: { 200: ok(object({ name: TEXT })) } };
  const securitySchemes = { key: { type: 'apiKey', in: 'header', name: 'X-Key' } };
  const api = await loadDocument(documentWith({ '/open': { get: open } }, { components: { securitySchemes } }));
  await using mock = await startMock(api, { seed: 1 });
  const report = await runContract({ api, url: 'http://mock.test', fetch: mock.fetch, seed: 1, maxExamples: 3 });
  expect(report.reach.succeeded).toHaveLength(1);
});
