import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { runContract } from '../../entry/contract.js';
import { documentWith, loadDocument } from '../support/load-document.js';

const COLLECTIONS = 40;
/** The time that each response takes, in milliseconds. */
const RESPONSE_MS = 20;

const item = {
  type: 'object',
  required: ['name'],
  properties: { id: { type: 'string', readOnly: true }, name: { type: 'string', minLength: 1 } },
};
const json = (schema: object): object => ({ 'application/json': { schema } });
const withItem = (status: number): object => ({ [status]: { description: 'Done.', content: json(item) } });
const missing = { 404: { description: 'There is no such item.' } };
const body = { required: true, content: json(item) };

function collectionPaths(name: string): Record<string, object> {
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
  const list = { 200: { description: 'All.', content: json({ type: 'array', items: item }) } };
  return {
    // Deletions and reads stand first: the order of the document must not decide.
    [`/${name}/{id}`]: {
      parameters,
      delete: { operationId: `delete-${name}`, responses: { 204: { description: 'Deleted.' }, ...missing } },
      get: { operationId: `read-${name}`, responses: { ...withItem(200), ...missing } },
      put: { operationId: `replace-${name}`, requestBody: body, responses: { ...withItem(200), ...missing } },
    },
    [`/${name}`]: {
      get: { operationId: `list-${name}`, responses: list },
      post: { operationId: `create-${name}`, requestBody: body, responses: withItem(201) },
    },
  };
}

/** Serves collections of items. */
function createStore(): typeof fetch {
  const items = new Map<string, Map<string, object>>();
  return async (input, init) => {
    vi.setSystemTime(Date.now() + RESPONSE_MS);
    const [, name = '', id] = new URL(input instanceof Request ? input.url : input).pathname.split('/');
    const own = items.get(name) ?? new Map<string, object>();
    items.set(name, own);
    const sent = (): object => JSON.parse(typeof init?.body === 'string' ? init.body : '') as object;
    if (init?.method === 'POST') {
      const made = { ...sent(), id: `${name}-${own.size}` };
      own.set(made.id, made);
      return Response.json(made, { status: 201 });
    }
    if (id === undefined) return Response.json([...own.values()]);
    if (!own.has(id)) return new Response(null, { status: 404 });
    if (init?.method === 'DELETE') {
      own.delete(id);
      return new Response(null, { status: 204 });
    }
    if (init?.method === 'PUT') own.set(id, { ...sent(), id });
    return Response.json(own.get(id));
  };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

test('a run of five seconds has a success of each of 200 operations of a slow server', async () => {
  const names = Array.from({ length: COLLECTIONS }, (_, index) => `things${index}`);
  const api = await loadDocument(documentWith(Object.assign({}, ...names.map(collectionPaths)) as object));
  const report = await runContract({ api, url: 'http://store.mock', fetch: createStore(), maxTime: '5s', keep: true });
  expect(report.stopped).toBe('max-time');
  expect(report.operations).toBe(200);
  expect(report.requests).toBeLessThanOrEqual(5_000 / RESPONSE_MS);
  expect(report.reach).toEqual({
    succeeded: api.operations.map(({ id }) => id),
    refused: [],
    notSent: [],
    reasons: {},
  });
});
