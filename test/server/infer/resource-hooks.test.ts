import { expect, onTestFinished, test } from 'vitest';

import { HttpError } from '../../../http/http-error.js';
import { startMock } from '../../../server/start-mock.js';
import type { MockDefinition } from '../../../server/mock-definition.js';
import { defineMock } from '../../../server/define-mock.js';
import type { ResourceHooks } from '../../../server/resource-hooks.js';
import { documentWith, loadDocument } from '../../support/load-document.js';

interface Task {
  readonly id: string;
  readonly title: string;
  readonly total?: number;
  readonly secret?: string;
}

const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const ok = (schema: object): object => ({ description: 'ok', ...json(schema) });
const TASK = { $ref: '#/components/schemas/Task' };
const NONE = { description: 'none' };
const DOCUMENT = documentWith(
  {
    '/tasks': {
      get: {
        parameters: [{ name: 'page_size', in: 'query', schema: { type: 'integer' } }],
        responses: { 200: ok({ type: 'array', items: TASK }) },
      },
      post: { requestBody: json(TASK), responses: { 201: ok(TASK), 422: NONE } },
    },
    '/tasks/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: { responses: { 200: ok(TASK), 404: NONE } },
      patch: { requestBody: json(TASK), responses: { 200: ok(TASK), 404: NONE, 422: NONE } },
      delete: { responses: { 204: NONE, 404: NONE, 422: NONE } },
    },
  },
  {
    components: {
      schemas: {
        Task: {
          type: 'object',
          properties: {
            id: { type: 'string', readOnly: true },
            title: { type: 'string' },
            total: { type: 'integer' },
            secret: { type: 'string' },
          },
        },
      },
    },
  },
);

type Send = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ readonly status: number; readonly data: unknown }>;

async function serve(Task: ResourceHooks<Task>): Promise<Send> {
  const definition: MockDefinition = { resources: { Task } };
  const mock = await startMock(defineMock(await loadDocument(DOCUMENT), definition), { seed: 1 });
  onTestFinished(() => mock.close());
  return async (method, path, body) => {
    const sent =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const response = await mock.fetch(`http://mock${path}`, { method, ...sent });
    const text = await response.text();
    return { status: response.status, data: text === '' ? undefined : JSON.parse(text) };
  };
}

test('the hook validate refuses a write, and the item is unchanged', async () => {
  const send = await serve({
    validate: ({ kind, item }) => {
      if (kind === 'delete') throw new HttpError(422, 'Tasks are kept.');
      if (item.title === 'no') throw new HttpError(422, 'Not this title.');
    },
  });
  expect((await send('POST', '/tasks', { title: 'no' })).status).toBe(422);
  const { id } = (await send('POST', '/tasks', { title: 'yes' })).data as Task;
  expect((await send('PATCH', `/tasks/${id}`, { title: 'no' })).status).toBe(422);
  expect((await send('DELETE', `/tasks/${id}`)).status).toBe(422);
  expect((await send('GET', `/tasks/${id}`)).data).toEqual({ id, title: 'yes' });
});

test('the hook beforeWrite gets the stored item, and returns the item to store', async () => {
  const send = await serve({ beforeWrite: ({ item, before }) => ({ ...item, total: (before?.total ?? 0) + 1 }) });
  const { id } = (await send('POST', '/tasks', { title: 'one' })).data as Task;
  expect((await send('PATCH', `/tasks/${id}`, { title: 'two' })).data).toEqual({ id, title: 'two', total: 2 });
  expect((await send('GET', `/tasks/${id}`)).data).toEqual({ id, title: 'two', total: 2 });
});

test('the hook afterWrite is called once for each write', async () => {
  const writes: string[] = [];
  const send = await serve({
    afterWrite: ({ kind, before, item }) => void writes.push(`${kind} ${before?.title ?? '-'} ${item.title}`),
  });
  const { id } = (await send('POST', '/tasks', { title: 'one' })).data as Task;
  await send('PATCH', `/tasks/${id}`, { title: 'two' });
  await send('DELETE', `/tasks/${id}`);
  await send('DELETE', `/tasks/${id}`);
  expect(writes).toEqual(['create - one', 'patch one two', 'delete two two']);
});

test('an item that the hook isPresent hides is neither read nor listed nor changed', async () => {
  const send = await serve({ isPresent: ({ title }) => title !== 'gone' });
  const { id } = (await send('POST', '/tasks', { title: 'here' })).data as Task;
  await send('PATCH', `/tasks/${id}`, { title: 'gone' });
  expect((await send('GET', `/tasks/${id}`)).status).toBe(404);
  expect((await send('PATCH', `/tasks/${id}`, { title: 'back' })).status).toBe(404);
  expect((await send('GET', '/tasks')).data).toEqual([]);
});

test('the hook show changes an item in responses, but not in the state', async () => {
  const send = await serve({ show: ({ secret, ...item }) => ({ ...item, total: secret?.length ?? 0 }) });
  const { id } = (await send('POST', '/tasks', { title: 'one', secret: 'abc' })).data as Task;
  expect((await send('GET', `/tasks/${id}`)).data).toEqual({ id, title: 'one', total: 3 });
  expect((await send('GET', '/tasks')).data).toEqual([{ id, title: 'one', total: 3 }]);
});

test('the option page sets the size of pages and the order of lists', async () => {
  const send = await serve({ page: { defaultSize: 2, maxSize: 3, order: [{ path: 'title', descending: true }] } });
  for (const title of ['a', 'c', 'b', 'd']) await send('POST', '/tasks', { title });
  const titles = async (query: string): Promise<string[]> =>
    ((await send('GET', `/tasks${query}`)).data as Task[]).map(({ title }) => title);
  expect(await titles('')).toEqual(['d', 'c']);
  expect(await titles('?page_size=100')).toEqual(['d', 'c', 'b']);
  expect(await titles('?page_size=1')).toEqual(['d']);
});
