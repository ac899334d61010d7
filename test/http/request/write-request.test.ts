import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { writeCall } from '../../../contract/execute/http/write-call.js';
import { compileRequestReader } from '../../../http/request/read-request.js';
import { UnsendableError, hasForm, writeRequest } from '../../../http/request/write-request.js';
import { splitTarget, createRouter } from '../../../http/routing/router.js';
import type { Api, Operation } from '../../../model/api.js';
import { buildRequest } from '../../../server/page/app/build-request.js';
import { describeOperation } from '../../../server/page/describe-api.js';
import { type TestClient, emitClient } from '../../support/emit-client.js';
import { loadDocument } from '../../support/load-document.js';
import { OutputFolder } from '../../support/output-folder.js';

const TEXTS = { type: 'array', items: { type: 'string' } };
const OBJECT = { type: 'object', properties: { R: { type: 'integer' }, G: { type: 'string' } } };
const NESTED = {
  type: 'object',
  properties: { size: { type: 'object', properties: { min: { type: 'integer' } } }, tags: TEXTS },
};

/** Values by kind. What a style cannot tell apart (RFC 6570) is left out of its special characters. */
const KINDS = {
  text: { schema: { type: 'string' }, value: () => 'blue' },
  number: { schema: { type: 'integer' }, value: () => 7 },
  list: { schema: TEXTS, value: () => ['blue', 'black'] },
  object: { schema: OBJECT, value: () => ({ R: 100, G: 'x' }) },
  'list of one': { schema: TEXTS, value: () => ['blue'] },
  'special text': { schema: { type: 'string' }, value: (special: string) => special },
  'special list': { schema: TEXTS, value: (special: string) => [special, 'b'] },
  'special object': { schema: OBJECT, value: (special: string) => ({ R: 1, G: special }) },
} as const;
type Kind = keyof typeof KINDS;
const SCALARS: readonly Kind[] = ['text', 'number', 'special text'];
const ALL: readonly Kind[] = [...SCALARS, 'list', 'list of one', 'object', 'special list', 'special object'];
const LISTS: readonly Kind[] = ['list', 'list of one', 'object'];

const SPECIAL = `a/b?c#d&e=f+g %;é中"'<>[]{}|\\^\`$(id)!*@:,~`;

interface Row {
  readonly in: string;
  readonly style?: string;
  readonly explode?: boolean;
  readonly kinds: readonly Kind[];
  readonly special?: string;
}

const both = (row: Row): Row[] => [true, false].map((explode) => ({ ...row, explode }));
/** Every style that OpenAPI defines at a place, and the kinds of values that it defines. */
const STYLES: readonly Row[] = [
  ...both({ in: 'path', style: 'simple', kinds: ALL, special: SPECIAL }),
  ...both({ in: 'path', style: 'label', kinds: ALL, special: SPECIAL }),
  ...both({ in: 'path', style: 'matrix', kinds: ALL, special: SPECIAL }),
  ...both({ in: 'query', style: 'form', kinds: ALL, special: SPECIAL }),
  { in: 'query', style: 'spaceDelimited', explode: false, kinds: LISTS },
  { in: 'query', style: 'pipeDelimited', explode: false, kinds: LISTS },
  { in: 'query', style: 'deepObject', explode: true, kinds: ['object', 'special object'], special: SPECIAL },
  ...both({ in: 'header', style: 'simple', kinds: ALL, special: `a/b?c#d&e;f%41 "'<>[]{}|é` }),
  ...both({ in: 'cookie', style: 'form', kinds: ['text', 'number', 'special text', 'list of one'], special: SPECIAL }),
  { in: 'cookie', style: 'form', explode: false, kinds: ['list', 'object', 'special list'], special: SPECIAL },
  ...both({ in: 'cookie', style: 'cookie', kinds: ALL, special: "a/b c?d#e&f%41+'<>[]{}|^`$(id)!*@:~" }),
  { in: 'cookie', style: 'cookie', explode: false, kinds: ['list'] },
];

interface Case {
  readonly id: string;
  readonly parameter: Readonly<Record<string, unknown>>;
  readonly value: unknown;
}

const styled = STYLES.flatMap(({ in: location, style, explode, kinds, special = 'a b' }) =>
  kinds.map((kind) => ({
    name: `${location} ${style} ${explode === true ? 'exploded' : 'joined'}, ${kind}`,
    parameter: { in: location, style, explode, schema: KINDS[kind].schema },
    value: KINDS[kind].value(special),
  })),
);
const json = { 'application/json': { schema: NESTED } };
const form = (encoding = {}): object => ({ 'application/x-www-form-urlencoded': { schema: NESTED, encoding } });
const nested = { size: { min: 1 }, tags: ['a b', 'c,d&'] };
const described = [
  ...['path', 'query', 'header', 'cookie'].flatMap((location) => [
    {
      name: `${location} as JSON`,
      parameter: { in: location, content: json },
      value: { ...nested, tags: ['a;b', 'c,d'] },
    },
    {
      name: `${location} as a text`,
      parameter: { in: location, content: { 'text/plain': { schema: { type: 'string' } } } },
      value: `a b,"c"`,
    },
  ]),
  { name: 'query deepObject, nested', parameter: { in: 'query', style: 'deepObject', schema: NESTED }, value: nested },
  {
    name: 'query allowReserved',
    parameter: { in: 'query', allowReserved: true, schema: { type: 'string' } },
    value: `/a:b?c@d,e;f='*! &#[]`,
  },
  {
    name: 'path allowReserved',
    parameter: { in: 'path', allowReserved: true, schema: { type: 'string' } },
    value: `a:b?c@d,e;f='*! &#[]`,
  },
  {
    name: 'cookie allowReserved',
    parameter: { in: 'cookie', allowReserved: true, schema: { type: 'string' } },
    value: `/a:b?c@d;e='*! &#[]`,
  },
  { name: 'querystring as JSON', parameter: { in: 'querystring', content: json }, value: nested },
  {
    name: 'querystring as a form',
    parameter: {
      in: 'querystring',
      content: form({ size: { style: 'deepObject' }, tags: { contentType: 'application/json' } }),
    },
    value: nested,
  },
  {
    name: 'querystring as a text',
    parameter: { in: 'querystring', content: { 'text/plain': { schema: { type: 'string' } } } },
    value: SPECIAL,
  },
];

const CASES: readonly Case[] = [...styled, ...described].map(({ name, ...rest }, index) => ({
  id: `case${index}: ${name}`,
  ...rest,
}));
/** What each version of OpenAPI does not have. */
const ONLY_3_2 = /querystring|cookie cookie|(?:path|cookie) allowReserved/;

function documentOf(version: string, cases: readonly Case[]): object {
  const paths = cases.map(({ id, parameter }, index) => [
    parameter['in'] === 'path' ? `/case${index}/{color}/end` : `/case${index}`,
    {
      get: {
        operationId: id,
        parameters: [{ name: 'color', required: true, ...parameter }],
        responses: { 204: { description: 'ok' } },
      },
    },
  ]);
  return { openapi: version, info: { title: 'Styles', version: '1' }, paths: Object.fromEntries(paths) };
}

interface Sent {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

const BASE = 'http://127.0.0.1:1';

function byContract(operation: Operation, value: unknown, api: Api): Sent | undefined {
  const [parameter] = operation.parameters;
  if (parameter === undefined) return undefined;
  const call = { operation, parameters: new Map([[parameter, value]]), isAnonymous: true };
  const written = writeCall(call, {
    api,
    url: new URL(BASE),
    headers: {},
    headersFor: { of: () => ({}) },
    otherHeaders: {},
    madeUp: { mayHave: () => false },
  });
  return written && { target: written.url.slice(BASE.length), headers: written.headers };
}

function byPage(operation: Operation, value: unknown, api: Api): Sent {
  const [parameter] = operation.parameters;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const { target, headers } = buildRequest(describeOperation(api, operation, ''), {
    parameters: { [`${parameter?.in} color`]: text },
    credentials: {},
    mediaType: undefined,
    body: '',
    files: {},
  });
  // As a browser sends it.
  return { target: new URL(target, BASE).href.slice(BASE.length), headers };
}

function readBack({ target, headers }: Sent, operation: Operation, api: Api): unknown {
  const { path, query } = splitTarget(target);
  const match = createRouter(api)('GET', path);
  if (match.kind !== 'operation') return { unrouted: path };
  const reader = compileRequestReader(operation, { api, report: undefined });
  const { input, violations } = reader.read({ path: match.values, query, headers, bytes: new Uint8Array() });
  return violations.length > 0
    ? { violations }
    : Object.values(input).flatMap((group) => Object.values(group as object))[0];
}

describe.each(['3.0.4', '3.1.1', '3.2.0'])('parameters of OpenAPI %s', (version) => {
  const cases = CASES.filter(({ id }) => version === '3.2.0' || !ONLY_3_2.test(id));
  const output = new OutputFolder();
  let api: Api;
  let client: TestClient;
  let sent: Sent | undefined;
  beforeAll(async () => {
    api = await loadDocument(documentOf(version, cases));
    const create = await emitClient(api, output);
    const fetch = (request: Request): Response => {
      sent = { target: request.url.slice(BASE.length), headers: Object.fromEntries(request.headers) };
      return new Response(null, { status: 204 });
    };
    client = create({ baseUrl: BASE, fetch });
  });
  afterAll(() => output[Symbol.dispose]());

  const byClient = async ({ name, parameters: [parameter] }: Operation, value: unknown): Promise<Sent | undefined> => {
    const groups = {
      path: 'path',
      query: 'query',
      querystring: 'query',
      header: 'headers',
      cookie: 'cookies',
    } as const;
    const group = groups[parameter?.in ?? 'query'];
    await client[name]?.({ [group]: { color: value } });
    return sent;
  };

  it.each(cases)(
    'client, contract and page write the same request, and reading it returns the values: $id',
    async ({ id, value }) => {
      const operation = api.operations.find((one) => one.id === id);
      if (operation === undefined) throw new Error('The document has no such operation.');
      const written = byContract(operation, value, api);
      const asClient = await byClient(operation, value);
      expect(written?.target).toBe(asClient?.target);
      expect(written?.headers['cookie']).toBe(asClient?.headers['cookie']);
      expect(written?.headers['color']).toBe(asClient?.headers['color']);
      expect(byPage(operation, value, api).target).toBe(asClient?.target);
      expect(byPage(operation, value, api).headers['cookie']).toBe(asClient?.headers['cookie']);
      expect(byPage(operation, value, api).headers['color']).toBe(asClient?.headers['color']);
      expect(readBack(written!, operation, api)).toEqual(value);
    },
  );
});

describe('values without a form in a request', () => {
  const simple = { name: 'id', in: 'path', style: 'simple', explode: false, allowReserved: false } as const;
  it.each([
    ['no value', []],
    ['an empty text', [[simple, '']]],
    ['an empty list', [[simple, []]]],
    ['a dot', [[simple, '.']]],
    ['two dots', [[simple, '..']]],
  ] as const)('refuses %s in a path', (_, values) =>
    expect(() => writeRequest({ path: '/a/{id}' }, values)).toThrow(UnsendableError),
  );

  it.each(['a;b', 'a\tb', 'a\nb'])('refuses %j in a cookie that is not encoded', (value) => {
    const cookie = { ...simple, in: 'cookie', style: 'cookie' } as const;
    expect(() => writeRequest({ path: '/' }, [[cookie, value]])).toThrow(TypeError);
    expect(() => writeRequest({ path: '/' }, [[{ ...cookie, explode: true }, { [value]: 1 }]])).toThrow(TypeError);
  });

  it('writes null as the text null', () =>
    expect(writeRequest({ path: '/' }, [[{ ...simple, in: 'query', style: 'form' }, [null, 1]]]).query).toEqual([
      'id=null,1',
    ]));

  it('writes 64-bit integers with all digits', () =>
    expect(writeRequest({ path: '/{id}' }, [[simple, 9_007_199_254_740_993n]]).path).toBe('/9007199254740993'));

  it('knows that a list of one empty text has a form only if each item is written by itself', () => {
    const form = { name: 'id', in: 'query', style: 'form' } as const;
    const forms = [
      hasForm({ ...simple, ...form, explode: false }, ['']),
      hasForm({ ...simple, ...form, explode: true }, ['']),
      hasForm({ ...simple, ...form, explode: false }, ['', 'a']),
    ];
    expect(forms).toEqual([false, true, true]);
  });
});
