import { request as askNode } from 'node:http';

import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';

import type { Mock } from '../../../entry/mock.js';
import { startMock } from '../../support/start-mock.js';

let mock: Mock;
beforeAll(async () => {
  mock = await startMock('dictionary', { port: 0 });
});
afterAll(() => mock.close());

const GUID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const OTHER = '9b2d3c1a-0c4e-4f6a-8b1d-2e3f4a5b6c7d';
const QUERY = { 'api-version': '3.0', from: 'en', to: 'es' };
const FLY = [{ Text: 'fly' }];

interface Lookup {
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface ErrorBody {
  readonly error: { readonly code: number; readonly message: string; readonly status: string };
}

async function lookUp(send: typeof fetch, { query = {}, headers = {}, body = FLY }: Lookup): Promise<Response> {
  const given = Object.entries({ ...QUERY, ...query }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  return send(`${mock.url}/dictionary/lookup?${new URLSearchParams(given)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'ocp-apim-subscription-key': 'k', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

const REFUSED: readonly (readonly [rule: string, lookup: Lookup, code: number])[] = [
  ['the version is required', { query: { 'api-version': undefined } }, 400_021],
  ['the version is 3.0', { query: { 'api-version': '3.1' } }, 400_021],
  ['the version is written so', { query: { 'api-version': '3' } }, 400_021],
  ['the source is required', { query: { from: undefined } }, 400_035],
  ['the source is in scope', { query: { from: 'fi' } }, 400_035],
  ['the source is a language', { query: { from: '1' } }, 400_035],
  ['the target is required', { query: { to: undefined } }, 400_036],
  ['the target is in scope', { query: { to: 'xx' } }, 400_036],
  ['the pair is in scope', { query: { from: 'es', to: 'de' } }, 400_023],
  ['10 terms', { body: Array.from({ length: 11 }, () => FLY[0]) }, 400_072],
  ['100 characters', { body: [{ Text: 'a'.repeat(101) }] }, 400_050],
  ['100 characters in the other spelling', { body: [{ text: 'a'.repeat(101) }] }, 400_050],
  ['spaces count', { body: [{ Text: ' '.repeat(101) }] }, 400_050],
  ['a term has a text', { body: [{}] }, 400_005],
  ['a text is a string', { body: [{ Text: 7 }] }, 400_005],
  ['a term is an object', { body: ['fly'] }, 400_005],
  ['the terms are a list', { body: FLY[0] }, 400_000],
  ['there is a term', { body: [] }, 400_000],
  ['the body is JSON', { body: '[' }, 400_074],
  ['the trace id is a GUID', { headers: { 'x-clienttraceid': 'mine' } }, 400_043],
  ['the trace id in the query too', { query: { ClientTraceId: 'mine' } }, 400_043],
  ['a key that is valid', { headers: { 'ocp-apim-subscription-key': 'invalid' } }, 401_000],
  ['a type of JSON', { headers: { 'content-type': 'text/plain' } }, 415_000],
];

const ACCEPTED: readonly (readonly [rule: string, lookup: Lookup])[] = [
  ['the other spelling', { body: [{ text: 'fly' }] }],
  ['languages in any case', { query: { from: 'EN', to: 'Es' } }],
  ['a term in any case, with spaces around it', { body: [{ Text: '  FLY ' }] }],
  ['100 characters and 10 terms', { body: [...FLY, ...Array.from({ length: 9 }, () => ({ Text: 'x'.repeat(100) }))] }],
  ['100 characters of two units each', { body: [...FLY, { Text: '😀'.repeat(100) }] }],
  ['a charset', { headers: { 'content-type': 'application/json; charset=UTF-8' } }],
  ['a token', { headers: { 'ocp-apim-subscription-key': '', authorization: 'Bearer t' } }],
  ['a region', { headers: { 'ocp-apim-subscription-region': 'westeurope' } }],
  ['unknown members and parameters', { query: { category: 'general' }, body: [{ Text: 'fly', note: 1 }] }],
];

describe.each([
  ['socket', (): typeof fetch => fetch],
  ['process', (): typeof fetch => mock.fetch],
])('a lookup works through the %s', (_transport, transport) => {
  it.each(REFUSED)('refuses a lookup through the parameters given: %s', async (_rule, lookup, code) => {
    const response = await lookUp(transport(), lookup);
    const { error } = (await response.json()) as ErrorBody;
    expect([response.status, error.code]).toEqual([Math.floor(code / 1_000), code]);
    expect(error).toMatchObject({ message: expect.any(String), status: expect.stringMatching(/^[A-Z_]+$/) });
    expect(response.headers.get('x-requestid')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each(ACCEPTED)('takes %s', async (_rule, lookup) => {
    const response = await lookUp(transport(), lookup);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject([
      { normalizedSource: 'fly', translations: [{ posTag: 'NOUN' }, {}, {}] },
      ...restOf(lookup),
    ]);
  });

  it.each([
    ['the header', { headers: { 'x-clienttraceid': GUID } }, GUID],
    ['the query', { query: { ClientTraceId: GUID } }, GUID],
    ['the header before the query', { headers: { 'x-clienttraceid': GUID }, query: { ClientTraceId: OTHER } }, GUID],
    ['nothing', {}, null],
    ['the header, also where it is refused', { headers: { 'x-clienttraceid': GUID }, body: [] }, GUID],
    ['nothing that is no GUID', { headers: { 'x-clienttraceid': 'mine' } }, null],
  ] as readonly (readonly [string, Lookup, string | null])[])(
    'tells the trace id of %s',
    async (_rule, lookup, trace) => {
      expect((await lookUp(transport(), lookup)).headers.get('x-clienttraceid')).toBe(trace);
    },
  );
});

function restOf({ body }: Lookup): readonly object[] {
  return Array.isArray(body) ? body.slice(1).map(() => ({ translations: [] })) : [];
}

test.each([
  ['with its length', { 'content-length': '16' }],
  ['in chunks', { 'transfer-encoding': 'chunked' }],
])('a lookup accepts a body %s if the media type says so', async (_name, framing) => {
  const send = (headers: object): Promise<number> =>
    new Promise((resolve, reject) => {
      const address = `${mock.url}/dictionary/lookup?${new URLSearchParams(QUERY)}`;
      const sent = askNode(address, {
        method: 'POST',
        headers: { 'ocp-apim-subscription-key': 'k', ...framing, ...headers },
      });
      sent.on('response', (response) => resolve(response.resume().statusCode ?? 0));
      sent.on('error', reject);
      sent.end('[{"Text":"fly"}]');
    });
  expect(await send({ 'content-type': 'application/json' })).toBe(200);
  expect(await send({})).toBe(415);
});
