import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import type { HarEntry } from '../../http/har.js';
import { startProxy } from '../../entry/start-proxy.js';
import { tempFolder } from '../support/temp-folder.js';
import { respondWithJson, callsOf, loadShop, readAll, startServer, startShopProxy } from './proxied-server.js';

interface Har {
  readonly log: { readonly version: string; readonly creator: object; readonly entries: readonly HarEntry[] };
}

const readHar = (file: string): Har => JSON.parse(readFileSync(file, 'utf8')) as Har;
const PIXEL = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00]);

async function record(
  calls: (url: string) => Promise<void>,
  count: number,
): Promise<{ entries: readonly HarEntry[]; upstream: string }> {
  const file = path.join(tempFolder(), 'traffic.har');
  const server = await startServer(respond);
  const proxy = await startShopProxy(server.url, { record: file });
  await calls(proxy.url);
  await callsOf(proxy, count);
  await proxy.close();
  const { log } = readHar(file);
  expect(log).toMatchObject({ version: '1.2', creator: { name: 'specmill' } });
  expect(log.entries).toHaveLength(count);
  return { entries: log.entries, upstream: server.url };
}

const respond: Parameters<typeof startServer>[0] = async (incoming, response) => {
  await readAll(incoming);
  const { url = '' } = incoming;
  if (url.startsWith('/files')) {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': PIXEL.length }).end(PIXEL);
  } else if (url.startsWith('/secret')) {
    response.writeHead(302, { location: '/next?key=s3cret&x=1', 'set-cookie': ['a=s3cret', 'b=s3cret'] }).end();
  } else {
    const bytes = gzipSync(JSON.stringify({ name: 'Rex'.repeat(50) }));
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      'content-length': bytes.length,
    });
    response.end(bytes);
  }
};

describe('a recording', () => {
  test('a recording contains a call with its bodies, sizes and times', async () => {
    const { entries, upstream } = await record(async (url) => {
      await fetch(`${url}/pets/1?a=b&a=%20c`, { headers: { 'X-Odd': 'é' } }).then((one) => one.text());
    }, 1);
    const [entry] = entries;
    const text = JSON.stringify({ name: 'Rex'.repeat(50) });
    const bodySize = gzipSync(text).length;
    expect(entry).toMatchObject({
      request: {
        method: 'GET',
        url: `${upstream}/pets/1?a=b&a=%20c`,
        httpVersion: 'HTTP/1.1',
        queryString: [
          { name: 'a', value: 'b' },
          { name: 'a', value: ' c' },
        ],
        bodySize: 0,
      },
      response: {
        status: 200,
        statusText: 'OK',
        bodySize,
        content: { size: text.length, compression: text.length - bodySize, mimeType: 'application/json', text },
      },
      cache: {},
      _operationId: 'getPet',
    });
    expect(Date.parse(entry?.startedDateTime ?? '')).toBeGreaterThan(Date.now() - 60_000);
    const { connect, send, wait, receive } = entry?.timings ?? { connect: -1, send: -1, wait: -1, receive: -1 };
    expect(Math.min(connect, send, wait, receive)).toBeGreaterThanOrEqual(0);
    expect(entry?.time).toBeCloseTo(connect + send + wait + receive, 2);
    expect(entry?.request.postData).toBeUndefined();
  });

  test('a recording contains binary bodies in base64, in both directions', async () => {
    const { entries } = await record(async (url) => {
      await fetch(`${url}/files`, { method: 'PUT', body: PIXEL, headers: { 'content-type': 'image/png' } }).then(
        (one) => one.bytes(),
      );
    }, 1);
    const base64 = PIXEL.toString('base64');
    expect(entries[0]).toMatchObject({
      request: { bodySize: 6, postData: { mimeType: 'image/png', text: base64, _encoding: 'base64' } },
      response: { bodySize: 6, content: { size: 6, encoding: 'base64', text: base64 } },
    });
  });

  test('a recording contains no credentials', async () => {
    const { entries } = await record(async (url) => {
      const headers = { authorization: 'Bearer s3cret', cookie: 'c=s3cret', 'x-api-key': 's3cret' };
      await fetch(`${url}/secret?key=s3cret&x=1`, { headers, redirect: 'manual' }).then((one) => one.text());
    }, 1);
    expect(JSON.stringify(entries)).not.toContain('s3cret');
    expect(entries[0]?.request.url).toMatch(/\/secret\?key=REDACTED&x=1$/);
    expect(entries[0]?.request.headers).toContainEqual({ name: 'authorization', value: 'Bearer REDACTED' });
    expect(entries[0]?.response.redirectURL).toBe('/next?key=REDACTED&x=1');
    expect(entries[0]?.response.headers.filter(({ name }) => name === 'set-cookie')).toHaveLength(2);
  });

  test('a recording contains no credentials in bodies', async () => {
    const file = path.join(tempFolder(), 'traffic.har');
    const server = await startServer(async (incoming, response) => {
      await readAll(incoming);
      const body = JSON.stringify({ access_token: 's3cret', id: '9007199254740993' });
      response.writeHead(200, { 'content-type': 'application/json', link: '</a?key=s3cret>; rel="next"' }).end(body);
    });
    const proxy = await startShopProxy(server.url, { record: file });
    const form = new FormData();
    form.set('password', 's3cret');
    form.set('file', new Blob([PIXEL]), 'a.png');
    for (const body of [new URLSearchParams({ grant_type: 'password', password: 's3cret' }), form])
      await fetch(`${proxy.url}/token`, { method: 'POST', body }).then((one) => one.text());
    const journal = await callsOf(proxy, 2);
    await proxy.close();
    const { entries } = readHar(file).log;
    const texts = entries.map(({ request: { postData } }) =>
      postData?._encoding === 'base64' ? Buffer.from(postData.text, 'base64') : Buffer.from(postData?.text ?? ''),
    );
    expect(JSON.stringify([entries, journal]) + Buffer.concat(texts).toString('latin1')).not.toContain('s3cret');
    expect(entries[0]?.request.postData?.text).toBe('grant_type=password&password=REDACTED');
    expect(entries[0]?.response.content.text).toBe('{"access_token":"REDACTED","id":"9007199254740993"}');
    expect(texts[1]?.includes(PIXEL)).toBe(true);
  });

  test('a recording contains violations, and calls without a response', async () => {
    const file = path.join(tempFolder(), 'traffic.har');
    const proxy = await startShopProxy('http://127.0.0.1:9', { record: file });
    await fetch(`${proxy.url}/pets?limit=1000`);
    await callsOf(proxy);
    await proxy.close();
    expect(readHar(file).log.entries[0]).toMatchObject({
      response: { status: 0, content: { size: 0 } },
      comment: 'The server refuses connections.',
      _violations: [{ in: 'query', pointer: '/limit' }],
    });
  });

  test('a recording omits a body that is larger than the limit', async () => {
    const file = path.join(tempFolder(), 'traffic.har');
    const proxy = await startShopProxy((_request, response) => response.end(Buffer.alloc(5_000)), {
      record: file,
      maxBodyBytes: 1_000,
    });
    await fetch(`${proxy.url}/files`, { method: 'PUT' }).then((one) => one.arrayBuffer());
    await callsOf(proxy);
    await proxy.close();
    expect(readHar(file).log.entries[0]?.response.content).toEqual({
      size: 5_000,
      mimeType: '',
      comment: 'The body is larger than 1000 bytes.',
    });
  });
});

describe('the file of a recording', () => {
  test('the partial file of a recording is complete after each call, and an older recording stays until the end', async () => {
    const folder = tempFolder({ 'traffic.har': 'old' });
    const file = path.join(folder, 'traffic.har');
    const proxy = await startShopProxy((_request, response) => respondWithJson(response, { name: 'Rex' }), {
      record: file,
    });
    for (let count = 0; count <= 3; count += 1) {
      const partial = readdirSync(folder).find((name) => name.endsWith('.partial')) ?? '';
      expect(readHar(path.join(folder, partial)).log.entries).toHaveLength(count);
      expect(readFileSync(file, 'utf8')).toBe('old');
      await fetch(`${proxy.url}/pets/1`).then((one) => one.text());
      await callsOf(proxy, count + 1);
    }
    await proxy.close();
    expect(readdirSync(folder)).toEqual(['traffic.har']);
    expect(readHar(file).log.entries).toHaveLength(4);
  });

  test('the proxy does not start if the file of a recording cannot be written', async () => {
    const folder = tempFolder();
    mkdirSync(path.join(folder, 'taken'));
    const start = (record: string): Promise<unknown> =>
      loadShop().then((api) => startProxy(api, { upstream: 'http://127.0.0.1:9', record: path.join(folder, record) }));
    await expect(start('taken')).rejects.toThrow('The recording cannot be written: it is a folder.');
    await expect(start('none/traffic.har')).rejects.toThrow(
      'The recording cannot be written: its folder does not exist.',
    );
  });

  test('the proxy leaves no file of a recording if it does not start', async () => {
    const folder = tempFolder();
    const server = await startServer(() => undefined);
    const port = Number(new URL(server.url).port);
    const options = { upstream: server.url, port, record: path.join(folder, 'traffic.har') };
    await expect(startProxy(await loadShop(), options)).rejects.toThrow(`Port ${port} of 127.0.0.1 is taken`);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('the error names the partial file if a recording cannot be moved to its place', async () => {
    const folder = tempFolder();
    const file = path.join(folder, 'traffic.har');
    const proxy = await startProxy(await loadShop(), { upstream: 'http://127.0.0.1:9', record: file });
    mkdirSync(file);
    writeFileSync(path.join(file, 'x'), '');
    await expect(proxy.close()).rejects.toThrow(
      /^The recording cannot be written: .*\. The calls so far are in traffic\.har\.\d+\.partial\.$/,
    );
    expect(existsSync(file)).toBe(true);
  });
});
