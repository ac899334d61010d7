import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { loadApi } from '../../model/load-api.js';
import { nameOfSpec } from '../../model/document/address.js';
import { type EchoServer, startEchoServer } from '../support/echo-server.js';
import { loadFiles, specFolder } from '../support/spec-folder.js';

const SPEC = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: { '/items': { get: { operationId: 'listItems', responses: { 200: { description: 'OK' } } } } },
});

function specWithRef(ref: string): object {
  return {
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    paths: {},
    components: { schemas: { Item: { $ref: ref } } },
  };
}

/** A spec that refers to many documents. */
function wideSpec(count: number): object {
  const schemas = Array.from({ length: count }, (_, index) => [`S${index}`, { $ref: `/leaf/${index}#/a` }]);
  return { ...specWithRef('/leaf/0#/a'), components: { schemas: Object.fromEntries(schemas) } };
}

/** Sends a byte now and then. */
function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write(' '), 10);
  response.on('close', () => clearInterval(timer));
}

function sayForever(response: ServerResponse): void {
  while (!response.destroyed && response.write(Buffer.alloc(1_000_000, 32)));
  if (!response.destroyed) response.once('drain', () => sayForever(response));
}

let server: EchoServer;
let other: EchoServer;

beforeAll(async () => {
  other = await startEchoServer((request, response) => {
    response.end(request.url === '/schema.json' ? '{"type":"string"}' : SPEC);
  });
  server = await startEchoServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const hop = /^\/hops\/(\d+)$/.exec(pathname)?.[1];
    const link = /^\/chain\/(\d+)$/.exec(pathname)?.[1];
    if (hop === '0') response.end(SPEC);
    else if (link !== undefined)
      response.end(JSON.stringify(specWithRef(`/chain/${Number(link) + 1}#/components/schemas/Item`)));
    else if (hop !== undefined) response.writeHead(302, { location: `/hops/${Number(hop) - 1}` }).end();
    else if (pathname === '/wide') response.end(JSON.stringify(wideSpec(100)));
    else if (pathname.startsWith('/leaf/')) response.end('{"a":{"type":"string"}}');
    else if (pathname === '/to-drip') response.end(JSON.stringify(specWithRef('/drip')));
    else if (pathname === '/drip') drip(response);
    else if (pathname === '/endless') sayForever(response);
    else if (pathname === '/loop') response.writeHead(302, { location: '/loop' }).end();
    else if (pathname === '/to-file') response.writeHead(302, { location: 'file:///etc/hostname' }).end();
    else if (pathname === '/gzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(SPEC));
    else if (pathname === '/brotli')
      response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync(SPEC));
    else if (pathname === '/bomb')
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(65 * 1024 * 1024, 32)));
    else if (pathname === '/page')
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!DOCTYPE html><p>Log in</p>');
    else if (pathname === '/private')
      response.writeHead(request.headers.authorization === 'Bearer x' ? 200 : 401).end(SPEC);
    else if (pathname === '/elsewhere') response.writeHead(307, { location: `${other.url}/spec.json` }).end();
    else if (pathname === '/schema-elsewhere') response.writeHead(307, { location: `${other.url}/schema.json` }).end();
    else if (pathname === '/folder/spec.json') response.end(JSON.stringify(specWithRef('../schema.json')));
    else if (pathname === '/to-other.json') response.end(JSON.stringify(specWithRef(`${other.url}/schema.json`)));
    else if (pathname === '/to-file.json') response.end(JSON.stringify(specWithRef('file:///etc/hostname')));
    else if (pathname === '/moved-schema.json') response.end(JSON.stringify(specWithRef('/schema-elsewhere')));
    else if (pathname === '/schema.json')
      response.writeHead(request.headers.authorization === 'Bearer x' ? 200 : 403).end('{"type":"integer"}');
    else response.writeHead(404).end();
  });
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});

const messageOf = async (loading: Promise<unknown>): Promise<string> =>
  loading.then(
    () => 'no error',
    (error: unknown) => (error as Error).message,
  );

describe('a spec from a URL', () => {
  test.each(['/hops/0', '/hops/5', '/gzip', '/brotli', '/elsewhere'])(
    'a spec from a URL is read from %s',
    async (where) => {
      const api = await loadApi(server.url + where);
      expect(api.operations.map(({ id }) => id)).toEqual(['listItems']);
    },
  );

  test.each([
    ['/hops/6', 'redirects more than 5 times'],
    ['/page', 'responded with an HTML page'],
    ['/nothing', 'its server responded 404 Not Found'],
    ['/private', "its server responded 401 Unauthorized; send a credential with --header 'Name: value'"],
    ['/bomb', 'it is larger than 64 MiB'],
    ['/endless', 'it is larger than 64 MiB'],
    ['/loop', 'redirects more than 5 times'],
    ['/to-file', 'file: addresses are not fetched'],
  ])('a spec from a URL is refused in one sentence for %s', async (where, sentence) => {
    expect(await messageOf(loadApi(server.url + where))).toContain(sentence);
  });

  test('a spec from a URL is refused with a reason if no server listens', async () => {
    const gone = await startEchoServer();
    await gone[Symbol.asyncDispose]();
    expect(await messageOf(loadApi(`${gone.url}/spec.yaml`))).toContain('its server refuses connections');
  });

  test('the request for a spec sends the headers, and so do requests for references to the same origin', async () => {
    const headers = { authorization: 'Bearer x' };
    expect((await loadApi(`${server.url}/private`, { headers })).title).toBe('Shop');
    const api = await loadApi(`${server.url}/folder/spec.json`, { headers });
    expect(api.diagnostics).toEqual([]);
    expect([...api.schemas.values()].map(({ schema }) => schema)).toContainEqual({ type: 'integer' });
  });

  test('the request for a spec does not send its headers to another host after a redirect', async () => {
    await loadApi(`${server.url}/elsewhere`, { headers: { authorization: 'Bearer x', 'x-key': 'y' } });
    expect(other.last().headers['authorization']).toBeUndefined();
    expect(other.last().headers['x-key']).toBeUndefined();
  });

  test('relative references of a spec from a URL are resolved against its URL after redirects', async () => {
    expect((await loadApi(`${server.url}/elsewhere`)).files[0]?.path).toBe(`${other.url}/spec.json`);
  });

  test.each([
    ['/to-other.json', 'references to another host need --allow-remote'],
    ['/to-file.json', 'a spec from a URL cannot refer to files of this machine'],
  ])('a spec from a URL may refer only to its own origin: %s', async (where, reason) => {
    const { diagnostics } = await loadApi(server.url + where);
    expect(diagnostics.map(({ message }) => message).join()).toContain(reason);
  });

  test.each([
    [{ documents: 5 }, 'the spec has more than 5 documents'],
    [{ bytes: 2_000 }, 'the documents of the spec have more than 2000 bytes'],
    [{ time: 1 }, 'the documents of the spec were not read in 0.001 s'],
  ])('a chain of documents without end is read up to a limit: %o', async (specLimits, reason) => {
    const { diagnostics } = await loadApi(`${server.url}/chain/0`, { specLimits });
    expect(diagnostics.map(({ message }) => message).join()).toContain(reason);
  });

  test('no more documents than the limit are requested, although a spec names all at once', async () => {
    const asked = (): number => server.received.filter(({ url }) => url.startsWith('/leaf/')).length;
    const { diagnostics } = await loadApi(`${server.url}/wide`, { specLimits: { documents: 21 } });
    expect(asked()).toBe(20);
    expect(diagnostics).toHaveLength(80);
    await loadApi(`${server.url}/wide`);
    expect(asked()).toBe(120);
  });

  test('a document that takes long is given up when the time of all documents is over', async () => {
    const { diagnostics } = await loadApi(`${server.url}/to-drip`, { specLimits: { time: 300 } });
    expect(diagnostics.map(({ message }) => message).join()).toContain('were not read in 0.3 s');
  });

  test.each([
    ['another port', () => other.url],
    ['another name of this machine', () => server.url.replace('127.0.0.1', 'localhost')],
    ['no scheme', () => `//${new URL(other.url).host}`],
    ['user information', () => server.url.replace('//', '//127.0.0.1@').replace(/127\.0\.0\.1(?=:)/, 'localhost')],
    ['backslashes', () => `\\\\${new URL(other.url).host}`],
    ['data', () => 'data:application/json,{"type":"string"}'],
    ['another scheme', () => 'gopher://127.0.0.1'],
  ])('a spec from a URL requests nothing from an address with %s', async (_what, host) => {
    const before = other.received.length + server.received.length;
    const schema = { $ref: `${host()}/schema.json` };
    const text = { ...specWithRef(''), components: { schemas: { Item: schema } } };
    const hostile = await startEchoServer((_request, response) => response.end(JSON.stringify(text)));
    const { diagnostics } = await loadApi(`${hostile.url}/spec.json`);
    await hostile[Symbol.asyncDispose]();
    expect(diagnostics.map(({ code }) => code).join()).toMatch(/ref-(?:refused|unresolved)/);
    expect(other.received.length + server.received.length).toBe(before);
  });

  test('a spec from a URL may refer to another host with --allow-remote', async () => {
    const api = await loadApi(`${server.url}/to-other.json`, { allowRemote: true });
    expect(api.diagnostics).toEqual([]);
  });

  test('refuses a reference that is redirected to another host', async () => {
    const { diagnostics } = await loadApi(`${server.url}/moved-schema.json`, { allowRemote: true });
    expect(diagnostics.map(({ message }) => message).join()).toContain('its server redirects to another host');
  });
});

describe('references to files', () => {
  const files = {
    'apis/shop/spec.json': specWithRef('../common/Error.yaml'),
    'apis/common/Error.yaml': 'type: object\n',
    'outside.yaml': 'type: object\n',
  };

  test('references to files that leave the folder of the spec are refused, and the message names --root', async () => {
    const { diagnostics } = await loadFiles(files);
    expect(diagnostics.map(({ message }) => message).join()).toContain('--root DIR allows a folder above it');
  });

  test('references to files are followed below the root', async () => {
    const folder = specFolder(files);
    const api = await loadApi(path.join(folder, 'apis/shop/spec.json'), { root: path.join(folder, 'apis') });
    expect(api.diagnostics).toEqual([]);
  });

  test('references to files outside the root are refused, even through a symbolic link', async () => {
    const folder = specFolder({
      'apis/shop/spec.json': specWithRef('../link.yaml'),
      'outside.yaml': 'type: object\n',
      'apis/link.yaml': { link: '../outside.yaml' },
    });
    const api = await loadApi(path.join(folder, 'apis/shop/spec.json'), { root: path.join(folder, 'apis') });
    expect(api.diagnostics.map(({ code }) => code)).toEqual(['ref-refused']);
  });

  test.each(['file://server/share/x.yaml', '//server/share/x.yaml', String.raw`\\server\share\x.yaml`, 'C:/x.yaml'])(
    'references to a network share or a drive are refused: %s',
    async (ref) => {
      const { diagnostics } = await loadFiles({ 'spec.json': specWithRef(ref) });
      expect(diagnostics.map(({ code }) => code).join()).toMatch(/^ref-(?:refused|unresolved)$/);
    },
  );
});

describe('a document that is not a spec', () => {
  test.each([
    ['an empty file', '', 'the file is empty'],
    ['AsyncAPI', 'asyncapi: 3.0.0\n', 'It is an AsyncAPI document'],
    ['an overlay', 'overlay: 1.0.0\n', 'It is an OpenAPI Overlay'],
    ['another version', 'openapi: 4.0.0\n', 'Its version is OpenAPI "4.0.0"'],
  ])('the error for a document that is not a spec names its kind: %s', async (_, text, sentence) => {
    expect(await messageOf(loadFiles({ 'spec.yaml': text }))).toContain(sentence);
  });

  test('the error for a document in UTF-16 names the encoding', async () => {
    const server16 = await startEchoServer((_request, response) => {
      response.end(Buffer.from(`\uFEFF${SPEC}`, 'utf16le'));
    });
    expect(await messageOf(loadApi(server16.url))).toContain('it is written in UTF-16; save it as UTF-8');
    await server16[Symbol.asyncDispose]();
  });
});

test.each([
  ['specs/petstore.yaml', 'petstore'],
  ['https://example.com/train-travel/openapi.yaml?x=1', 'train-travel'],
  ['https://petstore3.swagger.io/api/v3/openapi.json', 'petstore3.swagger.io'],
  ['./openapi.json', 'api'],
])('the API at %s gets the name %s', (address, name) => expect(nameOfSpec(address)).toBe(name));
