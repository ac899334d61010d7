import { api, type ConformanceCase, ECHO, operation, queryParameter } from './conformance-case.js';

const INTEGERS = { type: 'array', items: { type: 'integer' } };
const TEXTS = { type: 'array', items: { type: 'string' } };
const RANGE = {
  type: 'object',
  required: ['from'],
  properties: { from: { type: 'integer' }, to: { type: 'integer' } },
  additionalProperties: false,
};
const DEEP = queryParameter({ style: 'deepObject', schema: RANGE });
const DEEP_REQUIRED = queryParameter({ style: 'deepObject', required: true, schema: RANGE });

function pathParameter(parameter: object): object {
  return operation('get', '/x/{p}', { parameters: [{ name: 'p', in: 'path', required: true, ...parameter }] });
}

function headerParameter(parameter: object): object {
  return operation('get', '/x', { parameters: [{ name: 'X-P', in: 'header', ...parameter }] });
}

const COOKIE = operation('get', '/x', {
  parameters: [{ name: 'session', in: 'cookie', required: true, schema: { type: 'integer' } }],
});
const JSON_QUERY = queryParameter({
  content: {
    'application/json': { schema: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } } },
  },
});
const SWAGGER = {
  swagger: '2.0',
  info: { title: 'Old', version: '1' },
  basePath: '/old',
  paths: {
    '/x': {
      get: {
        parameters: [{ name: 'p', in: 'query', type: 'array', items: { type: 'integer' }, collectionFormat: 'multi' }],
        responses: { 200: { description: 'ok', schema: {} } },
        produces: ['application/json'],
      },
    },
  },
};

const query = (p: unknown): object => ({ query: { p } });

type Row = readonly [
  group: string,
  name: string,
  document: object,
  target: string,
  status: number | readonly number[],
  input?: unknown,
  init?: RequestInit,
];

const BAD = [400, 422];
const ROWS: readonly Row[] = [
  [
    'query arrays',
    'unset explode repeats the name',
    queryParameter({ schema: INTEGERS }),
    '/x?p=1&p=2',
    200,
    query([1, 2]),
  ],
  ['query arrays', 'one value is a list of one', queryParameter({ schema: INTEGERS }), '/x?p=1', 200, query([1])],
  ['query arrays', 'every value is checked', queryParameter({ schema: INTEGERS }), '/x?p=a&p=2', BAD],
  [
    'query arrays',
    'a comma is part of an exploded value',
    queryParameter({ schema: TEXTS }),
    '/x?p=a,b',
    200,
    query(['a,b']),
  ],
  [
    'query arrays',
    'joined by commas',
    queryParameter({ explode: false, schema: TEXTS }),
    '/x?p=a,b%2Cc',
    200,
    query(['a', 'b,c']),
  ],
  [
    'query arrays',
    'numbers joined by encoded commas',
    queryParameter({ explode: false, schema: INTEGERS }),
    '/x?p=1%2C2',
    200,
    query([1, 2]),
  ],
  [
    'query arrays',
    'joined by spaces',
    queryParameter({ style: 'spaceDelimited', explode: false, schema: INTEGERS }),
    '/x?p=1%202+3',
    200,
    query([1, 2, 3]),
  ],
  [
    'query arrays',
    'joined by pipes',
    queryParameter({ style: 'pipeDelimited', explode: false, schema: INTEGERS }),
    '/x?p=1%7C2|3',
    200,
    query([1, 2, 3]),
  ],
  [
    'query arrays',
    'bounds of joined values',
    queryParameter({ style: 'pipeDelimited', explode: false, schema: { ...INTEGERS, maxItems: 2 } }),
    '/x?p=1%7C2%7C3',
    BAD,
  ],
  ['query arrays', 'multi of OpenAPI 2.0', SWAGGER, '/old/x?p=1&p=2', 200, query([1, 2])],
  ['query arrays', 'multi of OpenAPI 2.0 is checked', SWAGGER, '/old/x?p=a&p=2', BAD],
  ['query objects', 'deepObject', DEEP, '/x?p[from]=1&p[to]=2', 200, query({ from: 1, to: 2 })],
  ['query objects', 'deepObject with encoded brackets', DEEP, '/x?p%5Bfrom%5D=1', 200, query({ from: 1 })],
  ['query objects', 'an absent optional deepObject needs no members', DEEP, '/x', 200],
  ['query objects', 'a required deepObject must be there', DEEP_REQUIRED, '/x', BAD],
  ['query objects', 'the members of a deepObject are required', DEEP, '/x?p[to]=2', BAD],
  ['query objects', 'unknown members of a deepObject are seen', DEEP, '/x?p[from]=1&p[other]=2', BAD],
  ['query objects', 'exploded', queryParameter({ schema: RANGE }), '/x?from=1&to=2', 200, query({ from: 1, to: 2 })],
  [
    'query objects',
    'joined',
    queryParameter({ explode: false, schema: RANGE }),
    '/x?p=from,1,to,2',
    200,
    query({ from: 1, to: 2 }),
  ],
  ['query', 'a boolean in any case', queryParameter({ schema: { type: 'boolean' } }), '/x?p=True', 200, query(true)],
  ['query', 'a number', queryParameter({ schema: { type: 'number', maximum: 2 } }), '/x?p=1.5', 200, query(1.5)],
  ['query', 'a number out of bounds', queryParameter({ schema: { type: 'number', maximum: 2 } }), '/x?p=2.5', BAD],
  [
    'query',
    'a text of digits stays a text',
    queryParameter({ schema: { type: 'string', pattern: '^0' } }),
    '/x?p=007',
    200,
    query('007'),
  ],
  ['query', 'plus is a space', queryParameter({ schema: { type: 'string' } }), '/x?p=a+b%2B', 200, query('a b+')],
  ['query', 'a required one must be there', queryParameter({ required: true, schema: { type: 'string' } }), '/x', BAD],
  ['query', 'unknown ones are ignored', queryParameter({ schema: { type: 'string' } }), '/x?other=%zz', 200],
  ['query', 'a broken encoding', queryParameter({ schema: { type: 'string' } }), '/x?p=%ff', BAD],
  ['query', 'a document in a parameter', JSON_QUERY, `/x?p=${encodeURIComponent('{"a":1}')}`, 200, query({ a: 1 })],
  ['query', 'a document in a parameter is checked', JSON_QUERY, `/x?p=${encodeURIComponent('{"a":"1"}')}`, BAD],
  ['query', 'a document that is no JSON', JSON_QUERY, '/x?p=%7B', BAD],
  [
    'query',
    'a member named __proto__ is data',
    queryParameter({ style: 'deepObject', schema: { type: 'object' } }),
    '/x?p[__proto__][polluted]=1',
    200,
    { query: { p: { ['__proto__']: { polluted: '1' } } } },
  ],
  [
    'query',
    'a parameter named __proto__',
    operation('get', '/x', { parameters: [{ name: '__proto__', in: 'query', schema: { type: 'integer' } }] }),
    '/x?__proto__=1',
    200,
    { query: { ['__proto__']: 1 } },
  ],
  [
    'query',
    'a document with a member named __proto__',
    queryParameter({ content: { 'application/json': { schema: {} } } }),
    '/x?p=%7B%22__proto__%22%3A%7B%22polluted%22%3A1%7D%7D',
    200,
    { query: { p: { ['__proto__']: { polluted: 1 } } } },
  ],
  [
    'cookies',
    'one named __proto__',
    operation('get', '/x', { parameters: [{ name: '__proto__', in: 'cookie', schema: { type: 'integer' } }] }),
    '/x',
    200,
    { cookies: { ['__proto__']: 1 } },
    { headers: { cookie: '__proto__=1' } },
  ],
  ['cookies', 'are read', COOKIE, '/x', 200, { cookies: { session: 7 } }, { headers: { cookie: 'a=b; session=7' } }],
  ['cookies', 'are checked', COOKIE, '/x', BAD, undefined, { headers: { cookie: 'session=x' } }],
  ['cookies', 'are required', COOKIE, '/x', BAD],
  [
    'headers',
    'a list',
    headerParameter({ schema: INTEGERS }),
    '/x',
    200,
    { headers: { 'X-P': [1, 2] } },
    { headers: { 'x-p': '1, 2' } },
  ],
  [
    'headers',
    'an object',
    headerParameter({ explode: true, schema: RANGE }),
    '/x',
    200,
    { headers: { 'X-P': { from: 1 } } },
    { headers: { 'x-p': 'from=1' } },
  ],
  [
    'headers',
    'are checked',
    headerParameter({ schema: { type: 'integer' } }),
    '/x',
    BAD,
    undefined,
    { headers: { 'x-p': 'a' } },
  ],
  ['path', 'a list', pathParameter({ schema: INTEGERS }), '/x/1,2', 200, { path: { p: [1, 2] } }],
  [
    'path',
    'label',
    pathParameter({ style: 'label', explode: true, schema: TEXTS }),
    '/x/.a.b',
    200,
    { path: { p: ['a', 'b'] } },
  ],
  [
    'path',
    'label of an object',
    pathParameter({ style: 'label', explode: true, schema: RANGE }),
    '/x/.from=1.to=2',
    200,
    { path: { p: { from: 1, to: 2 } } },
  ],
  [
    'path',
    'matrix',
    pathParameter({ style: 'matrix', schema: { type: 'integer' } }),
    '/x/;p=5',
    200,
    { path: { p: 5 } },
  ],
  [
    'path',
    'matrix of a list',
    pathParameter({ style: 'matrix', explode: true, schema: INTEGERS }),
    '/x/;p=5;p=6',
    200,
    { path: { p: [5, 6] } },
  ],
  ['path', 'is checked', pathParameter({ schema: { type: 'integer' } }), '/x/a', [400, 404, 422]],
  [
    'path',
    'a literal comma and an encoded one',
    pathParameter({ schema: TEXTS }),
    '/x/a%2Cb,c',
    200,
    { path: { p: ['a,b', 'c'] } },
  ],
];

export const PARAMETER_CASES: readonly ConformanceCase[] = [
  ...ROWS.map(([group, name, document, target, status, input, init]) => ({
    group,
    name,
    document,
    target,
    status,
    ...(input === undefined ? {} : { input }),
    ...(init === undefined ? {} : { init }),
  })),
  {
    group: 'query',
    name: 'a violation says where',
    document: api({
      '/x': {
        get: { ...ECHO, parameters: [{ name: 'Take', in: 'query', required: true, schema: { type: 'integer' } }] },
      },
    }),
    target: '/x',
    status: BAD,
    check: (_response, text, { echoes }) => {
      const { violations } = JSON.parse(text) as { violations?: unknown };
      const wanted = [{ in: 'query', pointer: '/Take', message: "must have required property 'Take'" }];
      if (echoes && JSON.stringify(violations) !== JSON.stringify(wanted))
        throw new Error(`the violations are ${JSON.stringify(violations)}`);
    },
  },
];
