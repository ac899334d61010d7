import type { ChangeKind } from '../../diff/index.js';

/** A change of a document around its schemas: what it was, what it is, and the one change that is found. */
export interface DocumentRow {
  readonly kind: ChangeKind;
  readonly old: object;
  readonly new: object;
  readonly levels: string;
  readonly message: string;
  readonly at: readonly [string, string];
  /** Whether the other way round it has changed kind of change that has no opposite of its own. */
  readonly oneWay?: true;
}

const DONE = { 200: { description: 'done' } };
const GET = '/paths/~1things~1{id}/get';
const POST = '/paths/~1things/post';
const HOOK = '/webhooks/happened/post';
const ID = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const string = { schema: { type: 'string' } };
const JSON_TEXT = { 'application/json': { schema: { type: 'string' } } };

function document(parts: object): object {
  return { openapi: '3.1.0', info: { title: 'Test', version: '1' }, paths: {}, ...parts };
}

/** A document with one operation, `GET /things/{id}`. */
function get(operation: object, more: object = {}): object {
  return document({
    paths: { '/things/{id}': { get: { operationId: 'getThing', responses: DONE, parameters: [ID], ...operation } } },
    ...more,
  });
}

/** A document with one operation, `POST /things`. */
function post(operation: object, more: object = {}): object {
  return document({
    paths: { '/things': { post: { operationId: 'addThing', responses: DONE, ...operation } } },
    ...more,
  });
}

/** A document with one webhook. */
function hook(operation: object): object {
  return document({ webhooks: { happened: { post: { operationId: 'happened', responses: DONE, ...operation } } } });
}

function query(more: object): object {
  return { parameters: [ID, { name: 'q', in: 'query', ...string, ...more }] };
}

function response(more: object): object {
  return { responses: { 200: { description: 'done', ...more } } };
}

function secured(security: readonly object[], more: object = {}): object {
  const securitySchemes = {
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    basic: { type: 'http', scheme: 'basic' },
    oauth: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://a.example/token', scopes: {} } } },
    ...more,
  };
  return post({ security }, { components: { securitySchemes } });
}

function served(...urls: readonly string[]): object {
  return post({}, { servers: urls.map((url) => ({ url })) });
}

/** Rows about operations, webhooks and callbacks. */
export const OPERATION_ROWS: readonly DocumentRow[] = [
  {
    kind: 'operation-added',
    old: document({}),
    new: post({}),
    levels: 'safe / -',
    message: '"POST /things" is new.',
    at: ['/paths', POST],
  },
  {
    kind: 'operation-removed',
    old: post({}),
    new: document({}),
    levels: 'breaking / -',
    message: '"POST /things" is gone.',
    at: [POST, '/paths'],
  },
  {
    kind: 'operation-removed',
    old: post({ deprecated: true }),
    new: document({}),
    levels: 'risky / -',
    message: '"POST /things" is gone; it was deprecated.',
    at: [POST, '/paths'],
  },
  {
    kind: 'operation-moved',
    old: get({}),
    new: document({
      paths: { '/items/{id}': { get: { operationId: 'getThing', responses: DONE, parameters: [ID] } } },
    }),
    levels: 'breaking / -',
    message: '"GET /items/{id}" was "GET /things/{id}".',
    at: [GET, '/paths/~1items~1{id}/get'],
  },
  {
    kind: 'operation-id-changed',
    old: get({}),
    new: get({ operationId: 'readThing' }),
    levels: 'risky / -',
    message: 'The operationId of "GET /things/{id}" is "readThing", was "getThing".',
    at: [`${GET}/operationId`, `${GET}/operationId`],
  },
  {
    kind: 'webhook-added',
    old: document({}),
    new: hook({}),
    levels: '- / safe',
    message: 'The webhook "POST happened" is new.',
    at: ['', HOOK],
  },
  {
    kind: 'webhook-removed',
    old: hook({}),
    new: document({}),
    levels: '- / breaking',
    message: 'The webhook "POST happened" is gone.',
    at: [HOOK, ''],
  },
  {
    kind: 'webhook-removed',
    old: post({ callbacks: { done: { '{$request.body#/url}': { post: { operationId: 'tell', responses: DONE } } } } }),
    new: post({}),
    levels: '- / breaking',
    message: 'The callback "POST done {$request.body#/url}" is gone.',
    at: [`${POST}/callbacks/done/{$request.body#~1url}/post`, POST],
  },
  {
    kind: 'deprecated',
    old: get({}),
    new: get({ deprecated: true }),
    levels: 'safe / -',
    message: '"GET /things/{id}" is deprecated now.',
    at: [GET, `${GET}/deprecated`],
  },
  {
    kind: 'undeprecated',
    old: get({ deprecated: true }),
    new: get({}),
    levels: 'safe / -',
    message: '"GET /things/{id}" is not deprecated any more.',
    at: [`${GET}/deprecated`, GET],
  },
  {
    kind: 'sunset-set',
    old: get({}),
    new: get({ 'x-sunset': '2030-01-01' }),
    levels: 'risky / -',
    message: 'The sunset of "GET /things/{id}" is "2030-01-01", was not there.',
    oneWay: true,
    at: [GET, `${GET}/x-sunset`],
  },
  {
    kind: 'sunset-changed',
    old: get({ 'x-sunset': '2030-01-01' }),
    new: get({ 'x-sunset': '2029-01-01' }),
    levels: 'breaking / -',
    message: 'The sunset of "GET /things/{id}" is "2029-01-01", was "2030-01-01".',
    at: [`${GET}/x-sunset`, `${GET}/x-sunset`],
  },
  {
    kind: 'sunset-changed',
    old: get({ 'x-sunset': '2030-01-01' }),
    new: get({ 'x-sunset': '2031-01-01' }),
    levels: 'risky / -',
    message: 'The sunset of "GET /things/{id}" is "2031-01-01", was "2030-01-01".',
    at: [`${GET}/x-sunset`, `${GET}/x-sunset`],
  },
  {
    kind: 'sunset-changed',
    old: get({ deprecated: true, 'x-sunset': '2030-01-01' }),
    new: get({ deprecated: true }),
    levels: 'breaking / -',
    message: 'The sunset of "GET /things/{id}" is gone, was "2030-01-01".',
    oneWay: true,
    at: [`${GET}/x-sunset`, GET],
  },
  {
    kind: 'stability-lowered',
    old: get({}),
    new: get({ 'x-stability-level': 'beta' }),
    levels: 'breaking / -',
    message: 'The stability of "GET /things/{id}" is "beta", was "stable".',
    at: [GET, `${GET}/x-stability-level`],
  },
  {
    kind: 'stability-raised',
    old: get({ 'x-stability-level': 'alpha' }),
    new: get({ 'x-stability-level': 'beta' }),
    levels: 'safe / -',
    message: 'The stability of "GET /things/{id}" is "beta", was "alpha".',
    oneWay: true,
    at: [`${GET}/x-stability-level`, `${GET}/x-stability-level`],
  },
  {
    kind: 'tags-changed',
    old: get({ tags: ['a', 'b'] }),
    new: get({ tags: ['c'] }),
    levels: 'safe / -',
    message: '"GET /things/{id}" has other tags.',
    at: [`${GET}/tags`, `${GET}/tags`],
  },
  {
    kind: 'helper-changed',
    old: get({ 'x-pagination': { style: 'offset' } }),
    new: get({}),
    levels: 'risky / -',
    message: '"x-pagination" of "GET /things/{id}" is gone.',
    at: [`${GET}/x-pagination`, GET],
  },
  {
    kind: 'info-changed',
    old: get({}),
    new: get({}, { info: { title: 'Test', version: '2' } }),
    levels: 'safe / -',
    message: 'The version of the API is "2", was "1".',
    at: ['/info/version', '/info/version'],
  },
];

/** Rows about parameters and request bodies. */
export const INPUT_ROWS: readonly DocumentRow[] = [
  {
    kind: 'path-parameter-renamed',
    old: get({}),
    new: document({
      paths: {
        '/things/{key}': {
          get: { operationId: 'getThing', responses: DONE, parameters: [{ ...ID, name: 'key' }] },
        },
      },
    }),
    levels: 'safe / -',
    message: 'The path parameter "id" is called "key" now.',
    at: [`${GET}/parameters/0`, '/paths/~1things~1{key}/get/parameters/0'],
  },
  {
    kind: 'parameter-added',
    old: get({}),
    new: get(query({})),
    levels: 'safe / -',
    message: 'The query parameter "q" is new.',
    at: [`${GET}/parameters`, `${GET}/parameters/1`],
  },
  {
    kind: 'parameter-added',
    old: get({}),
    new: get(query({ required: true })),
    levels: 'breaking / -',
    message: 'The query parameter "q" is new and required.',
    at: [`${GET}/parameters`, `${GET}/parameters/1`],
  },
  {
    kind: 'parameter-added',
    old: hook({}),
    new: hook({ parameters: [{ name: 'q', in: 'query', required: true, ...string }] }),
    levels: '- / safe',
    message: 'The query parameter "q" is new and required.',
    at: [HOOK, `${HOOK}/parameters/0`],
  },
  {
    kind: 'parameter-removed',
    old: get(query({})),
    new: get({}),
    levels: 'risky / -',
    message: 'The query parameter "q" is gone.',
    at: [`${GET}/parameters/1`, `${GET}/parameters`],
  },
  {
    kind: 'parameter-removed',
    old: hook({ parameters: [{ name: 'q', in: 'query', required: true, ...string }] }),
    new: hook({}),
    levels: '- / breaking',
    message: 'The query parameter "q" is gone.',
    at: [`${HOOK}/parameters/0`, HOOK],
  },
  {
    kind: 'parameter-became-required',
    old: get(query({})),
    new: get(query({ required: true })),
    levels: 'breaking / -',
    message: 'The query parameter "q" is required now.',
    at: [`${GET}/parameters/1`, `${GET}/parameters/1`],
  },
  {
    kind: 'parameter-became-optional',
    old: get(query({ required: true })),
    new: get(query({})),
    levels: 'safe / -',
    message: 'The query parameter "q" is optional now.',
    at: [`${GET}/parameters/1`, `${GET}/parameters/1`],
  },
  {
    kind: 'parameter-moved',
    old: get(query({})),
    new: get(query({ in: 'header' })),
    levels: 'breaking / -',
    message: 'The parameter "q" is in the header, was in the query.',
    at: [`${GET}/parameters/1`, `${GET}/parameters/1`],
  },
  {
    kind: 'parameter-style-changed',
    old: get(query({ schema: { type: 'array' } })),
    new: get(query({ schema: { type: 'array' }, explode: false })),
    levels: 'breaking / -',
    message: 'The query parameter "q" is written as form, was form, exploded.',
    at: [`${GET}/parameters/1`, `${GET}/parameters/1`],
  },
  {
    kind: 'parameter-style-changed',
    old: get(query({})),
    new: get({ parameters: [ID, { name: 'q', in: 'query', content: JSON_TEXT }] }),
    levels: 'breaking / -',
    message: 'The query parameter "q" is written as "application/json", was a plain value.',
    at: [`${GET}/parameters/1`, `${GET}/parameters/1`],
  },
  {
    kind: 'empty-value-refused',
    old: get(query({ allowEmptyValue: true })),
    new: get(query({})),
    levels: 'breaking / -',
    message: 'The query parameter "q" must not be empty any more.',
    at: [`${GET}/parameters/1`, `${GET}/parameters/1`],
  },
  {
    kind: 'empty-value-allowed',
    old: get(query({})),
    new: get(query({ allowEmptyValue: true })),
    levels: 'safe / -',
    message: 'The query parameter "q" may be empty now.',
    at: [`${GET}/parameters/1`, `${GET}/parameters/1`],
  },
  {
    kind: 'deprecated',
    old: get(query({})),
    new: get(query({ deprecated: true })),
    levels: 'safe / -',
    message: 'The query parameter "q" is deprecated now.',
    at: [`${GET}/parameters/1`, `${GET}/parameters/1`],
  },
  {
    kind: 'default-changed',
    old: get(query({ schema: { type: 'integer' } })),
    new: get(query({ schema: { type: 'integer', default: 20 } })),
    levels: 'risky / -',
    message: 'The default of the query parameter "q" is 20, was not there.',
    at: [`${GET}/parameters/1/schema`, `${GET}/parameters/1/schema/default`],
  },
  {
    kind: 'length-tightened',
    old: get(query({})),
    new: get(query({ schema: { type: 'string', maxLength: 5 } })),
    levels: 'breaking / -',
    message: 'The maxLength of the query parameter "q" is 5, was not there.',
    at: [`${GET}/parameters/1/schema`, `${GET}/parameters/1/schema/maxLength`],
  },
  {
    kind: 'type-widened',
    old: get(query({ schema: { type: 'integer' } })),
    new: get(query({})),
    levels: 'safe / -',
    message: 'The query parameter "q" is a string, was an integer.',
    oneWay: true,
    at: [`${GET}/parameters/1/schema`, `${GET}/parameters/1/schema`],
  },
  {
    kind: 'body-added',
    old: post({}),
    new: post({ requestBody: { content: JSON_TEXT } }),
    levels: 'safe / -',
    message: 'The request body is new.',
    at: [POST, `${POST}/requestBody`],
  },
  {
    kind: 'body-added',
    old: post({}),
    new: post({ requestBody: { required: true, content: JSON_TEXT } }),
    levels: 'breaking / -',
    message: 'The request body is new and required.',
    at: [POST, `${POST}/requestBody`],
  },
  {
    kind: 'body-removed',
    old: post({ requestBody: { content: JSON_TEXT } }),
    new: post({}),
    levels: 'breaking / -',
    message: 'The request body is gone.',
    at: [`${POST}/requestBody`, POST],
  },
  {
    kind: 'body-became-required',
    old: post({ requestBody: { content: JSON_TEXT } }),
    new: post({ requestBody: { required: true, content: JSON_TEXT } }),
    levels: 'breaking / -',
    message: 'The request body is required now.',
    at: [`${POST}/requestBody`, `${POST}/requestBody`],
  },
  {
    kind: 'body-became-optional',
    old: hook({ requestBody: { required: true, content: JSON_TEXT } }),
    new: hook({ requestBody: { content: JSON_TEXT } }),
    levels: '- / breaking',
    message: 'The request body is optional now.',
    at: [`${HOOK}/requestBody`, `${HOOK}/requestBody`],
  },
  {
    kind: 'media-type-added',
    old: post({ requestBody: { content: JSON_TEXT } }),
    new: post({ requestBody: { content: { ...JSON_TEXT, 'text/csv': {} } } }),
    levels: 'safe / -',
    message: 'The request body may be "text/csv" now.',
    at: [`${POST}/requestBody/content`, `${POST}/requestBody/content/text~1csv`],
  },
  {
    kind: 'media-type-added',
    old: hook({ requestBody: { content: JSON_TEXT } }),
    new: hook({ requestBody: { content: { ...JSON_TEXT, 'text/csv': {} } } }),
    levels: '- / breaking',
    message: 'The request body may be "text/csv" now.',
    at: [`${HOOK}/requestBody/content`, `${HOOK}/requestBody/content/text~1csv`],
  },
  {
    kind: 'media-type-removed',
    old: post(response({ content: { ...JSON_TEXT, 'text/csv': {} } })),
    new: post(response({ content: JSON_TEXT })),
    levels: '- / breaking',
    message: 'The response 200 no longer has the media type "text/csv".',
    at: [`${POST}/responses/200/content/text~1csv`, `${POST}/responses/200/content`],
  },
  {
    kind: 'encoding-changed',
    old: post({ requestBody: { content: { 'multipart/form-data': form({}) } } }),
    new: post({ requestBody: { content: { 'multipart/form-data': form({ a: { contentType: 'image/png' } }) } } }),
    levels: 'breaking / -',
    message: 'The member "a" of the form is written as "image/png", was "text/plain".',
    at: [
      `${POST}/requestBody/content/multipart~1form-data/encoding`,
      `${POST}/requestBody/content/multipart~1form-data/encoding/a`,
    ],
  },
];

function form(encoding: object): object {
  return { schema: { type: 'object', properties: { a: { type: 'string' } } }, encoding };
}

/** Rows about responses. */
export const RESPONSE_ROWS: readonly DocumentRow[] = [
  {
    kind: 'success-response-added',
    old: post({}),
    new: post({ responses: { ...DONE, 202: { description: 'later' } } }),
    levels: '- / risky',
    message: 'The response 202 is new.',
    at: [`${POST}/responses`, `${POST}/responses/202`],
  },
  {
    kind: 'success-response-removed',
    old: post({ responses: { ...DONE, 202: { description: 'later' } } }),
    new: post({}),
    levels: '- / breaking',
    message: 'The response 202 is gone.',
    at: [`${POST}/responses/202`, `${POST}/responses`],
  },
  {
    kind: 'error-response-added',
    old: post({}),
    new: post({ responses: { ...DONE, default: { description: 'no' } } }),
    levels: '- / safe',
    message: 'The response default is new.',
    at: [`${POST}/responses`, `${POST}/responses/default`],
  },
  {
    kind: 'error-response-removed',
    old: post({ responses: { ...DONE, 404: { description: 'no' } } }),
    new: post({}),
    levels: '- / risky',
    message: 'The response 404 is gone.',
    at: [`${POST}/responses/404`, `${POST}/responses`],
  },
  {
    kind: 'header-added',
    old: post(response({ headers: {} })),
    new: post(response({ headers: { 'X-A': string } })),
    levels: '- / safe',
    message: 'The header "X-A" of the response 200 is new.',
    at: [`${POST}/responses/200/headers`, `${POST}/responses/200/headers/X-A`],
  },
  {
    kind: 'header-added',
    old: hook(response({ headers: {} })),
    new: hook(response({ headers: { 'X-A': { ...string, required: true } } })),
    levels: 'breaking / -',
    message: 'The header "X-A" of the response 200 is new and required.',
    at: [`${HOOK}/responses/200/headers`, `${HOOK}/responses/200/headers/X-A`],
  },
  {
    kind: 'header-removed',
    old: post(response({ headers: { 'X-A': string } })),
    new: post(response({ headers: {} })),
    levels: '- / risky',
    message: 'The header "X-A" of the response 200 is gone.',
    at: [`${POST}/responses/200/headers/X-A`, `${POST}/responses/200/headers`],
  },
  {
    kind: 'header-removed',
    old: post(response({ headers: { 'X-A': { ...string, required: true } } })),
    new: post(response({ headers: {} })),
    levels: '- / breaking',
    message: 'The header "X-A" of the response 200 is gone.',
    at: [`${POST}/responses/200/headers/X-A`, `${POST}/responses/200/headers`],
  },
  {
    kind: 'header-became-required',
    old: post(response({ headers: { 'X-A': string } })),
    new: post(response({ headers: { 'x-a': { ...string, required: true } } })),
    levels: '- / safe',
    message: 'The header "x-a" of the response 200 is always there now.',
    at: [`${POST}/responses/200/headers/X-A`, `${POST}/responses/200/headers/x-a`],
  },
  {
    kind: 'header-became-optional',
    old: post(response({ headers: { 'X-A': { ...string, required: true } } })),
    new: post(response({ headers: { 'X-A': string } })),
    levels: '- / breaking',
    message: 'The header "X-A" of the response 200 is optional now.',
    at: [`${POST}/responses/200/headers/X-A`, `${POST}/responses/200/headers/X-A`],
  },
  {
    kind: 'type-changed',
    old: post(response({ headers: { 'X-A': string } })),
    new: post(response({ headers: { 'X-A': { schema: { type: 'integer' } } } })),
    levels: '- / breaking',
    message: 'The header "X-A" of the response 200 is an integer, was a string.',
    at: [`${POST}/responses/200/headers/X-A/schema/type`, `${POST}/responses/200/headers/X-A/schema/type`],
  },
  {
    kind: 'link-added',
    old: post(response({ links: {} })),
    new: post(response({ links: { again: { operationId: 'addThing' } } })),
    levels: '- / safe',
    message: 'The link "again" of the response 200 is new.',
    at: [`${POST}/responses/200`, `${POST}/responses/200/links/again`],
  },
  {
    kind: 'link-removed',
    old: post(response({ links: { again: { operationId: 'addThing' } } })),
    new: post(response({ links: {} })),
    levels: '- / risky',
    message: 'The link "again" of the response 200 is gone.',
    at: [`${POST}/responses/200/links/again`, `${POST}/responses/200`],
  },
  {
    kind: 'link-changed',
    old: post(response({ links: { again: { operationId: 'addThing' } } })),
    new: post(response({ links: { again: { operationId: 'addThing', parameters: { a: 1 } } } })),
    levels: '- / risky',
    message: 'The link "again" of the response 200 leads elsewhere, or takes other values.',
    at: [`${POST}/responses/200/links/again`, `${POST}/responses/200/links/again`],
  },
];

/** Rows about security and servers. */
export const ACCESS_ROWS: readonly DocumentRow[] = [
  {
    kind: 'credential-demanded',
    old: secured([{ key: [] }, {}]),
    new: secured([{ key: [] }]),
    levels: 'breaking / -',
    message: 'A credential is demanded now: "key".',
    at: [`${POST}/security`, `${POST}/security`],
  },
  {
    kind: 'credential-not-demanded',
    old: secured([{ key: [] }]),
    new: secured([]),
    levels: 'safe / -',
    message: 'No credential is demanded any more.',
    at: [`${POST}/security`, `${POST}/security`],
  },
  {
    kind: 'security-alternative-added',
    old: secured([{ key: [] }]),
    new: secured([{ basic: [] }, { key: [] }]),
    levels: 'safe / -',
    message: '"basic" is accepted now.',
    at: [`${POST}/security`, `${POST}/security`],
  },
  {
    kind: 'security-alternative-removed',
    old: secured([{ key: [] }, { basic: [] }]),
    new: secured([{ key: [] }]),
    levels: 'breaking / -',
    message: '"basic" is not accepted any more.',
    at: [`${POST}/security`, `${POST}/security`],
  },
  {
    kind: 'scope-added',
    old: secured([{ oauth: ['read'] }]),
    new: secured([{ oauth: ['read', 'write'] }]),
    levels: 'breaking / -',
    message: '"oauth" needs the scope "write" now.',
    at: [`${POST}/security`, `${POST}/security`],
  },
  {
    kind: 'scope-removed',
    old: secured([{ oauth: ['read', 'write'] }]),
    new: secured([{ oauth: ['read'] }]),
    levels: 'safe / -',
    message: '"oauth" no longer needs the scope "write".',
    at: [`${POST}/security`, `${POST}/security`],
  },
  {
    kind: 'security-scheme-changed',
    old: secured([{ oauth: [] }]),
    new: secured([{ oauth: [] }], {
      oauth: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://b.example/token', scopes: {} } } },
    }),
    levels: 'risky / -',
    message: 'The security scheme "oauth" has other flows or addresses.',
    at: ['/components/securitySchemes/oauth', '/components/securitySchemes/oauth'],
  },
  {
    kind: 'base-path-changed',
    old: served('/v1'),
    new: served('/v2'),
    levels: 'breaking / -',
    message: 'No server has the base path "/v1" any more; there is "/v2".',
    at: ['/servers', '/servers'],
  },
  {
    kind: 'server-added',
    old: served('https://a.example/v1'),
    new: served('https://a.example/v1/', 'https://b.example/v1'),
    levels: 'safe / -',
    message: 'The server "https://b.example/v1" is new.',
    at: ['/servers', '/servers'],
  },
  {
    kind: 'server-removed',
    old: served('https://a.example/v1', 'https://b.example/v1'),
    new: served('https://a.example/v1'),
    levels: 'risky / -',
    message: 'The server "https://b.example/v1" is gone.',
    at: ['/servers', '/servers'],
  },
  {
    kind: 'schema-added',
    old: post({}, { components: { schemas: {} } }),
    new: post({}, { components: { schemas: { A: { type: 'string' } } } }),
    levels: 'safe / safe',
    message: 'The schema "A" is new; no operation uses it.',
    at: ['/components/schemas', '/components/schemas/A'],
  },
  {
    kind: 'schema-removed',
    old: post({}, { components: { schemas: { A: { type: 'string' } } } }),
    new: post({}, { components: { schemas: {} } }),
    levels: 'risky / risky',
    message: 'The schema "A" is gone; no operation used it.',
    at: ['/components/schemas/A', '/components/schemas'],
  },
];
