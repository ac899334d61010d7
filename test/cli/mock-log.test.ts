import { expect, it, onTestFinished } from 'vitest';

import { toJsonText } from '../../cli/io.js';
import { formatCall, formatCallAsJson, formatWork } from '../../cli/mock-log.js';
import { type MockCall, type MockWork, defineMock, startMock } from '../../entry/mock.js';
import { startEchoServer } from '../support/echo-server.js';
import { documentWith, loadDocument } from '../support/load-document.js';
import { tempFolder } from '../support/temp-folder.js';

const CALL: MockCall = {
  at: '2026-01-01T00:00:00.000Z',
  api: 'pets',
  sandbox: 'default',
  method: 'GET',
  path: '/pets/1',
  status: 200,
  durationMs: 3.4,
  violations: [],
};

it.each<[Partial<MockCall>, string]>([
  [{}, 'pets GET /pets/1 200 3 ms'],
  [{ sandbox: 'one', status: 0 }, 'pets GET /pets/1 aborted 3 ms [one]'],
  [
    { status: 400, violations: [1, 2].map((n) => ({ in: 'query', pointer: `/p${n}`, message: 'must be integer' })) },
    'pets GET /pets/1 400 3 ms  query/p1: must be integer (and 1 more)',
  ],
  [{ path: '/a\u001B[31m\u202Eb\u061C' }, 'pets GET /a\\u001b[31m\\u202eb\\u061c 200 3 ms'],
])('the log shows a call in one line: %j', (changes, line) => {
  expect(formatCall({ ...CALL, ...changes }, false).slice('00:00:00 '.length)).toBe(line);
});

it('the log colours the status only on a terminal', () => {
  expect(formatCall({ ...CALL, status: 404 }, true)).toContain('\u001B[33m404\u001B[0m');
});

it('the log shows the stack of a handler that threw, also as JSON in one line', () => {
  const error = new Error('broken');
  expect(formatCall({ ...CALL, error }, false).split('\n')[2]).toMatch(/^ +at .*mock-log\.test/);
  expect(JSON.parse(formatCallAsJson({ ...CALL, error }))).toMatchObject({ path: '/pets/1', error: error.stack });
  expect(formatCallAsJson({ ...CALL, error })).not.toContain('\n');
});

it('the log shows each call of every sandbox, and the journal has file and line of a bug', async () => {
  const operation = { operationId: 'getX', responses: { 200: { description: 'ok' } } };
  const api = await loadDocument(documentWith({ '/x': { get: operation } }));
  const calls: MockCall[] = [];
  const failing = defineMock(api, {
    operations: {
      getX: () => {
        throw new Error('broken');
      },
    },
  });
  const mock = await startMock(failing, { onCall: (call) => calls.push(call) });
  onTestFinished(() => mock.close());
  const response = await mock.sandbox('one').fetch(`${mock.url}/x?access_token=secret`);
  expect(await response.text()).not.toContain('mock-log.test');
  expect(calls).toMatchObject([
    { api: 'test', sandbox: 'one', path: '/x?access_token=REDACTED', status: 500, operationId: 'getX' },
  ]);
  expect([calls[0]?.error, typeof calls[0]?.durationMs]).toEqual([new Error('broken'), 'number']);
  const [entry] = await mock.sandbox('one').requests();
  expect(entry?.violations[0]?.message).toMatch(/broken \(.*mock-log\.test\.ts:\d+\)$/);
});

it.each([
  ['in memory', () => ({})],
  ['in a directory', () => ({ state: tempFolder() })],
])('a mock reports each job and each delivery of a callback, with its state %s', async (_name, options) => {
  const statuses = [500, 204];
  await using receiver = await startEchoServer((_request, response) =>
    response.writeHead(statuses.shift() ?? 204).end(),
  );
  const operation = { operationId: 'send', responses: { 204: { description: 'ok' } } };
  const api = await loadDocument(documentWith({ '/x': { post: operation } }));
  const work: MockWork[] = [];
  const sending = defineMock(api, {
    operations: {
      send: async (call) => {
        await call.clock.schedule({ id: 'one', name: 'tidy', dueAt: call.clock.now() + 500, payload: null });
        await call.sendCallback({ url: `${receiver.url}/hook?token=secret`, queue: 'q', body: {} });
        return call.respond(204, { kind: 'text', text: '' });
      },
    },
    jobs: { tidy: async () => {} },
  });
  const mock = await startMock(sending, { ...options(), onWork: (one) => work.push(one) });
  onTestFinished(() => mock.close());
  await mock.sandbox('one').clock.freeze();
  await mock.sandbox('one').fetch(`${mock.url}/x`, { method: 'POST' });
  await mock.sandbox('one').clock.advance('PT2S');
  const hook = `${receiver.url}/hook?token=REDACTED`;
  const lines = work.map((one) => formatWork(one).slice('00:00:00 '.length));
  expect(lines.toSorted()).toEqual([
    `test callback ${hook} delivered [one]`,
    `test callback ${hook} failed: The receiver responded with 500. The next attempt follows in 1 s. [one]`,
    'test job tidy done [one]',
  ]);
  expect(work.map((one) => JSON.parse(toJsonText(one)) as unknown)).toEqual(work);
});
