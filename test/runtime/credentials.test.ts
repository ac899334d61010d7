import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { writeCredentials } from '../../runtime/credentials.js';
import type { OperationData } from '../../runtime/context.js';
import { writeBasic, writeSubAccount } from '../../runtime/serialize.js';
import { writeAuthorization, writeBearer } from '../../runtime/serialize.js';
import { writeKeyCookie } from '../../runtime/serialize.js';
import { writeKeyHeader, writeKeyQuery } from '../../runtime/serialize.js';
import { send } from '../../runtime/client.js';
import { type EchoServer, type ReceivedRequest, startEchoServer } from '../support/echo-server.js';

let server: EchoServer;
beforeAll(async () => {
  server = await startEchoServer(
    (_request, response) => void response.setHeader('content-type', 'application/json').end('{}'),
  );
});
afterAll(() => server[Symbol.asyncDispose]());

async function sent(
  security: NonNullable<OperationData['security']>,
  credentials: unknown,
  baseUrl = server.url,
): Promise<ReceivedRequest> {
  await send(
    { baseUrl, credentials },
    { name: 'test', path: '/x', security, authorize: writeCredentials },
    { request: { query: { a: 1 } }, options: undefined },
  );
  return server.last();
}

function decodeBasic(request: ReceivedRequest): string {
  return Buffer.from(String(request.headers.authorization).replace('Basic ', ''), 'base64').toString('utf8');
}

describe('security schemes', () => {
  it.each([
    ['Basic', writeBasic, { username: 'me', password: 'p:w' }, 'me:p:w'],
    ['Basic in UTF-8', writeBasic, { username: 'åsa', password: '€😀' }, 'åsa:€😀'],
    ['a key without a sub account', writeSubAccount, { key: 'KEY', secret: 'S' }, 'KEY:S'],
    [
      'a key for a sub account, with two backslashes',
      writeSubAccount,
      { key: 'KEY', secret: 'S', account: 'ACC' },
      String.raw`KEY\\ACC:S`,
    ],
  ])('Basic credentials are sent: %s', async (_scheme, write, credential, wanted) => {
    expect(decodeBasic(await sent([{ basic: write }], { basic: credential }))).toBe(wanted);
  });

  it.each([
    ['a token', 't0ken'],
    ['a function', () => 't0ken'],
    ['an async function', async () => Promise.resolve('t0ken')],
  ])('a bearer token may be given as %s', async (_kind, bearer) => {
    expect((await sent([{ bearer: writeBearer }], { bearer })).headers.authorization).toBe('Bearer t0ken');
  });

  it('another scheme of HTTP is sent with its own name', async () => {
    expect((await sent([{ token: writeAuthorization('Token') }], { token: 'abc' })).headers.authorization).toBe(
      'Token abc',
    );
  });

  it('API keys are sent in header, query and cookie together', async () => {
    const { headers, url } = await sent(
      [{ a: writeKeyHeader('X-Key'), b: writeKeyQuery('api key'), c: writeKeyCookie('sid') }],
      { a: 'k1', b: 'k&2', c: 'k;3' },
    );
    expect([headers['x-key'], url, headers.cookie]).toEqual(['k1', '/x?a=1&api%20key=k%262', 'sid=k%3B3']);
  });

  it.each([
    ['the first complete alternative', { b: 'B', c: 'C' }, 'Bearer C', undefined],
    ['a later alternative if a part of the first is missing', { a: 'A', c: 'C' }, 'Bearer C', undefined],
    ['the first alternative if all are given', { a: 'A', b: 'B', c: 'C' }, 'Bearer A', 'B'],
    ['no credential if none is given', {}, undefined, undefined],
    ['no credential if the client has none', undefined, undefined, undefined],
  ])('sends %s', async (_rule, credentials, authorization, key) => {
    const { headers } = await sent([{ a: writeBearer, b: writeKeyHeader('X-Key') }, { c: writeBearer }], credentials);
    expect([headers.authorization, headers['x-key']]).toEqual([authorization, key]);
  });

  it('sends no credential to an operation without security', async () => {
    expect((await sent([], { bearer: 't' })).headers.authorization).toBeUndefined();
  });

  it('does not mistake an inherited member of an object for a credential', async () => {
    expect((await sent([{ constructor: writeBearer }], {})).headers.authorization).toBeUndefined();
  });
});

describe('secrets stay secret', () => {
  it.each([
    ['a user name with a colon', writeBasic, { username: 's3cret:x', password: 's3cret' }],
    ['an account with a colon', writeSubAccount, { key: 's3cret', secret: 's3cret', account: 'a:b' }],
    ['a token with a line break', writeBearer, 's3cret\n'],
    ['a key with a line break', writeKeyHeader('X-Key'), 's3cret\r\nEvil: 1'],
  ])('%s is refused without showing it', async (_rule, write, credential) => {
    const error: unknown = await sent([{ scheme: write }], { scheme: credential }).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).not.toContain('s3cret');
  });

  it('no network error contains a secret', async () => {
    const error: unknown = await sent(
      [{ a: writeKeyQuery('key'), b: writeKeyHeader('x-key') }],
      { a: 's3cret', b: 's3cret' },
      'http://127.0.0.1:1',
    ).catch((cause: unknown) => cause);
    const chain = (one: unknown): string =>
      one instanceof Error ? `${one.stack ?? ''} ${JSON.stringify(one)} ${chain(one.cause)}` : '';
    expect(chain(error)).toContain('NetworkError');
    expect(chain(error)).not.toContain('s3cret');
  });

  it.each([
    ['a bearer token', writeBearer],
    ['a cookie', writeKeyCookie('sid')],
    ['a key in a header', writeKeyHeader('X-Key')],
    ['a key in the query', writeKeyQuery('key')],
  ])('%s does not follow a redirect to another origin', async (_scheme, write) => {
    await using other = await startEchoServer();
    await using first = await startEchoServer(
      (_request, response) => void response.writeHead(302, { location: `${other.url}/stolen` }).end(),
    );
    await sent([{ scheme: write }], { scheme: 's3cret' }, first.url).catch(() => undefined);
    expect(JSON.stringify(first.received)).toContain('s3cret');
    expect(JSON.stringify(other.received.map(({ url, headers }) => [url, headers]))).not.toContain('s3cret');
  });
});
