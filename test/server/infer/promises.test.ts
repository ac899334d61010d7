import { describe, expect, test } from 'vitest';

import { startMock } from '../../../entry/mock.js';
import { loadDocument } from '../../support/load-document.js';

type Json = Readonly<Record<string, unknown>>;

const TEXT: Json = { type: 'string' };
const object = (properties: Json, required: readonly string[] = []): Json => ({ type: 'object', required, properties });
const json = (schema: Json): Json => ({ content: { 'application/json': { schema } } });
const ok = (schema: Json): Json => ({ description: 'ok', ...json(schema) });
const none: Json = { description: 'none' };
const inPath = (name: string): Json => ({ name, in: 'path', required: true, schema: TEXT });

const COACH = object({ data: object({ id: TEXT, type: TEXT }) });
const BOAT = object({ id: { type: 'integer' }, plate: TEXT, relationships: object({ coach: COACH }) }, ['id']);

const DOCUMENT: Json = {
  openapi: '3.1.0',
  info: { title: 'Boats', version: '1' },
  paths: {
    '/boats': {
      get: {
        operationId: 'list',
        parameters: [{ name: 'filter[coach]', in: 'query', schema: TEXT }],
        responses: { 200: ok({ type: 'array', items: BOAT }) },
      },
      post: {
        operationId: 'create',
        requestBody: { required: true, ...json(object({ ...(BOAT['properties'] as Json) })) },
        responses: { 201: ok(BOAT), 409: { description: 'A boat with this plate already exists' } },
      },
    },
    '/boats/{boatId}': {
      parameters: [inPath('boatId')],
      get: { operationId: 'read', responses: { 200: ok(BOAT), 404: none } },
      delete: { operationId: 'delete', responses: { 204: none, 404: none } },
    },
    '/boats/{boatId}/labels/{label}': {
      parameters: [inPath('boatId'), inPath('label')],
      delete: { operationId: 'detach', responses: { 200: ok(object({ id: TEXT, text: TEXT }, ['id'])), 404: none } },
    },
  },
};

/** Sends requests to a new mock, as pairs of method and path with a body, and returns the responses. */
async function play(...requests: readonly (readonly [string, string, Json?])[]): Promise<[number, unknown][]> {
  await using mock = await startMock(await loadDocument(DOCUMENT));
  const found: [number, unknown][] = [];
  for (const [method, path, body] of requests) {
    const headers = { 'content-type': 'application/json' };
    const response = await mock.fetch(`http://mock.test${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    found.push([response.status, text === '' ? undefined : JSON.parse(text)]);
  }
  return found;
}

describe('what the map of an API promises', () => {
  test('a filter with the name of a relationship keeps the items that are related', async () => {
    const coached = (id: string): Json => ({ relationships: { coach: { data: { id, type: 'coach' } } } });
    const responses = await play(
      ['POST', '/boats', coached('anna')],
      ['POST', '/boats', coached('ben')],
      ['GET', '/boats?filter[coach]=ben'],
    );
    expect(responses.at(-1)).toEqual([200, [{ id: 2, ...coached('ben') }]]);
  });

  test('an operation without state refuses an outer item that does not exist', async () => {
    const responses = await play(
      ['POST', '/boats', {}],
      ['DELETE', '/boats/1/labels/red'],
      ['DELETE', '/boats/9/labels/red'],
    );
    expect(responses.map(([status]) => status)).toEqual([201, 200, 404]);
  });

  test('a value is refused with the documented 409 if its description calls the member unique and an item has it', async () => {
    const responses = await play(
      ['POST', '/boats', { plate: 'B 12' }],
      ['POST', '/boats', { plate: 'B 12' }],
      ['POST', '/boats', { plate: 'B 13' }],
      ['POST', '/boats', {}],
      ['POST', '/boats', {}],
    );
    expect(responses.map(([status]) => status)).toEqual([201, 409, 201, 201, 201]);
  });

  test('a number that a caller chose as an id is given to no other item, even after a deletion', async () => {
    const responses = await play(['POST', '/boats', { id: 3 }], ['DELETE', '/boats/3'], ['POST', '/boats', {}]);
    expect(responses.at(-1)).toEqual([201, { id: 4 }]);
  });
});
