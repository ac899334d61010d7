import { api, type ConformanceCase, ECHO } from './conformance-case.js';

const group = 'routing';
const model = { name: 'model', in: 'path', required: true, schema: { type: 'string' } };

function named(operationId: string): object {
  return {
    operationId,
    ...ECHO,
    responses: {
      200: { description: operationId, content: { 'application/json': { schema: {}, example: { operationId } } } },
    },
  };
}

/** The wrong one stands first on purpose. */
const COLONS = api({
  '/m/{model}': { parameters: [model], post: named('plain') },
  '/m/{model}:predict': { parameters: [model], post: named('predict') },
  '/m/{model}:predictLongRunning': { parameters: [model], post: named('predictLongRunning') },
  '/m/{model}:gen': { parameters: [model], get: named('gen') },
});
const BASES = api(
  {
    '/pets': { get: named('pets') },
    '/own': { servers: [{ url: 'https://other.example.com/own-base' }], get: named('own') },
  },
  {
    servers: [
      { url: 'https://a.example.com/v1/' },
      { url: '/{stage}/v2', variables: { stage: { default: 'live', enum: ['live', 'test'] } } },
    ],
  },
);
/** As GitHub's description has it. */
const several = (name: string): object => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string' },
  'x-multi-segment': true,
});
const SEVERAL = api({
  '/contents/{path}': { parameters: [several('path')], get: named('contents') },
  '/branches/{branch}': { parameters: [several('branch')], get: named('branch') },
  '/branches/{branch}/protection': { parameters: [several('branch')], get: named('protection') },
});
const PLAIN = api({
  '/pets': { get: named('pets'), post: named('addPet') },
  '/pets/mine': { get: named('mine') },
  '/pets/{id}': {
    get: { ...named('pet'), parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }] },
  },
  '/files/{name}.{type}': {
    get: {
      ...named('file'),
      parameters: ['name', 'type'].map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    },
  },
});

type Row = readonly [
  name: string,
  document: object,
  target: string,
  status: number,
  operationOrInput?: unknown,
  init?: RequestInit,
];

const ROWS: readonly Row[] = [
  [
    'a literal colon goes before a parameter',
    COLONS,
    '/m/x:predict',
    200,
    { operation: 'predict', path: { model: 'x' } },
    { method: 'POST' },
  ],
  [
    'a match is anchored',
    COLONS,
    '/m/x:predictLongRunning',
    200,
    { operation: 'predictLongRunning', path: { model: 'x' } },
    { method: 'POST' },
  ],
  [
    'a colon may be encoded',
    COLONS,
    '/m/x%3Apredict',
    200,
    { operation: 'predict', path: { model: 'x' } },
    { method: 'POST' },
  ],
  [
    'a value may have its own colon',
    COLONS,
    '/m/a%3Ab:predict',
    200,
    { operation: 'predict', path: { model: 'a:b' } },
    { method: 'POST' },
  ],
  [
    'without a colon the plain path is meant',
    COLONS,
    '/m/x',
    200,
    { operation: 'plain', path: { model: 'x' } },
    { method: 'POST' },
  ],
  ['the base path of a server', BASES, '/v1/pets', 200, { operation: 'pets' }],
  ['the base path of another server, with a variable', BASES, '/test/v2/pets', 200, { operation: 'pets' }],
  ['a value that the variable does not have', BASES, '/nope/v2/pets', 404],
  ['the server of an operation', BASES, '/own-base/own', 200, { operation: 'own' }],
  ['a slash at the end', PLAIN, '/pets/', 200, { operation: 'pets' }],
  ['two slashes are no host', PLAIN, '//pets', 200, { operation: 'pets' }],
  ['two slashes before an unknown path', PLAIN, '//evil.example.com/pets/mine/x', 404],
  ['a fixed path goes before a parameter', PLAIN, '/pets/mine', 200, { operation: 'mine' }],
  ['an encoded slash stays in its segment', PLAIN, '/pets/a%2Fb', 200, { operation: 'pet', path: { id: 'a/b' } }],
  ['an encoded letter of a fixed path', PLAIN, '/%70ets', 200, { operation: 'pets' }],
  [
    'two parameters in a segment',
    PLAIN,
    '/files/a.b.png',
    200,
    { operation: 'file', path: { name: 'a', type: 'b.png' } },
  ],
  [
    'several segments',
    SEVERAL,
    '/contents/src/a%20b/c.ts',
    200,
    { operation: 'contents', path: { path: 'src/a b/c.ts' } },
  ],
  ['one of several segments', SEVERAL, '/contents/c.ts', 200, { operation: 'contents', path: { path: 'c.ts' } }],
  ['none of several segments', SEVERAL, '/contents/', 404],
  [
    'several segments before a literal one',
    SEVERAL,
    '/branches/feature/x/protection',
    200,
    { operation: 'protection', path: { branch: 'feature/x' } },
  ],
  [
    'several segments to the end',
    SEVERAL,
    '/branches/feature/x',
    200,
    { operation: 'branch', path: { branch: 'feature/x' } },
  ],
  ['endless segments', SEVERAL, `/contents${'/a'.repeat(10_000)}`, 404],
  ['a broken encoding', PLAIN, '/pets/%zz', 400],
  ['an unknown path', PLAIN, '/pots', 404],
  ['a plus in a path is itself', PLAIN, '/pets/a+b', 200, { path: { id: 'a+b' } }],
];

export const ROUTING_CASES: readonly ConformanceCase[] = [
  ...ROWS.map(([name, document, target, status, input, init]) => ({
    group,
    name,
    document,
    target,
    status,
    ...(input === undefined ? {} : { input }),
    ...(init === undefined ? {} : { init }),
  })),
  {
    group,
    name: 'HEAD is handled like GET, without a body',
    document: PLAIN,
    target: '/pets/1',
    init: { method: 'HEAD' },
    status: 200,
    check: (response, text) => {
      if (text !== '') throw new Error('HEAD has a body');
      if (!response.headers.get('content-type')?.includes('json')) throw new Error('HEAD lacks the headers of GET');
    },
  },
  {
    group,
    name: 'OPTIONS tells the methods',
    document: PLAIN,
    target: '/pets',
    init: { method: 'OPTIONS' },
    status: [200, 204],
    check: expectAllow(['GET', 'HEAD', 'OPTIONS', 'POST']),
  },
  {
    group,
    name: 'a literal colon is no part of an id, with another method neither',
    document: COLONS,
    target: '/m/x:gen',
    init: { method: 'POST' },
    status: 405,
    check: expectAllow(['GET', 'HEAD', 'OPTIONS']),
  },
  {
    group,
    name: 'a wrong method gets the right ones in Allow',
    document: PLAIN,
    target: '/pets',
    init: { method: 'DELETE' },
    status: 405,
    check: expectAllow(['GET', 'HEAD', 'OPTIONS', 'POST']),
  },
];

function expectAllow(methods: readonly string[]): (response: Response) => void {
  return ({ headers }) => {
    const allowed = (headers.get('allow') ?? '').split(/,\s*/).toSorted();
    if (allowed.join() !== methods.join()) throw new Error(`Allow is ${allowed.join()}`);
  };
}
