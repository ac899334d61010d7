import { api, type ConformanceCase, operation } from './conformance-case.js';

function responses(how: string, content: object, more: object = {}): object {
  return operation('get', '/x', { 'x-handler': how, responses: { 200: { description: 'ok', content } }, ...more });
}

const BINARY = { schema: { type: 'string', format: 'binary' } };
const EVENT = {
  schema: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } },
  'x-event-stream': 'item',
  example: { n: 1 },
};
const ID = {
  'application/json': {
    schema: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
    example: { id: 1 },
  },
};
const ERROR = {
  description: 'not there',
  content: {
    'application/json': {
      schema: { type: 'object' },
      examples: { gone: { value: { code: 'gone' } }, never: { value: { code: 'never' } } },
    },
  },
};
const MOCKED = operation('get', '/x', {
  'x-handler': 'mocker',
  responses: {
    200: { description: 'ok', content: { ...ID, 'application/vnd.b+json': { schema: {}, example: { b: 1 } } } },
    404: ERROR,
  },
});
const DYNAMIC = operation('get', '/x', {
  'x-handler': 'mocker',
  responses: {
    200: {
      description: 'ok',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['text'],
            properties: { text: { type: 'string', minLength: 12, maxLength: 12 } },
          },
        },
      },
    },
  },
});
const UNNAMED = api({ '/x': { get: { 'x-handler': 'mocker', responses: { 204: { description: 'nothing' } } } } });

type Row = readonly [
  group: string,
  name: string,
  document: object,
  init: RequestInit,
  status: number | readonly number[],
  check?: (response: Response, text: string) => void,
];

function text(wanted: string): (response: Response, text: string) => void {
  return (_response, given) => {
    if (given !== wanted) throw new Error(`the body is ${JSON.stringify(given)}`);
  };
}

function prefer(value: string): RequestInit {
  return { headers: { prefer: value } };
}

function accept(value: string): RequestInit {
  return { headers: { accept: value } };
}

const ROWS: readonly Row[] = [
  ['responses', 'a stream', responses('stream', { 'application/octet-stream': BINARY }), {}, 200, text('one two')],
  ['responses', 'a response that breaks the spec is a bug', responses('wrong', ID), {}, 500],
  ['responses', 'a status that is not documented is a bug', responses('teapot', ID), {}, 500],
  ['responses', 'a throw gets a message', responses('throw', ID), {}, 500],
  ['responses', 'what JSON cannot say', responses('unsayable', { 'application/json': { schema: {} } }), {}, 500],
  [
    'responses',
    'events, with a blank line after each',
    responses('events', { 'text/event-stream': EVENT }),
    {},
    200,
    text('data: {"n":1}\n\ndata: {"n":2}\n\n'),
  ],
  ['prefer', 'code', MOCKED, prefer('code=404'), 404, text('{"code":"gone"}')],
  ['prefer', 'code and example', MOCKED, prefer('code=404, example=never'), 404, text('{"code":"never"}')],
  ['prefer', 'a code that is not documented', MOCKED, prefer('code=418'), 404],
  ['negotiation', 'the type that is wanted', MOCKED, accept('application/vnd.b+json'), 200, text('{"b":1}')],
  ['negotiation', 'by quality', MOCKED, accept('application/json;q=0.5, application/vnd.b+json'), 200, text('{"b":1}')],
  ['negotiation', 'a type that is not documented', MOCKED, accept('image/png'), 406],
  ['negotiation', 'anything', MOCKED, accept('*/*'), 200, text('{"id":1}')],
  [
    'negotiation',
    'of our own responses',
    responses('id', { ...ID, 'application/vnd.b+json': ID['application/json'] }),
    accept('application/vnd.b+json'),
    200,
    expectType('application/vnd.b+json'),
  ],
  [
    'negotiation',
    'of our own responses that the client does not accept',
    responses('id', ID),
    accept('image/png'),
    406,
  ],
  ['mocker', 'an operation without a response', UNNAMED, {}, 204, text('')],
];

function expectType(wanted: string): (response: Response) => void {
  return ({ headers }) => {
    if (headers.get('content-type') !== wanted) throw new Error(`the type is ${headers.get('content-type')}`);
  };
}

export const RESPONSE_CASES: readonly ConformanceCase[] = [
  ...ROWS.map(([group, name, document, init, status, check]) => ({
    group,
    name,
    document,
    target: '/x',
    init,
    status,
    ...(check === undefined ? {} : { check }),
  })),
  {
    group: 'responses',
    name: 'bytes are not read as text',
    document: responses('bytes', { 'application/octet-stream': BINARY }),
    target: '/x',
    status: 200,
    check: async (response) => {
      const bytes = Buffer.from(await response.arrayBuffer()).toString('hex');
      if (bytes !== 'ff0080') throw new Error(`the bytes are ${bytes}`);
    },
  },
  {
    group: 'negotiation',
    name: 'one caller does not decide for the next',
    document: MOCKED,
    target: '/x',
    init: accept('application/vnd.b+json'),
    status: 200,
    check: async (_response, _text, { fetch, url }) => {
      const next = await (await fetch(`${url}/x`)).text();
      if (next !== '{"id":1}') throw new Error(`the next response is ${next}`);
    },
  },
  {
    group: 'mocker',
    name: 'a seeded value does not fix the values of other calls',
    document: DYNAMIC,
    target: '/x?n=0',
    init: prefer('dynamic=true'),
    status: 200,
    check: async (_response, first, { fetch, url }) => {
      const others = await Promise.all(
        [1, 2, 3].map(async (n) => (await fetch(`${url}/x?n=${n}`, prefer('dynamic=true'))).text()),
      );
      if (new Set([first, ...others]).size === 1) throw new Error(`all responses are ${first}`);
    },
  },
  {
    group: 'responses',
    name: 'the server lives on after a throw',
    document: responses('throw', ID),
    target: '/x',
    status: 500,
    check: async (_response, _text, { fetch, url }) => {
      const { status } = await fetch(`${url}/x`);
      if (status !== 500) throw new Error(`the next status is ${status}`);
    },
  },
];
