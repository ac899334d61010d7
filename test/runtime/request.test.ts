import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { writeJson } from '../../runtime/serialize.js';
import type { CallOptions, ClientOptions, OperationData, RequestValues } from '../../runtime/context.js';
import { addCookies, type HeaderTarget } from '../../runtime/serialize.js';
import { encodeReservedInPath } from '../../runtime/serialize.js';
import { send } from '../../runtime/client.js';
import { writeDeepObject } from '../../runtime/serialize.js';
import { writeFormJoined } from '../../runtime/serialize.js';
import { writeMatrixExploded, writeSimpleExploded } from '../../runtime/serialize.js';
import { writeSimple } from '../../runtime/serialize.js';
import { type EchoServer, type ReceivedRequest, startEchoServer } from '../support/echo-server.js';

let server: EchoServer;
beforeAll(async () => {
  server = await startEchoServer();
});
afterAll(() => server[Symbol.asyncDispose]());

interface Sent {
  readonly operation?: Partial<OperationData>;
  readonly request?: RequestValues;
  readonly options?: CallOptions;
  readonly client?: Partial<ClientOptions<unknown>>;
}

async function sent({ operation, request, options, client }: Sent): Promise<ReceivedRequest> {
  await send({ baseUrl: server.url, ...client }, { name: 'test', path: '/x', ...operation }, { request, options });
  return server.last();
}

const writeReserved = (name: string, value: unknown): string => writeSimple(name, value, encodeReservedInPath);

describe('the address', () => {
  it.each([
    ['', '/x'],
    ['/', '/x'],
    ['/api/v2', '/api/v2/x'],
    ['/api/v2///', '/api/v2/x'],
  ])('a baseUrl ending in %j is joined with the path', async (end, wanted) => {
    expect((await sent({ client: { baseUrl: server.url + end } })).url).toBe(wanted);
  });

  it('a relative baseUrl is relative to the page of each call', async () => {
    try {
      for (const page of ['a', 'b']) {
        vi.stubGlobal('location', { href: `${server.url}/${page}/` });
        expect((await sent({ client: { baseUrl: 'api' } })).url).toBe(`/${page}/api/x`);
      }
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it('the baseUrl of the call takes precedence over that of the client', async () => {
    expect(
      (await sent({ client: { baseUrl: 'http://127.0.0.1:1' }, options: { baseUrl: `${server.url}/up` } })).url,
    ).toBe('/up/x');
  });

  it.each([
    ['nonsense', 'not an address'],
    ['/relative', 'not an address'],
    ['http://user:s3cret@host', 'credentials'],
    ['http://host/?key=s3cret', 'query'],
    ['http://host/#s3cret', 'fragment'],
  ])('refuses the baseUrl %s without showing it', async (baseUrl, reason) => {
    const error: unknown = await sent({ client: { baseUrl } }).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain(reason);
    expect(String(error)).not.toContain('s3cret');
  });

  it.each([
    ['a literal colon stays', '/models/{v}:generate', 'm/1:2', '/models/m%2F1%3A2:generate'],
    ['the rest of the segment stays', '/1-{v}.json', 'å b', '/1-%C3%A5%20b.json'],
    ['a list', '/x/{v}', ['a', 'b,c'], '/x/a,b%2Cc'],
    ['dots inside a segment', '/x/{v}', '..a', '/x/..a'],
    ['characters that have to be encoded', '/x/{v}', "*'!~", '/x/%2A%27%21~'],
  ])('a path parameter is written into the path: %s', async (_rule, path, v, wanted) => {
    expect((await sent({ operation: { path }, request: { path: { v } } })).url).toBe(wanted);
  });

  it.each([
    { path: '/x{v}', v: ['a', 'b'], write: writeMatrixExploded, wanted: '/x;v=a;v=b' },
    { path: '/files/{v}', v: 'a/b c?d', write: writeReserved, wanted: '/files/a/b%20c%3Fd' },
  ])('a path parameter is written in its style: $path', async ({ path, v, write, wanted }) => {
    expect((await sent({ operation: { path, pathWriters: { v: write } }, request: { path: { v } } })).url).toBe(wanted);
  });

  it('a path may have several parameters, one named like an inherited member of objects', async () => {
    const operation = { path: '/{constructor}-{b}' };
    expect((await sent({ operation, request: { path: { constructor: 'y', b: 1 } } })).url).toBe('/y-1');
  });

  it.each([
    ['no value', {}],
    ['an empty value, which would be another path', { v: '' }],
    ['a dot', { v: '.' }],
    ['two dots', { v: '..' }],
    ['null', { v: null }],
  ])('refuses %s in a path', async (_rule, path) => {
    const before = server.received.length;
    await expect(sent({ operation: { path: '/cases/{v}/parts' }, request: { path } })).rejects.toThrow(TypeError);
    expect(server.received.length).toBe(before);
  });

  it.each([
    ['dots through allowReserved', 'a/../../b'],
    ['dots that are encoded already', 'a/%2e%2E/b'],
  ])('refuses %s', async (_rule, path) => {
    const pathWriters = { path: writeReserved };
    await expect(
      sent({ operation: { path: '/files/{path}', pathWriters }, request: { path: { path } } }),
    ).rejects.toThrow("'.' or '..'");
  });
});

describe('the query', () => {
  it.each([
    ['nothing', {}, '/x'],
    ['left out members', { a: undefined, b: null }, '/x'],
    ['an empty text', { a: '' }, '/x?a='],
    ['single values', { a: 1, b: true, c: 'x y&z' }, '/x?a=1&b=true&c=x%20y%26z'],
    ['lists and own styles', { a: [1, 2], b: [1, 2], f: { k: 'v' } }, '/x?a=1&a=2&b=1,2&f%5Bk%5D=v'],
  ])('the query: %s', async (_rule, query, wanted) => {
    expect(
      (await sent({ operation: { queryWriters: { b: writeFormJoined, f: writeDeepObject } }, request: { query } })).url,
    ).toBe(wanted);
  });

  it('the query is added to one that the path has', async () => {
    expect((await sent({ operation: { path: '/x?action=y' }, request: { query: { a: 1 } } })).url).toBe(
      '/x?action=y&a=1',
    );
  });
});

describe('headers', () => {
  it('headers of the call override those of the values, and these those of the client', async () => {
    const { headers } = await sent({
      client: { headers: { 'x-a': 'client', 'X-B': 'client', 'x-none': undefined } },
      request: { headers: { 'X-B': 'value', 'X-C': [1, 2], 'X-D': undefined, 'X-O': { a: 1 } } },
      operation: { headerWriters: { 'X-O': writeSimpleExploded } },
      options: { headers: { 'X-C': 'call' } },
    });
    expect(headers).toMatchObject({ 'x-a': 'client', 'x-b': 'value', 'x-c': 'call', 'x-o': 'a=1' });
    expect(Object.keys(headers)).not.toContain('x-none');
    expect(Object.keys(headers)).not.toContain('x-d');
  });

  it('headers are not percent-encoded', async () => {
    expect((await sent({ request: { headers: { 'If-Match': '"a b/%"' } } })).headers['if-match']).toBe('"a b/%"');
  });

  it.each([
    ['JSON by default', undefined, 'application/json'],
    ['as the operation says', 'application/pdf, text/plain', 'application/pdf, text/plain'],
  ])('Accept: %s', async (_rule, accept, wanted) => {
    expect((await sent({ operation: accept === undefined ? {} : { accept } })).headers.accept).toBe(wanted);
  });

  it.each([
    ['a line break', 'a\r\nInjected: s3cret'],
    ['a line break at the end', 's3cret\n'],
    ['a zero', 's3cret\0'],
    ['a character beyond Latin-1', 's3cret 😀'],
  ])('refuses %s without showing the value', async (_rule, value) => {
    const places = [
      { client: { headers: { 'x-a': value } } },
      { request: { headers: { 'x-a': value } } },
      { options: { headers: { 'x-a': value } } },
    ];
    for (const place of places) {
      const error: unknown = await sent(place).catch((cause: unknown) => cause);
      expect(error).toBeInstanceOf(TypeError);
      expect(String(error)).toMatch(/x-a/);
      expect(String(error)).not.toContain('s3cret');
    }
  });

  it('a header that an object cannot have is refused', async () => {
    const headers = JSON.parse('{"__proto__": "a"}') as Record<string, string>;
    await expect(sent({ request: { headers } })).rejects.toThrow('The header __proto__');
  });

  it('cookies are joined, and encoded', async () => {
    const operation = {
      writeCookies: (headers: HeaderTarget, values: unknown) => addCookies(headers, values, { list: writeFormJoined }),
    };
    const { headers } = await sent({ operation, request: { cookies: { a: 'x;y', list: [1, 2], none: undefined } } });
    expect(headers.cookie).toBe('a=x%3By; list=1,2');
  });

  it('no Cookie header is sent without cookies', async () => {
    expect((await sent({ operation: { writeCookies: addCookies } })).headers.cookie).toBeUndefined();
  });
});

describe('the body', () => {
  it('the body is sent in the first media type, or in the one that the call names', async () => {
    const body = { 'application/json': writeJson, 'application/vnd.a+json; v=1': writeJson };
    const operation = { method: 'POST', body };
    expect((await sent({ operation, request: { body: { a: 1 } } })).headers['content-type']).toBe('application/json');
    expect(
      (await sent({ operation, request: { body: 1, contentType: 'application/vnd.a+json; v=1' } })).headers[
        'content-type'
      ],
    ).toBe('application/vnd.a+json; v=1');
    await expect(sent({ operation, request: { body: 1, contentType: 'text/plain' } })).rejects.toThrow(
      'test takes no body of type text/plain.',
    );
    await expect(sent({ operation, request: { body: 1, contentType: 'constructor' } })).rejects.toThrow(
      'takes no body',
    );
  });

  it('no body is sent if the call has none', async () => {
    const { headers, body } = await sent({
      operation: { method: 'POST', body: { 'application/json': writeJson } },
      request: {},
    });
    expect(headers['content-type']).toBeUndefined();
    expect(body.length).toBe(0);
  });

  it('the body null is sent as JSON', async () => {
    expect(
      String(
        (
          await sent({
            operation: { method: 'POST', body: { 'application/json': writeJson } },
            request: { body: null },
          })
        ).body,
      ),
    ).toBe('null');
  });
});
