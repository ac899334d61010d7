import { afterAll, describe, expect, it } from 'vitest';

import { clientEmitter } from '../../../generator/client/emit-client.js';
import type { EmitOptions } from '../../../generator/emitter.js';
import { typesEmitter } from '../../../generator/types/emit-types.js';
import { type ReceivedRequest, startEchoServer } from '../../support/echo-server.js';
import { documentWith, loadDocument } from '../../support/load-document.js';
import { OutputFolder } from '../../support/output-folder.js';

const OPTIONS: EmitOptions = { apiName: 'test', emitters: new Set(['types', 'client']), report: () => undefined };
const OK = { 200: { description: 'Fine.', content: { 'application/json': {} } } };

type Client = Record<string, (request: object, options?: object) => Promise<unknown>>;
interface Output {
  readonly createTestClient: (options: object) => Client;
}

/** All that was generated here, to be type-checked in one go at the end. */
const all = new OutputFolder();
let count = 0;
afterAll(() => all[Symbol.dispose]());

/** Generates a client, and makes one call of `test` with it against a server that is not ours. */
async function sent(document: object, request: object, credentials: object = {}): Promise<ReceivedRequest> {
  const api = await loadDocument(document);
  const folder = `case-${(count += 1)}`;
  await all.writeFiles(
    [...(await clientEmitter.emit(api, OPTIONS)), ...(await typesEmitter.emit(api, OPTIONS))],
    folder,
  );
  const { createTestClient } = await all.run<Output>(`${folder}/client.ts`);
  await using server = await startEchoServer();
  await createTestClient({ baseUrl: `${server.url}/base/`, credentials })['test']?.(request);
  return server.last();
}

function withParameters(path: string, parameters: readonly object[]): object {
  return documentWith({ [path]: { get: { operationId: 'test', parameters, responses: OK } } });
}

const LIST = { type: 'array', items: { type: 'string' } };
const OBJECT = { type: 'object', additionalProperties: { type: 'integer' } };
const color = (place: string, more: object): object => ({
  name: 'color',
  in: place,
  required: place === 'path',
  schema: LIST,
  ...more,
});

describe('parameters of OpenAPI 3', () => {
  it.each([
    ['/{color}', color('path', {}), '/a%20b,c'],
    ['/{color}', color('path', { style: 'label' }), '/.a%20b,c'],
    ['/{color}', color('path', { style: 'label', explode: true }), '/.a%20b.c'],
    ['/{color}', color('path', { style: 'matrix' }), '/;color=a%20b,c'],
    ['/{color}', color('path', { style: 'matrix', explode: true }), '/;color=a%20b;color=c'],
    ['/{color}:go', color('path', {}), '/a%20b,c:go'],
    ['/', color('query', {}), '/?color=a%20b&color=c'],
    ['/', color('query', { explode: false }), '/?color=a%20b,c'],
    ['/', color('query', { style: 'spaceDelimited', explode: false }), '/?color=a%20b%20c'],
    ['/', color('query', { style: 'pipeDelimited', explode: false }), '/?color=a%20b%7Cc'],
    ['/', color('query', { style: 'spaceDelimited', explode: true }), '/?color=a%20b&color=c'],
    [
      '/',
      { name: 'color', in: 'query', content: { 'application/json': { schema: LIST } } },
      '/?color=%5B%22a%20b%22%2C%22c%22%5D',
    ],
  ])('a list is written by its style: %s %j', async (path, parameter, wanted) => {
    const values = { color: ['a b', 'c'] };
    const { url } = await sent(withParameters(path, [parameter]), { path: values, query: path === '/' ? values : {} });
    expect(url).toBe(`/base${wanted}`);
  });

  it.each([
    ['/{color}', color('path', { explode: true, schema: OBJECT }), '/R=100,G=200'],
    ['/', color('query', { schema: OBJECT }), '/?R=100&G=200'],
    ['/', color('query', { explode: false, schema: OBJECT }), '/?color=R,100,G,200'],
    [
      '/',
      color('query', { style: 'deepObject', explode: true, schema: OBJECT }),
      '/?color%5BR%5D=100&color%5BG%5D=200',
    ],
  ])('an object is written by its style: %s %j', async (path, parameter, wanted) => {
    const values = { color: { R: 100, G: 200 } };
    const { url } = await sent(withParameters(path, [parameter]), { path: values, query: path === '/' ? values : {} });
    expect(url).toBe(`/base${wanted}`);
  });

  it('allowReserved keeps reserved characters', async () => {
    const { url } = await sent(
      withParameters('/', [{ name: 'q', in: 'query', allowReserved: true, schema: { type: 'string' } }]),
      { query: { q: 'a/b:c&d' } },
    );
    expect(url).toBe('/base/?q=a/b:c%26d');
  });

  it('headers and cookies are written by their styles', async () => {
    const parameters = [
      { name: 'X-List', in: 'header', schema: LIST },
      { name: 'X-Json', in: 'header', content: { 'application/json': { schema: OBJECT } } },
      { name: 'session', in: 'cookie', schema: { type: 'string' } },
      { name: 'list', in: 'cookie', explode: false, schema: LIST },
    ];
    const { headers } = await sent(withParameters('/', parameters), {
      headers: { 'X-List': ['a', 'b'], 'X-Json': { a: 1 } },
      cookies: { session: 'x', list: ['a', 'b'] },
    });
    expect([headers['x-list'], headers['x-json'], headers.cookie]).toEqual(['a,b', '{"a":1}', 'session=x; list=a,b']);
  });
});

describe('parameters of OpenAPI 2.0', () => {
  it.each([
    [undefined, 'color=a%20b,c'],
    ['csv', 'color=a%20b,c'],
    ['ssv', 'color=a%20b%20c'],
    ['tsv', 'color=a%20b%09c'],
    ['pipes', 'color=a%20b%7Cc'],
    ['multi', 'color=a%20b&color=c'],
  ])('a list is written by the collectionFormat %s', async (collectionFormat, wanted) => {
    const parameter = {
      name: 'color',
      in: 'query',
      type: 'array',
      items: { type: 'string' },
      ...(collectionFormat === undefined ? {} : { collectionFormat }),
    };
    const document = {
      swagger: '2.0',
      info: { title: 'T', version: '1' },
      paths: {
        '/': { get: { operationId: 'test', parameters: [parameter], responses: { 200: { description: '' } } } },
      },
    };
    expect((await sent(document, { query: { color: ['a b', 'c'] } })).url).toBe(`/base/?${wanted}`);
  });
});

describe('bodies', () => {
  const withBody = (content: object): object =>
    documentWith({ '/': { post: { operationId: 'test', requestBody: { required: true, content }, responses: OK } } });
  const fields = { type: 'object', properties: { tags: LIST, map: OBJECT } };

  it.each([
    {
      kind: 'JSON',
      content: { 'application/json': { schema: fields } },
      request: { body: { tags: ['a'] } },
      wanted: ['application/json', '{"tags":["a"]}'],
    },
    {
      kind: 'JSON of a vendor',
      content: { 'application/vnd.x+json; v=2': { schema: fields } },
      request: { body: {} },
      wanted: ['application/vnd.x+json; v=2', '{}'],
    },
    {
      kind: 'JSON before others',
      content: { 'text/plain': {}, 'application/json': { schema: fields } },
      request: { body: {} },
      wanted: ['application/json', '{}'],
    },
    {
      kind: 'another by name',
      content: { 'text/plain': { schema: { type: 'string' } }, 'application/json': { schema: fields } },
      request: { body: 'x', contentType: 'text/plain' },
      wanted: ['text/plain', 'x'],
    },
    {
      kind: 'a form',
      content: {
        'application/x-www-form-urlencoded': {
          schema: fields,
          encoding: { map: { style: 'deepObject', explode: true }, tags: { explode: false } },
        },
      },
      request: { body: { tags: ['a', 'b'], map: { k: 1 } } },
      wanted: ['application/x-www-form-urlencoded', 'tags=a,b&map%5Bk%5D=1'],
    },
    {
      kind: 'bytes',
      content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
      request: { body: new Blob(['x']) },
      wanted: ['application/octet-stream', 'x'],
    },
    {
      kind: 'text that is a file',
      content: { 'text/csv': { schema: { type: 'string', format: 'binary' } } },
      request: { body: new Blob(['a,b']) },
      wanted: ['text/csv', 'a,b'],
    },
    {
      kind: 'anything, with a schema',
      content: { '*/*': { schema: fields } },
      request: { body: { tags: [] } },
      wanted: ['application/json', '{"tags":[]}'],
    },
  ])('a body is sent with its media type: $kind', async ({ content, request, wanted }) => {
    const { headers, body } = await sent(withBody(content), request);
    expect([headers['content-type'], String(body)]).toEqual(wanted);
  });

  it('a part of a multipart body has the content type of its encoding', async () => {
    const content = {
      'multipart/form-data': {
        schema: {
          type: 'object',
          properties: { meta: { type: 'object' }, file: { type: 'string', format: 'binary' } },
        },
        encoding: { file: { contentType: 'image/png, image/gif' } },
      },
    };
    const { headers, body } = await sent(withBody(content), { body: { meta: { a: 1 }, file: new Blob(['x']) } });
    expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(String(body)).toContain('name="file"; filename="blob"\r\nContent-Type: image/png\r\n\r\nx');
  });
});

describe('credentials', () => {
  const schemes = {
    basic: { type: 'http', scheme: 'Basic' },
    sub: { type: 'http', scheme: 'basic', 'x-sub-account': true },
    bearer: { type: 'http', scheme: 'bearer' },
    digest: { type: 'http', scheme: 'Digest' },
    oauth: { type: 'oauth2', flows: {} },
    openId: { type: 'openIdConnect', openIdConnectUrl: 'https://x/y' },
    'key-header': { type: 'apiKey', in: 'header', name: 'X-Key' },
    keyQuery: { type: 'apiKey', in: 'query', name: 'key' },
    keyCookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
    tls: { type: 'mutualTLS' },
  };
  const secured = (security: readonly object[]): object =>
    documentWith(
      { '/': { get: { operationId: 'test', security, responses: OK } } },
      { components: { securitySchemes: schemes } },
    );

  it.each([
    [[{ basic: [] }], { basic: { username: 'a', password: 'b' } }, { authorization: `Basic ${btoa('a:b')}` }],
    [
      [{ sub: [] }],
      { sub: { key: 'a', secret: 'b', account: 'c' } },
      { authorization: `Basic ${btoa(String.raw`a\\c:b`)}` },
    ],
    [[{ bearer: [] }], { bearer: 't' }, { authorization: 'Bearer t' }],
    [[{ digest: [] }], { digest: 't' }, { authorization: 'digest t' }],
    [[{ oauth: ['a'] }], { oauth: () => 't' }, { authorization: 'Bearer t' }],
    [[{ openId: [] }], { openId: 't' }, { authorization: 'Bearer t' }],
    [
      [{ 'key-header': [], keyCookie: [], tls: [] }],
      { 'key-header': 'h', keyCookie: 'c' },
      { 'x-key': 'h', cookie: 'sid=c' },
    ],
    [[{}, { bearer: [] }], { bearer: 't' }, { authorization: 'Bearer t' }],
    [[{ bearer: [] }, { 'key-header': [] }], { 'key-header': 'h' }, { 'x-key': 'h' }],
  ])('the credentials %j with the security %j are sent', async (security, credentials, wanted) => {
    const { headers } = await sent(secured(security), {}, credentials);
    expect(headers).toMatchObject(wanted);
  });

  it('a key is sent in the query', async () => {
    expect((await sent(secured([{ keyQuery: [] }]), {}, { keyQuery: 'a b' })).url).toBe('/base/?key=a%20b');
  });
});

it('all of these clients type-check', () => {
  expect(all.typeCheck()).toBe('');
});
