import { describe, expect, test } from 'vitest';

import { checkResponse } from '../../../entry/contract.js';
import { startMock, startProxy } from '../../../entry/mock.js';
import { findMediaType, parseMediaType } from '../../../runtime/parsed-media-type.js';
import { documentWith, loadDocument } from '../../support/load-document.js';
import { respondWithJson, startServer } from '../../proxy/proxied-server.js';
import { writeFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const PLAIN = { '*/*': { schema: { type: 'string' } } };
const THING = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
const BOTH = documentWith(
  {
    '/a': {
      get: {
        operationId: 'getA',
        responses: { 200: { description: 'ok', content: { ...PLAIN, 'application/json': { schema: THING } } } },
      },
    },
    '/plain': { get: { operationId: 'getPlain', responses: { 200: { description: 'ok', content: PLAIN } } } },
    '/picture': {
      get: {
        operationId: 'getPicture',
        responses: {
          200: { description: 'ok', content: { 'image/*': { schema: { type: 'string', format: 'binary' } } } },
        },
      },
    },
  },
  {},
);

function writeSpec(): string {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'specmill-test-')), 'both.json');
  writeFileSync(file, JSON.stringify(BOTH));
  return file;
}

describe('a response with content for */* and for application/json', () => {
  test('a response with content for */* and for application/json is checked by contract tests against the most specific media type alone', async () => {
    const spec = writeSpec();
    const check = (response: Response): ReturnType<typeof checkResponse> =>
      checkResponse({ spec, operation: 'getA', response });
    expect(await check(Response.json({ id: 1 }))).toEqual([]);
    expect(await check(Response.json({ id: 'x' }))).toMatchObject([{ check: 'response schema', pointer: '/id' }]);
    expect(await check(new Response('some text', { headers: { 'content-type': 'text/plain' } }))).toEqual([]);
  });

  test('a response with content for */* and for application/json is checked by the proxy against the most specific media type alone', async () => {
    const bodies = [{ id: 1 }, { id: 'x' }];
    const server = await startServer((_request, response) => respondWithJson(response, bodies.shift()));
    await using proxy = await startProxy(await loadDocument(BOTH), { upstream: server.url });
    for (const _ of [1, 2]) await (await fetch(`${proxy.url}/a`)).arrayBuffer();
    expect((await proxy.requests()).map(({ violations }) => violations)).toMatchObject([[], [{ pointer: '/body/id' }]]);
  });

  test('the mock responds with JSON, never with the media type */*, if a response has content for both', async () => {
    await using mock = await startMock(await loadDocument(BOTH), { seed: 1 });
    const response = await mock.fetch('http://mock/a');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({ id: expect.any(Number) });
  });
});

describe('a media type range as the only media type of a response', () => {
  test.each([
    ['/plain', undefined, 'application/json'],
    ['/plain', 'text/plain', 'text/plain'],
    ['/plain', 'application/json', 'application/json'],
    ['/picture', undefined, 'image/png'],
  ])('%s with Accept: %s gets %s from the mock', async (target, accept, type) => {
    await using mock = await startMock(await loadDocument(BOTH), { seed: 1 });
    const response = await mock.fetch(`http://mock${target}`, accept === undefined ? {} : { headers: { accept } });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
  });
});

test.each([
  ['text/html', ['*/*', 'text/*', 'text/html'], 'text/html'],
  ['text/html; charset=utf-8', ['*/*', 'text/*', 'text/plain'], 'text/*'],
  ['image/png', ['text/*', '*/*'], '*/*'],
  ['image/png', ['text/*', 'application/*'], undefined],
  ['application/json;v=2', ['application/json', 'application/json; v=2'], 'application/json; v=2'],
])('for %s, the most specific of %j is %s', (given, documented, wanted) => {
  const parse = (text: string): NonNullable<ReturnType<typeof parseMediaType>> => {
    const parsed = parseMediaType(text);
    if (parsed === undefined) throw new Error(text);
    return parsed;
  };
  const entries = documented.map((text) => ({ text, parsed: parse(text) }));
  expect(findMediaType(entries, parse(given))?.text).toBe(wanted);
});
