import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { createFetch } from '../../../server/transport/in-process-fetch.js';
import { api, ECHO } from '../conformance/conformance-case.js';
import { mountPipeline } from '../conformance/start-transports.js';

const ANY = {};
const NODE = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    child: { $ref: '#/components/schemas/Node' },
    tags: { type: 'array', items: { type: 'string' }, uniqueItems: true },
  },
};
const content = (schema: object): object => ({
  content: Object.fromEntries(
    [
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'text/plain',
      'application/octet-stream',
    ].map((type) => [type, { schema }]),
  ),
});
const DOCUMENT = api(
  {
    '/x/{id}': {
      post: {
        ...ECHO,
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: ['integer', 'string'] } },
          { name: 'deep', in: 'query', style: 'deepObject', schema: { $ref: '#/components/schemas/Node' } },
          { name: 'list', in: 'query', explode: false, schema: { type: 'array', items: { type: 'number' } } },
          { name: 'doc', in: 'query', content: { 'application/json': { schema: ANY } } },
          { name: 'sid', in: 'cookie', schema: { type: 'integer' } },
          { name: 'x-a', in: 'header', explode: true, schema: { type: 'object' } },
        ],
        requestBody: content({ $ref: '#/components/schemas/Node' }),
      },
    },
  },
  { components: { schemas: { Node: NODE } } },
);

const TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=b',
  'text/plain; charset=utf-7',
  'application/octet-stream',
  'a/b/c',
  '',
];
const PIECES = [
  '--b',
  '\r\n',
  '\r\n\r\n',
  'Content-Disposition: form-data; name="tags"',
  '--',
  '{',
  '}',
  '[',
  ']',
  '"',
  ':',
  'id',
  '1',
  '=',
  '&',
  '%',
  '%5B',
  'child',
  '__proto__',
  'constructor',
  '\\u0000',
  'null',
  'deep[child][id]=',
  'list=',
  'doc=',
  '+',
  ',',
  '.',
  ';',
  '/',
  '\u00e9',
];
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 20 }).map((pieces) => pieces.join('')),
);
const headerText = text.map((value) => value.replace(/[^\x20-\x7e]/g, '?'));

test('every random request gets a response that is not a 5xx', async () => {
  const { handle, sandbox } = await mountPipeline(DOCUMENT);
  const transport = createFetch({ handle, sandboxOf: () => sandbox });
  const call = fc.record({
    path: text,
    query: text,
    body: fc.oneof(text, fc.json(), fc.uint8Array({ maxLength: 50 })),
    type: fc.constantFrom(...TYPES),
    encoding: fc.constantFrom(undefined, undefined, undefined, 'gzip', 'br', 'deflate', 'identity, zip'),
    cookie: headerText,
    header: headerText,
    prefer: fc.constantFrom(undefined, undefined, 'code=200', 'code=999', 'example=x, dynamic=maybe', headerText),
    accept: fc.constantFrom(undefined, '*/*', 'a', ';;;q=', 'application/json;q=x'),
  });
  const broken: string[] = [];
  await fc.assert(
    fc.asyncProperty(call, async ({ path, query, body, type, encoding, cookie, header, prefer, accept }) => {
      const headers = Object.entries({
        'content-type': type,
        'content-encoding': encoding,
        cookie,
        'x-a': header,
        prefer: typeof prefer === 'string' ? prefer : undefined,
        accept,
      });
      const target = `http://mock/x/${path}?${query}`.replace(/[\uD800-\uDFFF]/g, '?');
      const response = await transport(target, {
        method: 'POST',
        body: typeof body === 'string' ? body : new Uint8Array(body),
        headers: headers.filter((one): one is [string, string] => one[1] !== undefined),
      });
      if (response.status >= 500) broken.push(await response.text());
      return broken.length === 0;
    }),
    { numRuns: 1_500, seed: 4 },
  );
  expect(broken).toEqual([]);
});
