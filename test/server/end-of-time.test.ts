import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { expect, onTestFinished, test } from 'vitest';

import { type Mock, startMock } from '../../entry/mock.js';
import { documentWith, loadDocument } from '../support/load-document.js';
import { tempFolder } from '../support/temp-folder.js';

const NOTE = {
  type: 'object',
  required: ['id', 'createdAt'],
  properties: {
    id: { type: 'string', readOnly: true },
    text: { type: 'string' },
    createdAt: { type: 'string', format: 'date-time', readOnly: true },
    day: { type: 'string', format: 'date' },
  },
};
const content = { 'application/json': { schema: NOTE } };
const document = documentWith({
  '/notes': {
    get: {
      operationId: 'listNotes',
      responses: {
        200: {
          description: 'ok',
          headers: { 'Last-Modified': { schema: { type: 'string' } } },
          content: { 'application/json': { schema: { type: 'array', items: NOTE } } },
        },
      },
    },
    post: { operationId: 'addNote', requestBody: { content }, responses: { 201: { description: 'ok', content } } },
  },
});

async function serve(options: Parameters<typeof startMock>[1]): Promise<Mock> {
  const mock = await startMock(await loadDocument(document), { seed: 1, ...options });
  onTestFinished(() => mock.close());
  return mock;
}

const HEADERS = { 'content-type': 'application/json', 'x-vendor-api-key': 'key' };

async function send(
  mock: Pick<Mock, 'fetch' | 'url'>,
  method: string,
  target: string,
  body?: object,
): Promise<{ readonly status: number; readonly json: unknown }> {
  const init = { method, headers: HEADERS, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await mock.fetch(`${mock.url}${target}`, init);
  return { status: response.status, json: await response.json() };
}

const END = '9999-12-31T23:59:59.999Z';

test.each(['memory', 'directory'])('a clock stays at the end of the year 9999: state in %s', async (kind) => {
  const mock = await serve(kind === 'memory' ? {} : { state: path.join(tempFolder(), 'state') });
  for (const now of ['9999-12-31T23:59:59.990Z', '9999-12-31T23:59:59-23:59', '9999-12-31T23:59:60Z']) {
    expect((await send(mock, 'PUT', '/__specmill/clock', { now })).status).toBe(200);
    await wait(20);
    expect((await send(mock, 'GET', '/__specmill/clock')).json).toEqual({ now: END, frozen: false });
  }
  const added = await send(mock, 'POST', '/notes', { text: 'a' });
  expect(added).toEqual({ status: 201, json: expect.objectContaining({ createdAt: END }) });
  expect(await send(mock, 'GET', '/notes')).toEqual({ status: 200, json: [added.json] });
  expect((await send(mock, 'PUT', '/__specmill/clock', { advance: 'PT1S' })).status).toBe(422);
  const calls = (await send(mock, 'GET', '/__specmill/requests')).json as readonly { readonly at: string }[];
  expect(calls.map(({ at }) => at)).toEqual([END, END]);
  const { json } = await send(mock, 'GET', '/__specmill/state');
  expect(json).toMatchObject({ clock: { now: END } });
});

test('a clock does not go below the year 0', async () => {
  const mock = await serve({});
  const { status, json } = await send(mock, 'PUT', '/__specmill/clock', { now: '0000-01-01T00:00:00+23:59' });
  // The clock goes on from there.
  expect([status, json]).toEqual([200, { now: expect.stringMatching(/^0000-01-01T00:/), frozen: false }]);
});

test('cached content (generation) expires at a valid time, also after the year 9999 and in a leap second', async () => {
  await using mock = await startMock('generation', { seed: 1 });
  const contents = [{ role: 'user', parts: [{ text: 'x '.repeat(5_000) }] }];
  const create = (expiry: object): ReturnType<typeof send> =>
    send(mock, 'POST', '/v1beta/cachedContents', { model: 'models/gemini-2.5-flash', contents, ...expiry });
  const expectExpiry = (expireTime: string): object => ({ status: 200, json: expect.objectContaining({ expireTime }) });
  expect(await create({ expireTime: '2098-12-31T23:59:60Z' })).toEqual(expectExpiry('2099-01-01T00:00:00Z'));
  await send(mock, 'PUT', '/__specmill/clock', { now: '9999-12-31T23:59:59Z', frozen: true });
  expect(await create({ ttl: '3600s' })).toEqual(expectExpiry(END));
  expect(await create({ ttl: '999999999999s' })).toEqual(expectExpiry(END));
  expect((await send(mock, 'GET', '/v1beta/cachedContents')).status).toBe(200);
  const jobs = await send(mock, 'GET', '/__specmill/page/jobs.json');
  expect(jobs).toEqual({ status: 200, json: expect.arrayContaining([{ name: 'expire-cache', dueAt: END }]) });
});
