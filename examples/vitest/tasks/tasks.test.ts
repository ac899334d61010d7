import path from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

// In your own project: import { startMock, type Mock } from 'specmill/mock'.
import { type Mock, startMock } from '../../../entry/mock.js';
import { createTasksClient, isTasksError, type TasksClient } from './generated/client.js';

/** Without a port there is no socket: `fetch` of the mock works in this process. */
let mock: Mock;
beforeAll(async () => {
  mock = await startMock('tasks', { config: path.join(import.meta.dirname, 'specmill.config.ts') });
});
afterAll(() => mock.close());

/** Tests that run at the same time each have their own state. */
function openSandbox(name: string): TasksClient {
  return createTasksClient({ baseUrl: mock.url, fetch: mock.sandbox(name).fetch });
}

describe.concurrent('tasks', () => {
  test('a task is finished once', async ({ expect }) => {
    const client = openSandbox('finish');
    const { data: added } = await client.addTask({ body: { title: 'Water the plants' } });
    const { data: done } = await client.finishTask({ path: { id: added.id } });
    expect(done).toEqual({ ...added, state: 'done' });
    const refused = await client.finishTask({ path: { id: added.id } }).catch((error: unknown) => error);
    expect(isTasksError(refused, 'finishTask') && refused.status).toBe(409);
  });

  test('a list has the tasks of this test only', async ({ expect }) => {
    const client = openSandbox('list');
    await client.addTask({ body: { title: 'Water the plants' } });
    const { data: other } = await client.addTask({ body: { title: 'Feed the cat' } });
    await client.finishTask({ path: { id: other.id } });
    const { data: open } = await client.listTasks({ query: { state: 'open' } });
    expect(open.map(({ title }) => title)).toEqual(['Water the plants']);
  });
});

test('a request that breaks the spec is refused', async () => {
  const client = openSandbox('refuse');
  const refused = await client.addTask({ body: { title: '' } }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ status: 400 });
});
