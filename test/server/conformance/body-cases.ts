import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

import { body, type ConformanceCase, operation, post, postJson } from './conformance-case.js';

const NAMED = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, tags: { type: 'array', items: { type: 'integer' } } },
};
const JSON_BODY = body('application/json', NAMED);
const FORM = body('application/x-www-form-urlencoded', {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    age: { type: 'integer' },
    tags: { type: 'array', items: { type: 'integer' } },
    meta: { type: 'object', properties: { a: { type: 'integer' } } },
  },
});
const FORM_ENCODED = body(
  'application/x-www-form-urlencoded',
  {
    type: 'object',
    properties: {
      tags: { type: 'array', items: { type: 'integer' } },
      deep: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
    },
  },
  { encoding: { tags: { style: 'form', explode: false }, deep: { style: 'deepObject', explode: true } } },
);
const MULTIPART = body('multipart/form-data', {
  type: 'object',
  required: ['meta', 'file'],
  properties: {
    meta: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
    file: { type: 'string', format: 'binary' },
    count: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
  },
});
const RECURSIVE = body(
  'application/x-www-form-urlencoded',
  { $ref: '#/components/schemas/Node' },
  {},
  {
    components: {
      schemas: {
        Node: {
          type: 'object',
          required: ['id'],
          properties: { id: { type: 'integer' }, child: { $ref: '#/components/schemas/Node' } },
        },
      },
    },
  },
);
const BINARY = body('application/octet-stream', { type: 'string', format: 'binary' });
const TEXT = body('text/plain', { type: 'string', maxLength: 3 });
const OPTIONAL = operation('post', '/x', { requestBody: { content: { 'application/json': { schema: NAMED } } } });
const RANGES = body('image/*', { type: 'string', format: 'binary' });

function multipart(parts: readonly string[], end = '--b--\r\n'): RequestInit {
  return post(`${parts.map((part) => `--b\r\n${part}\r\n`).join('')}${end}`, 'multipart/form-data; boundary=b');
}

function part(name: string, content: string, more = ''): string {
  return `Content-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}`;
}

function typedPart(name: string, type: string, content: string): string {
  return `Content-Disposition: form-data; name="${name}"\r\nContent-Type: ${type}\r\n\r\n${content}`;
}

function encoded(bytes: Uint8Array, encoding: string): RequestInit {
  return post(new Uint8Array(bytes), 'application/json', { 'content-encoding': encoding });
}

function chunked(text: string, contentType: string): () => RequestInit {
  return () => {
    const init = {
      method: 'POST',
      body: new Blob([text]).stream(),
      duplex: 'half',
      headers: { 'content-type': contentType },
    };
    return init;
  };
}

const OK = '{"name":"é"}';
const FILE = part('file', 'bytes', '; filename="a.bin"');
const META = typedPart('meta', 'application/json', '{"a":1}');
const BAD = [400, 422];

type Row = readonly [
  group: string,
  name: string,
  document: object,
  init: RequestInit | (() => RequestInit),
  status: number | readonly number[],
  input?: unknown,
];

const ROWS: readonly Row[] = [
  ['json', 'is read', JSON_BODY, postJson({ name: 'a', other: 1 }), 200, { body: { name: 'a', other: 1 } }],
  ['json', 'is checked', JSON_BODY, postJson({ name: 1 }), BAD],
  ['json', 'must be JSON', JSON_BODY, post('{"name"', 'application/json'), BAD],
  [
    'json',
    'a required body must be there',
    JSON_BODY,
    { method: 'POST', headers: { 'content-type': 'application/json' } },
    BAD,
  ],
  ['json', 'an optional body need not', OPTIONAL, { method: 'POST' }, 200],
  ['json', 'an optional body is checked', OPTIONAL, postJson({}), BAD],
  [
    'json',
    'null is a body',
    body('application/json', { type: ['null', 'integer'] }),
    post('null', 'application/json'),
    200,
    { body: null },
  ],
  [
    'json',
    'in another charset',
    JSON_BODY,
    post(new Uint8Array(Buffer.from(OK, 'utf16le')), 'application/json; charset=utf-16le'),
    200,
    { body: { name: 'é' } },
  ],
  [
    'json',
    'in latin1',
    JSON_BODY,
    post(new Uint8Array(Buffer.from(OK, 'latin1')), 'application/json; charset=iso-8859-1'),
    200,
    { body: { name: 'é' } },
  ],
  ['json', 'in an unknown charset', JSON_BODY, post(OK, 'application/json; charset=klingon'), 415],
  ['json', 'that is no UTF-8', JSON_BODY, post(new Uint8Array(Buffer.from(OK, 'latin1')), 'application/json'), BAD],
  ['encodings', 'gzip', JSON_BODY, encoded(gzipSync(OK), 'gzip'), 200, { body: { name: 'é' } }],
  ['encodings', 'deflate', JSON_BODY, encoded(deflateSync(OK), 'deflate'), 200, { body: { name: 'é' } }],
  ['encodings', 'raw deflate', JSON_BODY, encoded(deflateRawSync(OK), 'deflate'), 200, { body: { name: 'é' } }],
  ['encodings', 'br', JSON_BODY, encoded(brotliCompressSync(OK), 'br'), 200, { body: { name: 'é' } }],
  [
    'encodings',
    'two of them',
    JSON_BODY,
    encoded(gzipSync(brotliCompressSync(OK)), 'br, gzip'),
    200,
    { body: { name: 'é' } },
  ],
  ['encodings', 'broken gzip', JSON_BODY, encoded(Buffer.from('no gzip'), 'gzip'), 400],
  ['encodings', 'gzip that is cut off', JSON_BODY, encoded(gzipSync(OK).subarray(0, 20), 'gzip'), 400],
  ['encodings', 'unknown', JSON_BODY, encoded(Buffer.from(OK), 'zip'), 415],
  ['encodings', 'a gzip bomb', JSON_BODY, encoded(gzipSync(Buffer.alloc(8_000_000)), 'gzip'), 413],
  ['media types', 'another one', JSON_BODY, post('<a/>', 'application/xml'), 415],
  ['media types', 'a malformed one', JSON_BODY, post(OK, 'application'), 415],
  ['media types', 'another one in chunks', JSON_BODY, chunked('<a/>', 'application/xml'), 415],
  ['media types', 'in chunks', JSON_BODY, chunked(OK, 'application/json'), 200, { body: { name: 'é' } }],
  ['media types', 'letter case does not count', JSON_BODY, post(OK, 'Application/JSON; Charset="UTF-8"'), 200],
  ['media types', 'a range', RANGES, post('x', 'image/png'), 200],
  ['media types', 'out of a range', RANGES, post('x', 'video/mp4'), 415],
  [
    'forms',
    'by schema',
    FORM,
    post('name=a+b&age=7', 'application/x-www-form-urlencoded'),
    200,
    { body: { name: 'a b', age: 7 } },
  ],
  [
    'forms',
    'repeated names need no encoding entry',
    FORM,
    post('name=a&tags=1&tags=2', 'application/x-www-form-urlencoded'),
    200,
    { body: { tags: [1, 2] } },
  ],
  [
    'forms',
    'one value is a list of one',
    FORM,
    post('name=a&tags=1', 'application/x-www-form-urlencoded'),
    200,
    { body: { tags: [1] } },
  ],
  [
    'forms',
    'brackets',
    FORM,
    post('name=a&tags[]=1&tags[]=2&meta[a]=3', 'application/x-www-form-urlencoded'),
    200,
    { body: { tags: [1, 2], meta: { a: 3 } } },
  ],
  [
    'forms',
    'an object is JSON',
    FORM,
    post('name=a&meta=%7B%22a%22%3A3%7D', 'application/x-www-form-urlencoded'),
    200,
    { body: { meta: { a: 3 } } },
  ],
  ['forms', 'is checked', FORM, post('name=a&age=x', 'application/x-www-form-urlencoded'), BAD],
  ['forms', 'required members', FORM, post('age=7', 'application/x-www-form-urlencoded'), BAD],
  [
    'forms',
    'with encodings',
    FORM_ENCODED,
    post('tags=1,2&deep[a]=3', 'application/x-www-form-urlencoded'),
    200,
    { body: { tags: [1, 2], deep: { a: 3 } } },
  ],
  ['forms', 'encodings are checked', FORM_ENCODED, post('deep[b]=3', 'application/x-www-form-urlencoded'), BAD],
  [
    'forms',
    'a recursive schema',
    RECURSIVE,
    post('id=1&child[id]=2', 'application/x-www-form-urlencoded'),
    200,
    { body: { id: 1, child: { id: 2 } } },
  ],
  [
    'forms',
    'a recursive schema is checked',
    RECURSIVE,
    post('id=1&child[id]=x', 'application/x-www-form-urlencoded'),
    BAD,
  ],
  [
    'multipart',
    'JSON parts and files',
    MULTIPART,
    multipart([META, FILE, part('count', '3'), part('tags', 'a'), part('tags', 'b')]),
    200,
    { body: { meta: { a: 1 }, count: 3, tags: ['a', 'b'] } },
  ],
  [
    'multipart',
    'a JSON part without a type',
    MULTIPART,
    multipart([part('meta', '{"a":1}'), FILE]),
    200,
    { body: { meta: { a: 1 } } },
  ],
  [
    'multipart',
    'JSON parts are checked',
    MULTIPART,
    multipart([typedPart('meta', 'application/json', '{"a":"x"}'), FILE]),
    BAD,
  ],
  ['multipart', 'required parts', MULTIPART, multipart([META]), BAD],
  ['multipart', 'broken JSON in a part', MULTIPART, multipart([typedPart('meta', 'application/json', '{'), FILE]), BAD],
  ['multipart', 'no end', MULTIPART, multipart([META, FILE], ''), BAD],
  ['multipart', 'no boundary', MULTIPART, post('x', 'multipart/form-data'), BAD],
  ['multipart', 'no names', MULTIPART, multipart(['\r\nx']), BAD],
  ['multipart', 'nonsense', MULTIPART, post('--b\r\nnonsense', 'multipart/form-data; boundary=b'), BAD],
  [
    'bytes',
    'are not read as text',
    BINARY,
    post(new Uint8Array([0xff, 0x00, 0x80]), 'application/octet-stream'),
    200,
    { body: { bytes: 'ff0080' } },
  ],
  ['bytes', 'more than the limit', BINARY, post(new Uint8Array(1_500_000), 'application/octet-stream'), 413],
  ['text', 'is checked', TEXT, post('four', 'text/plain'), BAD],
  ['text', 'is read', TEXT, post('abc', 'text/plain'), 200, { body: 'abc' }],
  [
    'hostile',
    '__proto__ in JSON is data',
    JSON_BODY,
    post('{"name":"a","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}', 'application/json'),
    200,
    { body: { name: 'a', ['__proto__']: { polluted: 1 }, constructor: { prototype: { polluted: 1 } } } },
  ],
  [
    'json',
    'an escaped pair of surrogates',
    JSON_BODY,
    post('{"name":"\\ud83d\\ude00"}', 'application/json'),
    200,
    { body: { name: '\u{1f600}' } },
  ],
  ['json', 'half a pair of surrogates', JSON_BODY, post('{"name":"\\ud83d"}', 'application/json'), BAD],
  ['json', 'half a pair of surrogates in a name', JSON_BODY, post('{"name":"a","\\uDE00":1}', 'application/json'), BAD],
  ['hostile', 'deep nesting', JSON_BODY, post('['.repeat(100_000) + ']'.repeat(100_000), 'application/json'), BAD],
  [
    'hostile',
    'a hundred thousand members',
    JSON_BODY,
    postJson({ name: 'a', ...Object.fromEntries(Array.from({ length: 100_000 }, (_one, index) => [`k${index}`, 1])) }),
    BAD,
  ],
  [
    'hostile',
    'a hundred thousand fields',
    FORM,
    post(`name=a&${'k=1&'.repeat(100_000)}`, 'application/x-www-form-urlencoded'),
    BAD,
  ],
  [
    'hostile',
    '__proto__ in a form is data',
    FORM,
    post('name=a&__proto__=1&__proto__[x]=1', 'application/x-www-form-urlencoded'),
    200,
    { body: { name: 'a', ['__proto__']: '1' } },
  ],
  [
    'hostile',
    '__proto__ in a multipart is data',
    MULTIPART,
    multipart([META, FILE, part('__proto__', '{"x":1}')]),
    200,
    { body: { ['__proto__']: '{"x":1}' } },
  ],
];

export const BODY_CASES: readonly ConformanceCase[] = ROWS.map(([group, name, document, init, status, input]) => ({
  group,
  name,
  document,
  target: '/x',
  init,
  status,
  ...(input === undefined ? {} : { input }),
}));
