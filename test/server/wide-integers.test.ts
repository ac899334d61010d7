import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { type Mock, type MockOptions, connectMock, startMock, startProxy } from '../../entry/mock.js';
import { parseExactJson } from '../../runtime/json-integers.js';
import { loadFiles } from '../support/spec-folder.js';
import { type RedisServer, hasRedis, startRedis } from '../support/start-redis.js';
import { tempFolder } from '../support/temp-folder.js';

const ACCOUNT = {
  type: 'object',
  required: ['name'],
  properties: {
    id: { type: 'integer', format: 'int64' },
    name: { type: 'string' },
    owner: { type: 'integer', format: 'int64', minimum: 1 },
    balance: { type: 'integer', maximum: 100_000_000_000_000_000_000, multipleOf: 3 },
    counts: { type: 'array', items: { type: 'integer' }, uniqueItems: true },
    tier: { enum: [1, 4_611_686_018_427_387_904] },
    small: { type: 'integer', format: 'int32' },
    price: { type: 'number' },
  },
};
const account = { $ref: '#/components/schemas/Account' };
const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } };
const owner = { name: 'owner', in: 'query', schema: { type: 'integer', format: 'int64' } };
const SPEC = {
  openapi: '3.1.0',
  info: { title: 'Accounts', version: '1' },
  paths: {
    '/accounts': {
      get: {
        operationId: 'listAccounts',
        parameters: [owner],
        responses: { 200: { description: '', ...json({ type: 'array', items: account }) } },
      },
      post: {
        operationId: 'createAccount',
        requestBody: { required: true, ...json(account) },
        responses: { 201: { description: '', ...json(account) } },
      },
    },
    '/accounts/{id}': {
      parameters: [id],
      get: {
        operationId: 'getAccount',
        responses: { 200: { description: '', ...json(account) }, 404: { description: '' } },
      },
      put: {
        operationId: 'replaceAccount',
        requestBody: { required: true, ...json(account) },
        responses: { 200: { description: '', ...json(account) } },
      },
    },
  },
  components: { schemas: { Account: ACCOUNT } },
};

const WIDE = '9007199254740993';
const BODY = `{"id":${WIDE},"name":"a","owner":9223372036854775807,"counts":[${WIDE},9007199254740992],"price":${WIDE}}`;

async function start(options: MockOptions = {}): Promise<Mock & { readonly url: string }> {
  const mock = await startMock(await loadFiles({ 'accounts.json': SPEC }), { port: 0, ...options });
  onTestFinished(() => mock.close());
  return mock;
}

/** What a server on a socket responds: the status, and the text as it was sent. */
async function call(url: string, method: string, path: string, body?: string): Promise<readonly [number, string]> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}${path}`, { method, ...(body === undefined ? {} : { headers, body }) });
  return [response.status, await response.text()];
}

const post = (url: string, body: string): Promise<readonly [number, string]> => call(url, 'POST', '/accounts', body);

describe('integers beyond 2^53', () => {
  it('wide integers are returned with all digits by create, read, list, filter and replace', async () => {
    const { url } = await start();
    expect(await post(url, BODY)).toEqual([201, BODY]);
    expect(await call(url, 'GET', `/accounts/${WIDE}`)).toEqual([200, BODY]);
    expect((await call(url, 'GET', '/accounts/9007199254740992'))[0]).toBe(404);
    expect((await call(url, 'GET', '/accounts'))[1]).toContain(BODY);
    expect(await call(url, 'GET', '/accounts?owner=9223372036854775807')).toEqual([200, `[${BODY}]`]);
    expect(await call(url, 'GET', '/accounts?owner=9223372036854775806')).toEqual([200, '[]']);
    const changed = BODY.replace('"a"', '"b"');
    expect(await call(url, 'PUT', `/accounts/${WIDE}`, changed)).toEqual([200, changed]);
  });

  it.each([
    ['"small":9007199254740993', 400],
    ['"owner":9223372036854775808', 400],
    ['"owner":-9007199254740993', 400],
    ['"balance":9007199254740993', 201],
    ['"balance":9007199254740994', 400],
    ['"balance":300000000000000000000', 400],
    ['"tier":4611686018427387904', 201],
    ['"tier":4611686018427390000', 400],
    ['"counts":[9007199254740993,9007199254740993]', 400],
    ['"counts":[9007199254740993,"9007199254740993"]', 400],
    ['"name":9007199254740993', 400],
    [`"counts":[1${'0'.repeat(400)}]`, 201],
  ])('wide integers are checked exactly: %s gets %i', async (member, status) => {
    const { url } = await start();
    expect((await post(url, member.startsWith('"name"') ? `{${member}}` : `{"name":"a",${member}}`))[0]).toBe(status);
  });

  it('wide integers are refused as parameters out of range, with all digits in the message', async () => {
    const { url } = await start();
    const [status, text] = await call(url, 'GET', '/accounts/9223372036854775808');
    expect([status, text]).toEqual([400, expect.stringContaining('int64')]);
  });

  it('wide integers are exact in the journal and in a snapshot, over HTTP and in process', async () => {
    const mock = await start();
    await post(mock.url, BODY);
    const [, journal] = await call(mock.url, 'GET', '/__specmill/requests');
    expect(journal.split(BODY)).toHaveLength(3);
    const [, state] = await call(mock.url, 'GET', '/__specmill/state');
    expect(state).toContain(BODY);
    for (const handle of [mock, connectMock(mock.url)]) {
      const snapshot = await handle.state.get();
      const requests = await handle.requests();
      expect(requests.at(-1)?.response.body).toEqual(parseExactJson(BODY));
      await handle.reset();
      expect(await call(mock.url, 'GET', '/accounts?owner=9223372036854775807')).toEqual([200, '[]']);
      await handle.state.put(snapshot);
      expect(await call(mock.url, 'GET', `/accounts/${WIDE}`)).toEqual([200, BODY]);
    }
    expect((await call(mock.url, 'PUT', '/__specmill/state', state))[0]).toBe(204);
    expect(await call(mock.url, 'GET', `/accounts/${WIDE}`)).toEqual([200, BODY]);
  });

  it('wide integers pass the validating proxy, and are exact in its journal', async () => {
    const mock = await start();
    const proxy = await startProxy(await loadFiles({ 'accounts.json': SPEC }), { upstream: mock.url, port: 0 });
    onTestFinished(() => proxy.close());
    expect(await post(proxy.url, BODY)).toEqual([201, BODY]);
    const [entry] = await proxy.requests();
    expect([entry?.violations, entry?.response.body]).toEqual([[], parseExactJson(BODY)]);
  });

  it('a bigint in the body of a fault is sent with all digits', async () => {
    const mock = await start();
    await mock.faults.put([{ operationId: 'getAccount', status: 200, body: { name: 'a', id: 2n ** 53n + 1n } }]);
    expect(await call(mock.url, 'GET', '/accounts/1')).toEqual([200, `{"name":"a","id":${WIDE}}`]);
  });

  it('wide integers are kept by --state', async () => {
    const state = tempFolder();
    const first = await start({ state });
    await post(first.url, BODY);
    await first.close();
    const second = await start({ state });
    expect(await call(second.url, 'GET', `/accounts/${WIDE}`)).toEqual([200, BODY]);
  });

  describe.skipIf(!hasRedis)('with --store', () => {
    let redis: RedisServer;
    beforeAll(async () => {
      redis = await startRedis();
    });
    afterAll(() => redis[Symbol.asyncDispose]());

    it('wide integers and the journal are shared with other processes', async () => {
      const [one, other] = [await start({ store: redis.url }), await start({ store: redis.url })];
      await post(one.url, BODY);
      expect(await call(other.url, 'GET', `/accounts/${WIDE}`)).toEqual([200, BODY]);
      const entries = await other.requests();
      expect(entries[0]?.response.body).toEqual(parseExactJson(BODY));
    });
  });
});
