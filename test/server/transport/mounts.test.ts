import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';

import { connectMock, type MockOptions, startMock } from '../../../entry/mock.js';
import { loadDocument } from '../../support/load-document.js';
import { listOf, object, smallSpec, TEXT } from '../../support/small-spec.js';
import { tempFolder } from '../../support/temp-folder.js';

const CASE = object({ id: TEXT, title: TEXT }, ['id']);
const SPEC = smallSpec({
  'POST /cases createCase': { takes: object({ title: TEXT }), returns: CASE, status: 201, headers: { Location: TEXT } },
  'GET /cases listCases': {
    query: { offset: { type: 'integer' }, limit: { type: 'integer' } },
    returns: object({ data: listOf(CASE), next: { type: ['string', 'null'], format: 'uri' } }),
  },
  'GET /cases/{id} readCase': { returns: CASE },
});

async function start(options: MockOptions): Promise<Awaited<ReturnType<typeof startMock>>> {
  const mock = await startMock(await loadDocument(SPEC), options);
  onTestFinished(() => mock.close());
  return mock;
}

const TITLE = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"title":"a"}' };

describe('Mocks that share a port', () => {
  it('each get the requests below their path, and begin URLs with it', async () => {
    const one = await start({ port: 0, mount: '/signing', items: 3 });
    const other = await start({ port: Number(new URL(one.url).port), mount: '/signing/old/' });
    expect(other.url).toBe(`${one.url}/old`);
    const created = await fetch(`${one.url}/cases`, TITLE);
    expect(created.headers.get('location')).toMatch(/^\/signing\/cases\/./);
    expect((await fetch(new URL(created.headers.get('location') ?? '', one.url))).status).toBe(200);
    const page = (await (await fetch(`${one.url}/cases?limit=2`)).json()) as { data: object[]; next: string };
    expect(page.next).toMatch(new RegExp(`^${one.url}/cases\\?`));
    expect(await (await fetch(page.next)).json()).toMatchObject({ data: [{}, {}] });
    expect(await (await fetch(`${other.url}/cases`)).json()).toMatchObject({ data: [] });
    const unmounted = await fetch(new URL('/cases', one.url));
    expect([unmounted.status, await unmounted.text()]).toEqual([
      404,
      expect.stringContaining('/signing, /signing/old'),
    ]);
  });

  it('have control interfaces of their own, and a page whose files are below the path', async () => {
    const one = await start({ port: 0, mount: '/a' });
    const other = await start({ port: Number(new URL(one.url).port), mount: '/b' });
    await connectMock(other.url).data.put({ '/cases': [{ id: 'x' }] });
    expect([await one.data.get(), await other.data.get()]).toEqual([
      { '/cases': [] },
      { '/cases': [expect.objectContaining({ id: 'x' })] },
    ]);
    const opened = await fetch(other.url, { headers: { accept: 'text/html' } });
    expect([opened.url, opened.status]).toEqual([`${other.url}/__specmill/`, 200]);
    const source = /src="([^"]+)"/.exec(await opened.text())?.[1] ?? '';
    expect((await fetch(new URL(source, opened.url))).headers.get('content-type')).toContain('javascript');
  });

  it('refuse a path that is taken, and free the port with the last of them', async () => {
    const one = await start({ port: 0, mount: '/a' });
    const port = Number(new URL(one.url).port);
    await expect(start({ port, mount: '/a' })).rejects.toThrow('The path /a already serves another mock.');
    await one.close();
    const again = await start({ port });
    expect((await fetch(`${again.url}/cases`)).status).toBe(200);
  });

  it('take requests in process below the path only', async () => {
    const mock = await start({ mount: '/signing' });
    expect(mock.url).toMatch(/^http:\/\/[\w-]+\.mock\/signing$/);
    const created = await mock.fetch(`${mock.url}/cases`, TITLE);
    expect(created.headers.get('location')).toMatch(/^\/signing\/cases\/./);
    expect((await mock.fetch('http://any/cases')).status).toBe(404);
  });

  it.each(['signing', '/a//b', '/a/../b', '/__specmill', '=/x', 'a=b'])('refuse the path %s', async (mount) => {
    await expect(start({ mount })).rejects.toThrow('The option mount is written NAME=/PATH, such as signing=/signing');
  });

  it('refuse a list of paths without their own', async () => {
    await expect(start({ mount: ['signing=/s'] })).rejects.toThrow(
      'The option mount has no path for small: add small=/PATH.',
    );
  });
});

const GUIDE = path.join(import.meta.dirname, '../../../docs/deployment.md');

describe('HTTPS', () => {
  it('is served with the certificate that the line of the guide makes, and URLs say so', async () => {
    const folder = tempFolder({});
    const [, line = ''] = /^(openssl req .*)$/m.exec(readFileSync(GUIDE, 'utf8')) ?? [];
    await promisify(execFile)('openssl', line.split(' ').slice(1), { cwd: folder });
    const tls = { cwd: folder, tlsCert: 'cert.pem', tlsKey: 'key.pem' };
    const mock = await start({ ...tls, port: 0, mount: '/s', items: 3 });
    expect(mock.url).toMatch(/^https:/);
    const body = await new Promise<string>((resolve, reject) => {
      const ca = readFileSync(path.join(folder, 'cert.pem'));
      request(`${mock.url}/cases?limit=2`, { ca }, (response) => void text(response).then(resolve))
        .on('error', reject)
        .end();
    });
    expect((JSON.parse(body) as { next: string }).next).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/s\/cases\?/);
    await expect(start({ port: Number(new URL(mock.url).port), mount: '/t' })).rejects.toThrow(
      'share one server, so they have the same certificate or none',
    );
    await expect(start({ ...tls, tlsCert: 'none.pem' })).rejects.toThrow(
      'The certificate cannot be read: there is no such file.',
    );
    await expect(start({ ...tls, tlsKey: 'cert.pem' })).rejects.toThrow('The key cannot be used');
    await expect(start({ cwd: folder, tlsCert: 'cert.pem' })).rejects.toThrow(
      'The option tls-cert needs the key as well',
    );
  });

  it('serves live sessions over TLS below the path of a mount', async () => {
    const folder = tempFolder({});
    const [, line = ''] = /^(openssl req .*)$/m.exec(readFileSync(GUIDE, 'utf8')) ?? [];
    await promisify(execFile)('openssl', line.split(' ').slice(1), { cwd: folder });
    const tls = { cwd: folder, tlsCert: 'cert.pem', tlsKey: 'key.pem' };
    await using mock = await startMock('generation', { ...tls, port: 0, mount: '/gen' });
    const service = 'vendor.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent';
    const address = `${mock.url.replace('https:', 'wss:')}/ws/${service}?key=any`;
    const socket = new WebSocket(address, { ca: readFileSync(path.join(folder, 'cert.pem')) });
    await once(socket, 'open');
    socket.send(JSON.stringify({ setup: { model: 'models/sonata-2-live' } }));
    const [message] = (await once(socket, 'message')) as [Buffer];
    expect(JSON.parse(String(message))).toHaveProperty('setupComplete');
    socket.terminate();
  });
});
