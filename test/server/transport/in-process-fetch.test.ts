import { setTimeout as wait } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { createFetch } from '../../../server/transport/in-process-fetch.js';
import type { MockResponse, MockRequest } from '../../../http/messages.js';
import type { Sandbox } from '../../../server/sandbox/sandbox.js';

/** The transport alone: whatever is called is what the test says. */
function transportTo(handle: (request: MockRequest) => Promise<MockResponse> | MockResponse): typeof fetch {
  return createFetch({ handle: async (request) => await handle(request), sandboxOf: () => ({}) as Sandbox });
}

async function show(request: MockRequest): Promise<MockResponse> {
  const body = Buffer.from(await request.bytes()).toString('latin1');
  return {
    status: 200,
    headers: {},
    body: { kind: 'json', value: { method: request.method, target: request.target, headers: request.headers, body } },
  };
}

describe('the in-process fetch', () => {
  const CALLS: readonly (readonly [string, Parameters<typeof fetch>, object])[] = [
    ['a text', ['http://m/a?b=1#c'], { method: 'GET', target: '/a?b=1', headers: { host: 'm' } }],
    ['a URL without a path', [new URL('http://m:80')], { target: '/' }],
    [
      'a method in lower case',
      ['http://m', { method: 'post', body: 'x' }],
      { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain;charset=UTF-8', 'content-length': '1' } },
    ],
    [
      'a Request',
      [new Request('http://m/r', { method: 'PUT', body: '{}', headers: { 'content-type': 'application/json' } })],
      { method: 'PUT', target: '/r', body: '{}', headers: { 'content-type': 'application/json' } },
    ],
    [
      'fields',
      ['http://m', { method: 'POST', body: new URLSearchParams({ a: 'b c' }) }],
      { body: 'a=b+c', headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' } },
    ],
    ['bytes', ['http://m', { method: 'POST', body: new Uint8Array([255]) }], { body: '\u00ff' }],
    ['what a URL must encode', ['http://m/ä b'], { target: '/%C3%A4%20b' }],
  ];
  test.each(CALLS)('the in-process fetch accepts %s', async (_name, args, wanted) => {
    expect(await (await transportTo(show)(...args)).json()).toMatchObject(wanted);
  });

  test('the in-process fetch sends a form with a file', async () => {
    const form = new FormData();
    form.set('file', new File(['abc'], 'a.txt'));
    const { headers, body } = (await (await transportTo(show)('http://m', { method: 'POST', body: form })).json()) as {
      headers: Record<string, string>;
      body: string;
    };
    expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(body).toContain('filename="a.txt"');
  });

  test('the in-process fetch returns several headers of one name', async () => {
    const response = await transportTo(() => ({ status: 200, headers: { 'set-cookie': ['a=1', 'b=2'] } }))('http://m');
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(response.url).toBe('http://m');
  });

  test('the in-process fetch follows redirects, unless the option forbids it', async () => {
    const transport = transportTo((request) =>
      request.target === '/a' ? { status: 303, headers: { location: '/b' } } : show(request),
    );
    const response = await transport('http://m/a', { method: 'POST', body: 'x' });
    expect(response.redirected).toBe(true);
    expect(await response.json()).toMatchObject({ method: 'GET', target: '/b', body: '' });
    expect((await transport('http://m/a', { redirect: 'manual' })).status).toBe(303);
    await expect(transport('http://m/a', { redirect: 'error' })).rejects.toThrow(TypeError);
    await expect(transportTo(() => ({ status: 302, headers: { location: '/again' } }))('http://m')).rejects.toThrow(
      'fetch failed',
    );
  });

  test('the in-process fetch rejects if it is aborted before, during or after the response starts', async () => {
    const never = transportTo(() => new Promise(() => undefined));
    await expect(never('http://m', { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
    await expect(never('http://m', { signal: AbortSignal.timeout(10) })).rejects.toThrow('timeout');
    const controller = new AbortController();
    const open = transportTo(() => ({ status: 200, headers: {}, body: { kind: 'stream', chunks: pauseAfterOne() } }));
    const response = await open('http://m', { signal: controller.signal });
    setTimeout(() => controller.abort(), 10);
    await expect(response.text()).rejects.toThrow('aborted');
  });

  test('the in-process fetch rejects like a closed connection for a fault that aborts', async () => {
    await expect(transportTo(() => ({ status: 500, headers: {}, abort: true }))('http://m')).rejects.toThrow(
      'fetch failed',
    );
  });

  test('the in-process fetch ends the source of a stream without a reader', async () => {
    let ended = false;
    async function* forever(): AsyncIterable<Uint8Array> {
      try {
        for (;;) yield new Uint8Array([1]);
      } finally {
        ended = true;
      }
    }
    const response = await transportTo(() => ({
      status: 200,
      headers: {},
      body: { kind: 'stream', chunks: forever() },
    }))('http://m');
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(ended).toBe(true);
  });
});

async function* pauseAfterOne(): AsyncIterable<Uint8Array> {
  yield new Uint8Array([1]);
  await new Promise(() => undefined);
}

test('many concurrent calls that listen for the end of their client cause no warning', async () => {
  const warnings: string[] = [];
  const onWarning = ({ message }: Error): void => void warnings.push(message);
  process.on('warning', onWarning);
  const fetch = transportTo(async ({ signal }) => {
    await wait(5, undefined, { signal });
    return { status: 204, headers: {} };
  });
  await Promise.all(Array.from({ length: 15 }, () => fetch('http://m/')));
  // Node reports a warning on a later turn.
  await wait(5);
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
});
