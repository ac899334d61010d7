import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { InputError, type Mock, type MockOptions, startMock } from '../../entry/mock.js';
import { callsOf, loadShop, startServer, startShopProxy } from '../proxy/proxied-server.js';
import { runCaptured } from '../support/run-captured.js';
import { tempFolder } from '../support/temp-folder.js';

interface CallParts {
  readonly method?: string;
  readonly url: string;
  readonly post?: object;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly content?: object;
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** An entry of a HAR file, as a browser writes it. */
function entry({ method = 'GET', url, post, status = 200, headers = JSON_TYPE, content = {} }: CallParts): object {
  const list = Object.entries(headers).map(([name, value]) => ({ name, value }));
  return {
    request: { method, url, headers: [], ...(post === undefined ? {} : { postData: post }) },
    response: { status, headers: list, content: { mimeType: 'application/json', ...content } },
  };
}

const jsonBody = (value: unknown): object => ({ text: JSON.stringify(value) });
const postJson = (value: unknown): object => ({ mimeType: 'application/json', text: JSON.stringify(value) });

async function replayAll(entries: readonly object[], options: MockOptions = {}): Promise<Mock> {
  const file = path.join(tempFolder(), 'calls.har');
  writeFileSync(file, JSON.stringify({ log: { version: '1.2', entries } }));
  return startMock(await loadShop(), { replay: file, ...options });
}

const PETS = 'https://shop.example/pets';

describe('a mock that replays a recording', () => {
  test('a mock that replays a recording returns the recorded responses', async () => {
    const file = path.join(tempFolder(), 'traffic.har');
    const server = await startServer((_incoming, response) => {
      response.writeHead(200, { ...JSON_TYPE, etag: '"7"' }).end('{"name":"Rex","age":7}');
    });
    const proxy = await startShopProxy(server.url, { record: file });
    await (await fetch(`${proxy.url}/pets/a%20b`)).text();
    await callsOf(proxy, 1);
    await proxy.close();
    await using mock = await startMock(await loadShop(), { replay: file, port: 0 });
    expect(mock.files).toContain(file);
    for (const get of [fetch, mock.fetch]) {
      const response = await get(`${mock.url}/pets/a%20b`);
      expect([response.status, response.headers.get('etag'), await response.json()]).toEqual([
        ...[200, '"7"', { name: 'Rex', age: 7 }],
      ]);
    }
    expect((await mock.fetch(`${mock.url}/pets/other`)).status).toBe(404);
    expect((await mock.requests({ violations: true })).length).toBe(0);
  });

  test('a mock that replays a recording uses the first call with the same method, path, query and shape of body', async () => {
    const added = (name: string): object => ({ status: 201, content: jsonBody({ name }) });
    await using mock = await replayAll([
      entry({ url: `${PETS}/1`, content: jsonBody({ name: 'first' }) }),
      entry({ url: `${PETS}/1`, content: jsonBody({ name: 'second' }) }),
      entry({ url: `${PETS}/2?b=2&a=1`, content: jsonBody({ name: 'query' }) }),
      entry({ method: 'POST', url: PETS, post: postJson({ name: 'a' }), ...added('name alone') }),
      entry({ method: 'POST', url: PETS, post: postJson({ age: 5, name: 'a' }), ...added('with age') }),
      entry({ url: 'https://cdn.example/logo.png', content: jsonBody({}) }),
    ]);
    const get = async (target: string): Promise<unknown> =>
      ((await (await mock.fetch(mock.url + target)).json()) as { name: unknown }).name;
    expect(await get('/pets/1')).toBe('first');
    expect(await get('/pets/2?a=1&b=2')).toBe('query');
    const post = async (body: object): Promise<unknown> => {
      const init = { method: 'POST', body: JSON.stringify(body), headers: JSON_TYPE };
      return ((await (await mock.fetch(`${mock.url}/pets`, init)).json()) as { name: unknown }).name;
    };
    expect(await post({ name: 'other' })).toBe('name alone');
    expect(await post({ name: 'x', age: 99 })).toBe('with age');
    expect(await post({ name: 'x', owner: 'y' })).toBe('x');
    for (const target of ['/pets/2', '/pets/2?a=1&b=3', '/logo.png'])
      expect((await mock.fetch(mock.url + target)).status).toBe(404);
  });

  test('a mock that replays a recording reports in the journal how a response deviates from the spec', async () => {
    const entries = [
      entry({ url: `${PETS}/1`, content: jsonBody({ age: 'old' }) }),
      entry({ url: `${PETS}/2`, status: 418, content: jsonBody({}) }),
    ];
    await using mock = await replayAll(entries);
    const responses = await Promise.all([1, 2].map((id) => mock.fetch(`${mock.url}/pets/${id}`)));
    expect(responses.map(({ status }) => status)).toEqual([200, 418]);
    const [first, second] = await mock.requests({ violations: true });
    expect(first?.violations).toEqual([
      { in: 'response', pointer: '/body', message: "must have required property 'name' (replayed)" },
      { in: 'response', pointer: '/body/age', message: 'must be integer (replayed)' },
    ]);
    expect(second?.violations).toMatchObject([{ pointer: '/status' }]);
    await using unchecked = await replayAll(entries, { validate: 'off' });
    await unchecked.fetch(`${unchecked.url}/pets/1`);
    expect(await unchecked.requests({ violations: true })).toEqual([]);
  });

  test('faults and Prefer take precedence over a recording', async () => {
    await using mock = await replayAll([entry({ url: `${PETS}/1`, content: jsonBody({ name: 'recorded' }) })]);
    const preferred = await mock.fetch(`${mock.url}/pets/1`, { headers: { prefer: 'code=200' } });
    expect(await preferred.json()).not.toEqual({ name: 'recorded' });
    await mock.faults.put([{ status: 503, times: 1 }]);
    const statuses = [await mock.fetch(`${mock.url}/pets/1`), await mock.fetch(`${mock.url}/pets/1`)];
    expect(statuses.map(({ status }) => status)).toEqual([503, 200]);
  });

  test('a mock that replays a recording ignores credentials, because recordings have none', async () => {
    const secured = {
      openapi: '3.1.0',
      info: { title: 'Keys', version: '1' },
      security: [{ key: [] }],
      components: { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'key' } } },
      paths: { '/x': { get: { responses: { 200: { description: 'ok', content: { 'text/plain': {} } } } } } },
    };
    const har = (url: string): string =>
      JSON.stringify({
        log: { entries: [entry({ url, headers: { 'content-type': 'text/plain' }, content: { text: 'kept' } })] },
      });
    for (const key of ['REDACTED', 'mine']) {
      const folder = tempFolder({
        'api.json': JSON.stringify(secured),
        'calls.har': har(`https://a.example/x?key=${key}&q=1`),
      });
      await using mock = await startMock('keys', { spec: 'api.json', replay: 'calls.har', cwd: folder });
      expect(await (await mock.fetch(`${mock.url}/x?q=1&key=other`)).text()).toBe('kept');
    }
  });
});

describe('a hostile recording', () => {
  test('a hostile recording cannot change the framing of a response, or headers that the mock itself sets', async () => {
    const headers = {
      'Content-Type': 'application/json; charset=utf-16',
      ...{ 'Content-Length': '3', 'Transfer-Encoding': 'chunked', 'Content-Encoding': 'gzip', Connection: 'close' },
      ...{ 'Access-Control-Allow-Origin': '*', 'Strict-Transport-Security': 'max-age=1', ':status': '200', 'a b': 'x' },
      ...{ 'X-Split': 'a\r\nSet-Cookie: b=c', __proto__: 'x', Upgrade: 'h2c', Trailer: 'x', 'X-Kept': 'yes' },
      ...{ Host: 'evil.example', 'sl-violations': '[1]', 'X-Specmill-Sandbox': 'other' },
    };
    await using mock = await replayAll([entry({ url: `${PETS}/1`, headers, content: jsonBody({ name: 'é' }) })], {
      port: 0,
    });
    const response = await fetch(`${mock.url}/pets/1`);
    const body = Buffer.from(await response.arrayBuffer());
    expect(body.toString()).toBe('{"name":"é"}');
    expect(Object.fromEntries(response.headers)).toEqual({
      ...{ 'content-type': 'application/json; charset=utf-8', 'content-length': String(body.length) },
      ...{ connection: 'keep-alive', 'keep-alive': 'timeout=30', date: expect.any(String) as string },
      'x-kept': 'yes',
    });
  });

  test('a hostile recording may have a body where none may be, and a header of 20 MB', async () => {
    const entries = [204, 304, 200].map((status, index) =>
      entry({
        url: `${PETS}/${index}`,
        status,
        headers: status === 200 ? { ...JSON_TYPE, 'X-Long': 'a'.repeat(20_000_000) } : JSON_TYPE,
        content: jsonBody({ name: 'a' }),
      }),
    );
    await using mock = await replayAll(entries, { port: 0 });
    const received = await Promise.all(
      entries.map(async (_, index) => {
        const response = await fetch(`${mock.url}/pets/${index}`).catch(() => undefined);
        return response && [response.status, await response.text()];
      }),
    );
    // fetch takes no header of 20 MB.
    expect(received).toEqual([[204, ''], [304, ''], undefined]);
    expect((await fetch(`${mock.url}/__specmill/health`)).status).toBe(200);
  });

  test('invalid entries of a recording are ignored', async () => {
    await using mock = await replayAll(
      [
        ...[
          null,
          1,
          {},
          { request: {}, response: {} },
          { request: { method: 'GET', url: 'no url' }, response: { status: 200 } },
        ],
        ...[0, 101, 700, 1.5].map((status) => entry({ url: `${PETS}/1`, status })),
        {
          request: { method: 'GET', url: `${PETS}/2` },
          response: { status: 204, headers: [null, { name: 1 }], content: 5 },
        },
        entry({
          method: 'POST',
          url: PETS,
          post: { mimeType: 'application/json', text: '['.repeat(100_000) },
          status: 422,
        }),
      ].filter((one) => one !== null) as object[],
    );
    expect((await mock.fetch(`${mock.url}/pets/1`)).status).toBe(404);
    expect((await mock.fetch(`${mock.url}/pets/2`)).status).toBe(204);
  });

  test.each<[string, string, RegExp]>([
    ['does not exist', '', /calls\.har The recording cannot be read: there is no such file/],
    ['is not JSON', '{ "log": ', /calls\.har:1:\d+ The recording is not JSON/],
    ['is not HAR', '{"entries":[]}', /Not a HAR file: `log\.entries` is missing\./],
  ])('a recording is refused with one sentence if it %s', async (_name, text, sentence) => {
    const cwd = tempFolder(text === '' ? {} : { 'calls.har': text });
    await expect(startMock('tables', { replay: 'calls.har', cwd })).rejects.toThrow(InputError);
    const { status, err } = await runCaptured(cwd, 'mock', 'tables', '--port', '0', '--replay', 'calls.har');
    expect([status, err]).toEqual([2, expect.stringMatching(sentence)]);
  });

  test('a recording of another API gives a warning', async () => {
    const messages: string[] = [];
    await using mock = await replayAll([entry({ url: 'https://other.example/x' })], {
      onDiagnostic: ({ message }) => messages.push(message),
    });
    expect([messages, mock.url]).toEqual([
      [expect.stringMatching(/^None of the 1 recorded calls/)],
      expect.any(String),
    ]);
  });
});
