import { setTimeout as wait } from 'node:timers/promises';

import { describe, expect, test, vi } from 'vitest';

import { respondWithJson, callsOf, readAll, startShopProxy, talk } from './proxied-server.js';

const JSON_TYPE = { 'content-type': 'application/json' };

describe('--errors refuses requests without sending them to the server', () => {
  const ROWS: readonly (readonly [string, string, RequestInit, number, string])[] = [
    ['a parameter', '/pets?limit=1000', {}, 400, '/limit'],
    ['a body', '/pets', { method: 'POST', body: '{}', headers: JSON_TYPE }, 422, ''],
    ['a body that is missing', '/pets', { method: 'POST' }, 422, ''],
    ['a body that is not JSON', '/pets', { method: 'POST', body: '{', headers: JSON_TYPE }, 422, ''],
    ['a media type', '/pets', { method: 'POST', body: 'x'.repeat(200_000) }, 415, '/content-type'],
    [
      'a broken encoding',
      '/pets',
      { method: 'POST', body: 'x', headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } },
      422,
      '/content-encoding',
    ],
    ['a credential', '/secret', {}, 401, ''],
  ];

  test.each(ROWS)(
    '--errors refuses requests without sending them to the server: %s',
    async (_name, target, init, status, pointer) => {
      const seen = vi.fn<() => void>();
      const proxy = await startShopProxy(seen, { errors: true });
      const received = await fetch(proxy.url + target, init);
      expect(received.status).toBe(status);
      const problem = (await received.json()) as { violations?: { pointer: string }[] };
      if (status !== 401) expect(problem.violations?.[0]?.pointer).toBe(pointer);
      expect(seen).not.toHaveBeenCalled();
      const [entry] = await callsOf(proxy);
      expect(entry).toMatchObject({ status, response: { body: problem } });
      expect(entry?.violations).toHaveLength(1);
    },
  );

  test('--errors refuses undocumented paths and methods, except a preflight', async () => {
    const proxy = await startShopProxy((_request, response) => response.end(), { errors: true });
    const statuses = [];
    for (const [method, target] of [
      ['GET', '/birds'],
      ['DELETE', '/pets'],
      ['GET', '/%zz'],
      ['OPTIONS', '/pets'],
    ])
      statuses.push((await fetch(proxy.url + target, { method: method ?? '' })).status);
    expect(statuses).toEqual([404, 405, 400, 200]);
  });

  test('a valid request passes with its body, and Expect: 100-continue is answered by the proxy', async () => {
    const proxy = await startShopProxy(
      async (incoming, response) =>
        respondWithJson(response, JSON.parse(String(await readAll(incoming))), { status: 201 }),
      { errors: true },
    );
    const head =
      'POST /pets HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 14\r\nExpect: 100-continue\r\n\r\n';
    const received = await talk(proxy.url, `${head}{"name":"Rex"}`);
    expect(received).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
    expect(received).toMatch(/\{"name":"Rex"\}$/);
  });

  test('--errors refuses a body beyond the limit, because it cannot be checked', async () => {
    let size = 0;
    const proxy = await startShopProxy(
      async (incoming, response) => {
        size = (await readAll(incoming)).length;
        respondWithJson(response, { name: 'Rex' }, { status: 201 });
      },
      { errors: true, maxBodyBytes: 1_000 },
    );
    for (const body of [new Blob(['x'.repeat(5_000)]), new Blob(['x'.repeat(5_000)]).stream()]) {
      const init = { method: 'POST', body, headers: JSON_TYPE, duplex: 'half' };
      expect((await fetch(`${proxy.url}/pets`, init as RequestInit)).status).toBe(413);
      expect(size).toBe(0);
    }
  });
});

describe('--errors turns responses that break the spec into 502', () => {
  test.each<[string, number, unknown, string]>([
    ['a status', 500, { name: 'Rex' }, '/status'],
    ['a body', 200, { name: 1 }, '/body/name'],
  ])('--errors turns responses that break the spec into 502: %s', async (_name, status, body, pointer) => {
    const proxy = await startShopProxy((_request, response) => respondWithJson(response, body, { status }), {
      errors: true,
    });
    const received = await fetch(`${proxy.url}/pets/1`);
    expect([received.status, received.headers.get('content-type')]).toEqual([502, 'application/problem+json']);
    expect(await received.json()).toMatchObject({
      title: 'Bad Gateway',
      detail: 'The response of the server does not match the specification.',
      violations: [{ in: 'response', pointer }],
    });
    expect((await callsOf(proxy))[0]).toMatchObject({ status: 502, violations: [{ pointer }] });
  });

  test('--errors turns a chunked response that breaks the spec, and a body where none is allowed, into 502', async () => {
    const proxy = await startShopProxy(
      (request, response) => {
        response.writeHead(200, JSON_TYPE).write('{"name"');
        setTimeout(() => response.end(request.url === '/pets/1' ? ':1}' : ':"Rex"}'), 20);
      },
      { errors: true },
    );
    expect((await fetch(`${proxy.url}/pets/1`)).status).toBe(502);
    expect((await fetch(`${proxy.url}/secret?key=1`)).status).toBe(502);
    expect(await (await fetch(`${proxy.url}/pets/2`)).json()).toEqual({ name: 'Rex' });
  });

  test('--errors ends a stream at the first event that breaks the spec, after passing the events before it', async () => {
    const proxy = await startShopProxy(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('data: {"name":"Rex"}\n\ndata: {"na');
        setTimeout(() => response.write('me":1}\n\ndata: {"name":"Tom"}\n\n'), 30);
      },
      { errors: true },
    );
    const received = await fetch(`${proxy.url}/events`);
    const reader = received.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe('data: {"name":"Rex"}\n\n');
    await expect(reader?.read()).rejects.toThrow('terminated');
    expect((await callsOf(proxy))[0]).toMatchObject({
      violations: [{ pointer: '/body/name' }],
      notes: expect.arrayContaining(['The stream was cut off at an item that does not match the specification.']),
    });
  });

  test('--errors passes bytes as they arrive', async () => {
    const proxy = await startShopProxy(
      async (_request, response) => {
        response.writeHead(200, { 'content-type': 'image/png' }).write('one');
        await wait(50);
        response.end('two');
      },
      { errors: true },
    );
    const received = await fetch(`${proxy.url}/files`, { method: 'PUT' });
    const reader = received.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe('one');
    expect((await reader?.read())?.value).toBe('two');
  });
});
