import { request } from 'node:http';
import { gzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { respondWithJson, callsOf, startShopProxy } from './proxied-server.js';

const JSON_TYPE = { 'content-type': 'application/json' };

function statusWithHost(url: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/pets/1`, { headers: { host } }, (incoming) => {
      incoming.resume();
      resolve(incoming.statusCode ?? 0);
    });
    sent.on('error', reject).end();
  });
}

describe('--errors refuses what cannot be checked', () => {
  test.each([
    [
      'a body with an unknown content encoding',
      { 'content-encoding': 'compressed-by-nobody' },
      Buffer.from('[1]'),
      415,
    ],
    ['a body with five content encodings', { 'content-encoding': 'gzip, gzip, gzip, gzip, gzip' }, gzipFive(), 415],
    ['a body that is larger than the limit of checks', {}, Buffer.from(`[1]${' '.repeat(2_000)}`), 413],
  ])('%s does not reach the server', async (_what, headers, body, status) => {
    let reached = 0;
    const proxy = await startShopProxy(
      (_request, response) => {
        reached += 1;
        respondWithJson(response, { name: 'Rex' }, { status: 201 });
      },
      { errors: true, maxBodyBytes: 1_000 },
    );
    const response = await fetch(`${proxy.url}/pets`, {
      method: 'POST',
      headers: { ...JSON_TYPE, ...headers },
      body: new Uint8Array(body),
    });
    expect([response.status, reached]).toEqual([status, 0]);
  });

  test.each([
    ['with an unknown content encoding', { 'content-encoding': 'compressed-by-nobody' }, { name: 1 }],
    ['that is larger than the limit of checks', {}, { name: 1, note: 'x'.repeat(2_000) }],
  ])('a response %s does not reach the client', async (_what, headers, body) => {
    const proxy = await startShopProxy((_request, response) => respondWithJson(response, body, { headers }), {
      errors: true,
      maxBodyBytes: 1_000,
    });
    expect((await fetch(`${proxy.url}/pets/1`)).status).toBe(502);
  });
});

function gzipFive(): Buffer {
  return [1, 2, 3, 4, 5].reduce((bytes) => gzipSync(bytes), Buffer.from('[1]'));
}

describe('the Host of a request', () => {
  test('a request is refused if its Host is not the address of the proxy, so that DNS rebinding reaches nothing', async () => {
    let reached = 0;
    const proxy = await startShopProxy(
      (_request, response) => {
        reached += 1;
        respondWithJson(response, { name: 'Rex' });
      },
      { allowedHost: 'proxy.test' },
    );
    const port = new URL(proxy.url).port;
    const hosts = [`rebind.evil.example:${port}`, `127.0.0.1:${port}`, `localhost:${port}`, `proxy.test:${port}`];
    const statuses = [];
    for (const host of hosts) statuses.push(await statusWithHost(proxy.url, host));
    expect([statuses, reached]).toEqual([[403, 200, 200, 200], 3]);
    expect((await callsOf(proxy, 4))[0]?.status).toBe(403);
  });
});
