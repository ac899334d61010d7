import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { type Credential, checkCredentials, readCredentials } from '../../../http/credentials/credential-file.js';
import { createIdentifyCaller } from '../../../http/credentials/authenticate.js';
import type { MockRequest } from '../../../http/messages.js';
import type { Api } from '../../../model/api.js';
import { loadApi } from '../../../model/load-api.js';
import { documentWith, loadDocument } from '../../support/load-document.js';
import { tempFolder } from '../../support/temp-folder.js';

function request(headers: Readonly<Record<string, string>>): MockRequest {
  const unused = (): never => expect.unreachable();
  return {
    method: 'GET',
    target: '/',
    headers,
    bytes: unused,
    stream: unused,
    remoteAddress: '127.0.0.1',
    signal: new AbortController().signal,
  };
}

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
}

/** What becomes of a request for an operation with this security. */
async function identify(
  security: object[],
  sent: Sent,
  credentials?: readonly Credential[],
): Promise<ReturnType<ReturnType<typeof createIdentifyCaller>>> {
  const api = await loadDocument(
    documentWith(
      { '/a': { get: { security, responses: { 200: { description: 'x' } } } } },
      { components: { securitySchemes: SCHEMES } },
    ),
  );
  return check(api, undefined, sent, credentials);
}

function check(
  api: Api,
  id: string | undefined,
  { headers = {}, query = '' }: Sent,
  credentials?: readonly Credential[],
): ReturnType<ReturnType<typeof createIdentifyCaller>> {
  const operation = api.operations.find((one) => id === undefined || one.id === id);
  if (operation === undefined) throw new Error('There is no such operation.');
  return createIdentifyCaller(api, credentials)(operation, request(headers), new URLSearchParams(query));
}

function basic(text: string): Sent {
  return { headers: { authorization: `Basic ${Buffer.from(text).toString('base64')}` } };
}

const SCHEMES = {
  basic: { type: 'http', scheme: 'basic' },
  master: { type: 'http', scheme: 'basic', 'x-sub-account': true },
  bearer: { type: 'http', scheme: 'Bearer' },
  token: { type: 'http', scheme: 'token' },
  words: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'As `Authorization: token <TOKEN>`.' },
  plain: { type: 'apiKey', in: 'header', name: 'Authorization' },
  header: { type: 'apiKey', in: 'header', name: 'X-Key' },
  query: { type: 'apiKey', in: 'query', name: 'key' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
  issued: { type: 'apiKey', in: 'query', name: 'access_token', 'x-issued': true },
  oauth: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://x', scopes: { read: 'r', write: 'w' } } } },
  openid: { type: 'openIdConnect', openIdConnectUrl: 'https://x' },
  tls: { type: 'mutualTLS' },
};

const auth = (value: string): Sent => ({ headers: { authorization: value } });

describe('a credential', () => {
  const accepted: [string, Sent, object][] = [
    ['basic', basic('k:s'), { id: 'k', account: 'k', key: 'k', kind: 'user' }],
    ['basic', basic('k:s:with:colons'), { key: 'k' }],
    ['basic', basic('k:'), { key: 'k' }],
    ['basic', basic('kéy:sécret'), { key: 'kéy' }],
    ['basic', auth(`basic ${btoa('k:s')}`), { key: 'k' }],
    ['basic', basic('k\\\\sub:s'), { key: 'k\\\\sub' }],
    ['master', basic('k:s'), { account: 'k', key: 'k' }],
    ['master', basic('k\\sub:s'), { id: 'k', account: 'k\\sub', key: 'k' }],
    ['master', basic('k\\\\sub:s'), { id: 'k', account: 'k\\sub', key: 'k' }],
    ['bearer', auth('bearer t'), { id: 't', token: 't' }],
    ['bearer', auth('BEARER  t'), { token: 't' }],
    ['token', auth('Token t'), { token: 't' }],
    ['words', auth('TOKEN t'), { token: 't' }],
    ['plain', auth('t'), { key: 't' }],
    ['plain', auth('Bearer t'), { key: 't' }],
    ['header', { headers: { 'x-key': 'k' } }, { key: 'k' }],
    ['query', { query: 'key=k%3D' }, { key: 'k=' }],
    ['cookie', { headers: { cookie: 'a=1; sid=k%20y; b=2' } }, { key: 'k y' }],
    ['oauth', auth('Bearer t'), { token: 't' }],
    ['openid', auth('Bearer t'), { token: 't' }],
    ['tls', { headers: { 'x-forwarded-client-cert': 'Hash=1' } }, { key: 'Hash=1' }],
  ];

  it.each(accepted)('a credential of %s is accepted: %j', async (scheme, sent, want) => {
    expect(await identify([{ [scheme]: [] }], sent)).toMatchObject({
      ok: true,
      caller: { ...want, schemes: [scheme] },
    });
  });

  const refused: [string, Sent][] = [
    ...Object.keys(SCHEMES).map((scheme): [string, Sent] => [scheme, {}]),
    ['basic', auth('Basic')],
    ['basic', auth('Basic !!!')],
    ['basic', basic('no colon')],
    ['basic', basic(':s')],
    ['basic', basic('invalid:s')],
    ['basic', auth('Bearer t')],
    ['master', basic('k\\:s')],
    ['master', basic('k\\\\\\sub:s')],
    ['master', basic('\\sub:s')],
    ['bearer', auth('Bearer')],
    ['bearer', auth('Bearer invalid')],
    ['bearer', auth('Bearer two words')],
    ['bearer', auth('t')],
    ['words', auth('t')],
    ['words', auth('Bearer t')],
    ['words', auth('token invalid')],
    ['plain', basic('k:s')],
    ['header', { headers: { 'x-key': ' ' } }],
    ['header', { query: 'X-Key=k' }],
    ['query', { query: 'key=' }],
    ['query', { query: 'key=invalid' }],
    ['cookie', { headers: { cookie: 'sid=invalid' } }],
    ['oauth', basic('k:s')],
  ];

  it.each(refused)('a credential of %s is refused with 401: %j', async (scheme, sent) => {
    expect(await identify([{ [scheme]: [] }], sent)).toMatchObject({ ok: false, status: 401 });
  });
});

describe('security', () => {
  it.each<[string, object[], Sent, unknown]>([
    ['no security requirement', [], {}, 'anonymous'],
    ['none, although one is sent', [], auth('Bearer t'), 'anonymous'],
    ['an empty alternative', [{}, { bearer: [] }], {}, 'anonymous'],
    ['an empty alternative, and a bad credential', [{}, { bearer: [] }], auth('Bearer invalid'), 'anonymous'],
    ['an empty alternative, and a good credential', [{}, { bearer: [] }], auth('Bearer t'), 't'],
    ['the second alternative', [{ bearer: [] }, { query: [] }], { query: 'key=k' }, 'k'],
    ['two together', [{ query: [], bearer: [] }], { query: 'key=k', headers: { authorization: 'Bearer t' } }, 'k'],
  ])('security: %s', async (_name, security, sent, id) => {
    expect(await identify(security, sent)).toMatchObject({ ok: true, caller: { id } });
  });

  it('security that requires two schemes is not satisfied by one', async () => {
    expect(await identify([{ query: [], bearer: [] }], { query: 'key=k' })).toMatchObject({ ok: false, status: 401 });
  });

  it('the refusal names the missing credential, and challenges with every accepted scheme', async () => {
    expect(await identify([{ bearer: [] }, { query: [] }], {})).toEqual({
      ok: false,
      status: 401,
      message: 'The request needs a credential: bearer token in the header Authorization, or query parameter key.',
      challenge: 'Bearer realm="Test", ApiKey realm="Test", in="query", name="key"',
    });
    expect(await identify([{ query: [] }], {})).toMatchObject({
      challenge: 'ApiKey realm="Test", in="query", name="key"',
    });
  });
});

describe('a list of credentials', () => {
  const LIST: Credential[] = [
    { key: 'k', secret: 's', account: 'acme' },
    { token: 't', kind: 'workflow', scopes: ['read'] },
    { key: 'any' },
  ];

  it.each<[string, object[], Sent, object]>([
    ['key and secret', [{ basic: [] }], basic('k:s'), { account: 'acme', kind: 'user' }],
    ['a key without its own secret', [{ basic: [] }], basic('any:thing'), { account: 'any' }],
    ['a sub account of a listed account', [{ master: [] }], basic('k\\sub:s'), { account: 'acme\\sub' }],
    ['a key in another place', [{ query: [] }], { query: 'key=any' }, { account: 'any' }],
    ['a token', [{ bearer: [] }], auth('Bearer t'), { kind: 'workflow', scopes: ['read'] }],
    ['a token as a key', [{ words: [] }], auth('token t'), { kind: 'workflow' }],
    ['the scope', [{ oauth: ['read'] }], auth('Bearer t'), { scopes: ['read'] }],
    ['what the API itself issues', [{ issued: [] }], { query: 'access_token=a' }, { key: 'a' }],
  ])('a list of credentials accepts %s', async (_name, security, sent, caller) => {
    expect(await identify(security, sent, LIST)).toMatchObject({ ok: true, caller });
  });

  it.each<[string, object[], Sent, number]>([
    ['another secret', [{ basic: [] }], basic('k:x'), 401],
    ['an unknown key', [{ query: [] }], { query: 'key=x' }, 401],
    ['a token as a basic key', [{ basic: [] }], basic('t:'), 401],
    ['a missing scope', [{ oauth: ['write'] }], auth('Bearer t'), 403],
  ])('refuses %s', async (_name, security, sent, status) => {
    expect(await identify(security, sent, LIST)).toMatchObject({ ok: false, status });
  });

  it('requires one of the scopes that a scheme names', async () => {
    const api = await loadApi(path.resolve('specs/notifications/openapi.yaml'));
    const sent = auth('Bearer t');
    expect(check(api, 'listNotifications', sent, [{ token: 't', scopes: ['gist'] }])).toMatchObject({
      ok: false,
      status: 403,
    });
    expect(check(api, 'listNotifications', sent, [{ token: 't', scopes: ['repo'] }])).toMatchObject({ ok: true });
    expect(check(api, 'listNotifications', auth('token t'))).toMatchObject({ ok: true, caller: { token: 't' } });
    expect(check(api, 'listNotifications', auth('t'))).toMatchObject({ ok: false, status: 401 });
  });

  it('a list of credentials is read from a file', async () => {
    const folder = tempFolder({ 'list.yaml': '- key: k\n  secret: s\n- token: t\n  kind: oauth-app\n  scopes: [a]\n' });
    expect(await readCredentials(path.join(folder, 'list.yaml'))).toEqual([
      { key: 'k', secret: 's' },
      { token: 't', kind: 'oauth-app', scopes: ['a'] },
    ]);
  });

  it.each([
    ['key: k', 'The credentials must be a list.', 1],
    ['- secret: s', 'A credential must have a key or a token.', 1],
    ['- key: k\n- key: 1', 'The key of a credential must be a text that is not empty; quote a number.', 2],
    ['- key: k\n  kind: x', /^The kind of a credential must be one of user/, 2],
    ['- key: k\n  scopes: a', 'The scopes of a credential must be a list of texts.', 2],
    ['- key: k\n  pass: a', /^A credential has no member pass/, 2],
    ['- [', /^The credentials cannot be read/, 1],
  ])('a list of credentials with %j is refused with a sentence and its position', async (text, message, line) => {
    const folder = tempFolder({ 'list.yaml': text });
    const error = await readCredentials(path.join(folder, 'list.yaml')).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'InputError', place: { file: path.join(folder, 'list.yaml'), line } });
    expect((error as Error).message).toMatch(message);
  });

  it('a list of credentials can be passed as a value', () => {
    expect(checkCredentials([{ key: 'k' }])).toEqual([{ key: 'k' }]);
    expect(() => checkCredentials([{}])).toThrow('must have a key or a token');
  });
});
