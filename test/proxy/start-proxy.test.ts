import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Duplex } from 'node:stream';

import { describe, expect, onTestFinished, test } from 'vitest';

import { connectMock, startMock, startProxy } from '../../entry/mock.js';
import { createSigningClient } from '../../generated/signing/index.js';
import { tempFolder } from '../support/temp-folder.js';
import { loadDocument } from '../support/load-document.js';
import { openSocketClient } from '../support/socket-client.js';
import { startWebSocketServer } from '../support/web-socket-server.js';
import {
  SHOP,
  respondWithJson,
  callsOf,
  loadShop,
  readAll,
  startServer,
  startShopProxy,
  talk,
} from './proxied-server.js';

describe('the API of a proxy', () => {
  test('the API of a proxy is a member of the options: a name, a loaded API, or a spec', async () => {
    const shop = await loadShop();
    const folder = tempFolder({ 'shop.json': JSON.stringify(SHOP) });
    for (const [target, title] of [
      [{ api: 'signing' }, 'Electronic Signing Case Service'],
      [{ api: shop }, shop.title],
      [{ spec: 'shop.json', cwd: folder }, shop.title],
    ] as const) {
      const proxy = await startProxy({ ...target, upstream: 'http://127.0.0.1:9' });
      onTestFinished(() => proxy.close());
      expect(proxy.api.title).toBe(title);
    }
  });

  test('the API of a proxy is required', async () => {
    await expect(startProxy({ upstream: 'http://127.0.0.1:9' })).rejects.toThrow('A proxy needs the name of an API');
  });
});

describe('what reaches the server', () => {
  test('the server gets headers unchanged, except hop-by-hop headers and those of a proxy', async () => {
    let raw: readonly string[] = [];
    const server = await startServer((incoming, response) => {
      raw = incoming.rawHeaders;
      response.end();
    });
    const proxy = await startShopProxy(server.url, { allowedHost: 'shop.example' });
    const head = [
      'GET /pets/1?a=%2F&b HTTP/1.1',
      'hOST: shop.example',
      'X-Twice: 1',
      'x-twice: 2',
      'X-Specmill-Sandbox: worker-1',
      'Accept-Encoding: gzip, zstd',
      'X-Mine: secret',
      'Keep-Alive: timeout=5',
      'Proxy-Connection: keep-alive',
      'Via: 1.0 other',
      'X-Forwarded-For: 10.0.0.1',
      'Connection: close, x-mine',
      '',
      '',
    ].join('\r\n');
    await talk(proxy.url, head);
    const via = raw.at(raw.indexOf('Via') + 1);
    expect(via).toMatch(/^1\.0 other, 1\.1 specmill-[0-9a-f]{8}$/);
    expect(raw).toEqual([
      ...['Host', new URL(server.url).host],
      ...['X-Twice', '1', 'x-twice', '2', 'X-Specmill-Sandbox', 'worker-1', 'Accept-Encoding', 'gzip, zstd'],
      ...['X-Forwarded-For', '10.0.0.1, 127.0.0.1', 'X-Forwarded-Host', 'shop.example', 'X-Forwarded-Proto', 'http'],
      ...['Via', via, 'Connection', 'keep-alive'],
    ]);
  });

  test('the server gets the path below the base path of the upstream', async () => {
    const seen: (string | undefined)[] = [];
    const server = await startServer((incoming, response) => {
      seen.push(incoming.url);
      response.end();
    });
    const proxy = await startShopProxy(`${server.url}/base/`);
    for (const target of ['/pets/1?a=b', '//x/../y', '/?'])
      await talk(proxy.url, `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(seen).toEqual(['/base/pets/1?a=b', '/base//x/../y', '/base/?']);
    expect((await callsOf(proxy, 3)).map(({ operationId }) => operationId)).toEqual(['getPet', undefined, undefined]);
  });

  test.each([
    { base: '/v1', target: '/v1/pets/1?a=b', sent: '/v1/pets/1?a=b' },
    { base: '/v1', target: '/pets/1', sent: '/v1/pets/1' },
    { base: '/shop/api/', target: '/v1/pets/1', sent: '/shop/api/pets/1' },
    { base: '/shop', target: '/v1/beta/pets/1', sent: '/shop/pets/1' },
    { base: '/v1', target: '/v1?a=b', sent: '/v1?a=b' },
    { base: '/v1', target: '/v11/pets', sent: '/v1/v11/pets' },
    { base: '', target: '/v1/pets/1', sent: '/v1/pets/1' },
  ])(
    'the base path of the upstream replaces that of the spec: $target becomes $sent behind "$base"',
    async ({ base, target, sent }) => {
      const seen: (string | undefined)[] = [];
      const server = await startServer((incoming, response) => {
        seen.push(incoming.url);
        response.end();
      });
      const servers = [{ url: 'https://shop.example/v1' }, { url: 'https://shop.example/v1/{stage}/' }].map((one) => ({
        ...one,
        variables: { stage: { default: 'beta' } },
      }));
      const proxy = await startProxy(await loadDocument({ ...SHOP, servers }), { upstream: server.url + base });
      onTestFinished(() => proxy.close());
      await talk(proxy.url, `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      expect(seen).toEqual([sent]);
    },
  );
});

test('redirects and cookies reach the client unchanged, hop-by-hop headers do not', async () => {
  const proxy = await startShopProxy((_request, response) =>
    response
      .writeHead(307, {
        location: 'http://elsewhere.example/pets',
        'set-cookie': ['a=1', 'b=2'],
        connection: 'close, x-hop',
        'x-hop': '1',
        'keep-alive': 'timeout=9',
        date: 'Thu, 01 Jan 2026 00:00:00 GMT',
      })
      .end(),
  );
  const received = await fetch(`${proxy.url}/pets/1`, { redirect: 'manual' });
  expect([received.status, received.headers.get('location')]).toEqual([307, 'http://elsewhere.example/pets']);
  expect(received.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(received.headers.get('x-hop')).toBeNull();
  expect(received.headers.get('date')).toBe('Thu, 01 Jan 2026 00:00:00 GMT');
  expect(received.headers.get('via')).toMatch(/^1\.1 specmill-/);
});

describe('WebSockets', () => {
  test('WebSockets are passed through, checked before they open', async () => {
    await using server = await startWebSocketServer((message, socket) => socket.send(JSON.stringify({ got: message })));
    const proxy = await startShopProxy(server.url);
    const client = await openSocketClient(`${proxy.url}/socket?room=1`);
    if (typeof client === 'number') return expect.unreachable();
    client.send('{"n":1}');
    expect(await client.next()).toBe('{"got":{"n":1}}');
    client.close();
    expect(server.urls).toEqual(['/socket?room=1']);
    await openSocketClient(`${proxy.url}/socket`);
    const [first, second] = await callsOf(proxy, 2);
    expect(first).toMatchObject({ status: 101, operationId: 'openSocket', violations: [] });
    expect(second).toMatchObject({ status: 101, violations: [{ in: 'query', pointer: '/room' }] });
    return undefined;
  });

  test('clients get the refusal of a WebSocket by the server, and by the proxy with --errors', async () => {
    const server = await startServer((_request, response) => respondWithJson(response, {}, { status: 401 }));
    const proxy = await startShopProxy(server.url);
    expect(await openSocketClient(`${proxy.url}/socket?room=1`)).toBe(401);
    const strict = await startShopProxy(server.url, { errors: true });
    expect(await openSocketClient(`${strict.url}/socket`)).toBe(400);
    expect(await openSocketClient(`${strict.url}/other`)).toBe(404);
  });

  test('both sides of a WebSocket end together', async () => {
    const server = await startServer(() => undefined);
    const opened = once(server, 'upgrade');
    const proxy = await startShopProxy(server.url);
    const asked = request(`${proxy.url}/socket?room=1`, { headers: { connection: 'Upgrade', upgrade: 'websocket' } });
    asked.end();
    const [, serverSide] = (await opened) as [IncomingMessage, Duplex];
    serverSide.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nhello');
    const [, clientSide, head] = (await once(asked, 'upgrade')) as [IncomingMessage, Duplex, Buffer];
    const first = head.length > 0 ? head : ((await once(clientSide, 'data')) as [Buffer])[0];
    expect(String(first)).toBe('hello');
    clientSide.on('error', () => undefined);
    const ended = once(serverSide.resume(), 'end');
    clientSide.destroy();
    await ended;
  });
});

describe('the control interface', () => {
  test('the control interface serves health and journal with redacted credentials, to its own address only', async () => {
    const proxy = await startShopProxy((_request, response) =>
      respondWithJson(response, [], { headers: { 'x-total': '0' } }),
    );
    await fetch(`${proxy.url}/secret?key=s3cret`, { headers: { authorization: 'Bearer s3cret' } });
    await fetch(`${proxy.url}/pets`);
    await callsOf(proxy, 2);
    const control = connectMock(proxy.url);
    const calls = await control.requests({ violations: true });
    expect(calls).toMatchObject([
      { path: '/secret?key=REDACTED', request: { headers: { authorization: 'Bearer REDACTED' } } },
    ]);
    await control.requests.clear();
    expect(await control.requests()).toEqual([]);
    const health = await fetch(`${proxy.url}/__specmill/health`);
    expect(await health.json()).toMatchObject({ status: 'ok', title: 'Test' });
    const statuses = [];
    for (const [method, route, headers] of [
      ['GET', 'requests', { origin: 'http://evil.example' }],
      ['POST', 'requests', {}],
      ['POST', 'reset', {}],
      ['GET', 'requests?violations=x', {}],
    ] as const)
      statuses.push((await fetch(`${proxy.url}/__specmill/${route}`, { method, headers })).status);
    expect(statuses).toEqual([403, 405, 404, 422]);
  });

  test('the control interface of a proxy responds to HEAD, and lists the methods of a path in a 405', async () => {
    const proxy = await startShopProxy((_request, response) => respondWithJson(response, []));
    const head = await fetch(`${proxy.url}/__specmill/requests`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const method of ['PUT', 'OPTIONS']) {
      const refused = await fetch(`${proxy.url}/__specmill/requests`, { method });
      expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, DELETE, HEAD, OPTIONS']);
      expect(await refused.json()).toMatchObject({
        detail: `/__specmill/requests does not allow ${method}, only GET, DELETE, HEAD, OPTIONS.`,
      });
    }
  });
});

describe('in front of our own mocks', () => {
  test('valid calls to our mock have no violations, invalid ones have theirs, and sandboxes stay separate', async () => {
    const mock = await startMock('signing', { port: 0 });
    const proxy = await startProxy('signing', { upstream: mock.url });
    const client = createSigningClient({ baseUrl: proxy.url, credentials: { basic: { key: 'k', secret: 's' } } });
    const { data } = await client.createcase({
      body: {
        Name: 'Lease',
        Parties: [{ Name: 'Ingrid Holm', EmailAddress: 'ingrid@example.com' }],
        Documents: [{ Filename: 'lease.pdf', ContentType: 'application/pdf', Data: 'JVBERi0xLjQK' }],
        AllowedSignatureTypes: ['touch'],
      },
    });
    await client.getcase({ query: { id: data.Id } });
    await client.findcases({ query: { Take: 10 } });
    await callsOf(proxy, 3);
    expect(proxy.report()).toMatchObject({ calls: 3, violations: [], notes: [] });
    await expect(client.findcases({ query: { Take: 101 } })).rejects.toThrow('400');
    await callsOf(proxy, 4);
    expect(proxy.report().violations).toMatchObject([
      { direction: 'request', operationId: 'findcases', in: 'query', pointer: '/Take', message: 'must be <= 100' },
    ]);
    const authorization = `Basic ${btoa('k:s')}`;
    const other = await fetch(`${proxy.url}/api/v2/getcase?id=${data.Id}`, {
      headers: { authorization, 'x-specmill-sandbox': 'other' },
    });
    expect(other.status).toBe(404);
    await proxy.close();
    await mock.close();
  });

  test('a mock that breaks its spec causes violations', async () => {
    const mock = await startMock('signing', { port: 0 });
    const proxy = await startProxy('signing', { upstream: mock.url });
    await mock.faults.put([{ operationId: 'findcases', status: 200, body: { Status: 7 } }]);
    await fetch(`${proxy.url}/api/v2/findcases`, { headers: { authorization: `Basic ${btoa('k:s')}` } }).then(
      (received) => received.text(),
    );
    await callsOf(proxy);
    expect(proxy.report().violations.length).toBeGreaterThan(0);
    expect(proxy.report().violations[0]).toMatchObject({
      direction: 'response',
      operationId: 'findcases',
      status: 200,
    });
    await proxy.close();
    await mock.close();
  });
});

describe('the mock handles operations that the server does not implement', () => {
  test('the mock responds with state, and gets the body of the request', async () => {
    const proxy = await startShopProxy(
      async (incoming, response) => {
        if (incoming.url === '/pets/7') respondWithJson(response, { name: 'of the server' });
        else {
          await readAll(incoming);
          response.writeHead(501).end('not yet');
        }
      },
      { mockMissing: true },
    );
    const added = await fetch(`${proxy.url}/pets`, {
      method: 'POST',
      body: '{"name":"Rex"}',
      headers: { 'content-type': 'application/json' },
    });
    expect([added.status, await added.json()]).toMatchObject([201, { name: 'Rex' }]);
    expect(await (await fetch(`${proxy.url}/pets/7`)).json()).toEqual({ name: 'of the server' });
    const [entry] = await callsOf(proxy, 2);
    expect(entry).toMatchObject({
      status: 201,
      response: { body: { name: 'Rex' } },
      violations: [],
      notes: ['The server responded 501; the mock responded instead.'],
    });
  });

  test('the mock does not respond unless the option is set', async () => {
    const proxy = await startShopProxy((_request, response) => response.writeHead(501).end());
    expect((await fetch(`${proxy.url}/pets/1`)).status).toBe(501);
  });
});

describe('options', () => {
  test.each<[string, object, RegExp]>([
    ['no URL', { upstream: 'nonsense' }, /The upstream must be a URL such as/],
    ['another protocol', { upstream: 'ftp://x' }, /The upstream must be a URL such as/],
    ['a password', { upstream: 'http://a:b@x' }, /must not contain a user name or password/],
    ['a query', { upstream: 'http://x?a' }, /must not have a query/],
    ['a port', { upstream: 'http://x', port: 70_000 }, /The option port must be/],
    ['a timeout', { upstream: 'http://x', timeout: 'soon' }, /The option timeout must be a duration/],
  ])('invalid options are refused: %s', async (_name, options, message) => {
    await expect(startProxy(await loadShop(), options as { upstream: string })).rejects.toThrow(message);
  });
});

describe('where a proxy listens', () => {
  test('an address of another machine is refused with a sentence', async () => {
    const proxy = startProxy(await loadShop(), { upstream: 'http://127.0.0.1:9', host: '192.0.2.1' });
    await expect(proxy).rejects.toThrow(
      'The proxy cannot listen on port 0 of 192.0.2.1: this machine has no such address.',
    );
  });

  test('the control interface of proxy and mock accepts an absolute request target', async () => {
    const server = await startServer((_incoming, response) => void response.end());
    const proxy = await startShopProxy(server.url);
    await using mock = await startMock('dictionary', { port: 0 });
    for (const url of [proxy.url, mock.url]) {
      const target = `http://localhost/__specmill/requests?violations=true`;
      const response = await talk(url, `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      expect(response).toMatch(/^HTTP\/1\.1 200[^]*\[\]/);
    }
  });
});
