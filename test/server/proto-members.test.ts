import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { defineMock } from '../../server/define-mock.js';
import { startMock } from '../../server/start-mock.js';
import type { Mock } from '../../server/start/mock.js';
import { documentWith, loadDocument } from '../support/load-document.js';

/** A member that reaches the prototype of who copies it by assignment. `JSON.parse` makes it an own one. */
const EVIL = '"__proto__":{"polluted":1}';
const NOTE = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', readOnly: true }, text: { type: 'string' } },
  additionalProperties: true,
};
const content = { 'application/json': { schema: NOTE } };
const note = { 200: { description: 'ok', content }, 404: { description: 'none' } };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const DOCUMENT = documentWith({
  '/notes': {
    get: {
      operationId: 'listNotes',
      responses: {
        200: { description: 'ok', content: { 'application/json': { schema: { type: 'array', items: NOTE } } } },
      },
    },
    post: { operationId: 'addNote', requestBody: { content }, responses: { 201: { description: 'ok', content } } },
  },
  '/notes/{id}': {
    get: { operationId: 'getNote', parameters: [id], responses: note },
    put: { operationId: 'putNote', parameters: [id], requestBody: { content }, responses: note },
    patch: { operationId: 'patchNote', parameters: [id], requestBody: { content }, responses: note },
  },
});

let mock: Mock;

beforeAll(async () => {
  mock = await startMock(
    defineMock(await loadDocument(DOCUMENT), {
      actions: { echo: { description: 'Gives what it got.', input: {}, run: (_context, input) => input } },
    }) as never,
  );
});
afterEach(() => mock.reset());
afterAll(() => mock.close());

async function call(method: string, target: string, body?: string): Promise<string> {
  const init = body === undefined ? { method } : { method, body, headers: { 'content-type': 'application/json' } };
  const response = await mock.fetch(mock.url + target, init);
  const text = await response.text();
  expect(`${method} ${target} ${response.status} ${text}`).toMatch(/ 20[0-4] /);
  return text;
}

async function addNote(): Promise<string> {
  const text = await call('POST', '/notes', `{"text":"a",${EVIL}}`);
  return (JSON.parse(text) as { id: string }).id;
}

describe('a member named __proto__ is data like any other', () => {
  test.each<[string, () => Promise<string>]>([
    ['in a created item', () => call('POST', '/notes', `{${EVIL}}`)],
    ['in an item that is read', async () => call('GET', `/notes/${await addNote()}`)],
    ['in a list', async () => (await addNote(), call('GET', '/notes'))],
    ['in a replaced item', async () => call('PUT', `/notes/${await addNote()}`, `{${EVIL}}`)],
    ['in a merged item', async () => call('PATCH', `/notes/${await addNote()}`, `{${EVIL}}`)],
    ['in the state', async () => (await addNote(), call('GET', '/__specmill/state'))],
    ['in a state that is put', () => putState(`{"collections":{"/notes":[{"id":"1","value":{"id":"1",${EVIL}}}]}}`)],
    ['in the body of a fault', () => putFault(`[{"operationId":"listNotes","body":{${EVIL}}}]`)],
    ['in the input of an action', () => call('POST', '/__specmill/actions/echo', `{${EVIL}}`)],
    ['in the journal', async () => (await addNote(), call('GET', '/__specmill/requests'))],
  ])('a member named __proto__ is data like any other: %s', async (_place, act) => {
    expect(await act()).toContain(EVIL);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  test('a collection named __proto__ is data like any other', async () => {
    const collections = `"__proto__":[{"id":"1","version":1,"value":1}]`;
    await call('PUT', '/__specmill/state', `{"collections":{${collections}},"accounts":{"__proto__":{}}}`);
    expect(await call('GET', '/__specmill/state')).toContain(collections);
  });
});

async function putState(text: string): Promise<string> {
  await call('PUT', '/__specmill/state', text);
  return (await call('GET', '/notes/1')) + (await call('GET', '/__specmill/state'));
}

async function putFault(text: string): Promise<string> {
  await call('PUT', '/__specmill/faults', text);
  return call('GET', '/notes');
}
