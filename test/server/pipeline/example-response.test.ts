import { describe, expect, it, onTestFinished } from 'vitest';

import { type Mock, type MockOptions, startMock } from '../../../entry/mock.js';
import { readPreference } from '../../../server/prism/prefer.js';
import { LINEAR, growthOf } from '../../support/growth.js';
import { documentWith, loadDocument } from '../../support/load-document.js';

async function serve(responses: object | undefined, options: MockOptions = {}, more: object = {}): Promise<Mock> {
  const operation = { operationId: 'getX', ...(responses === undefined ? {} : { responses }), ...more };
  const mock = await startMock(await loadDocument(documentWith({ '/x': { get: operation } })), options);
  onTestFinished(() => mock.close());
  return mock;
}

const json = (media: object): object => ({ description: 'ok', content: { 'application/json': media } });
const PERSON = {
  type: 'object',
  required: ['email', 'since'],
  properties: { email: { type: 'string', format: 'email' }, since: { type: 'string', format: 'date-time' } },
};

describe('a response from the spec', () => {
  it('a response from the spec has no framing header of an example, and is complete', { timeout: 20_000 }, async () => {
    const headers = Object.fromEntries(
      ['Content-Length', 'Transfer-Encoding', 'Trailer', 'Connection', 'Content-Encoding', 'Date', 'X-Own'].map(
        (name) => [name, { schema: { type: 'string' }, example: name === 'Content-Length' ? '279' : 'chunked' }],
      ),
    );
    const mock = await serve({ 200: { ...json({ example: { a: 1 } }), headers } }, { port: 0 });
    // Prism takes its time to load.
    await mock.fetch(`${mock.url}/x`);
    const response = await fetch(`${mock.url}/x`, { signal: AbortSignal.timeout(8_000) });
    expect(await response.json()).toEqual({ a: 1 });
    expect(response.headers.get('x-own')).toBe('chunked');
    expect([response.headers.get('content-length'), response.headers.get('content-encoding')]).toEqual(['7', null]);
  });

  it.each([
    ['an operation without responses', undefined],
    ['an operation with no final response', { 101: { description: 'go on' } }],
  ])('a response from the spec is empty for %s', async (_name, responses) => {
    const response = await (await serve(responses)).fetch('http://mock/x');
    expect([response.status, await response.text()]).toEqual([204, '']);
  });

  it('a response from the spec is never a 1XX, whatever Prefer asks for', async () => {
    const mock = await serve({ 101: { description: 'go on' }, 200: json({ example: 1 }) });
    const response = await mock.fetch('http://mock/x', { headers: { prefer: 'code=101' } });
    expect(response.status).toBe(200);
  });

  it.each([
    ['application/json', { dataValue: { a: 1 }, serializedValue: '{ "a": 1.0 }' }],
    ['application/json', { serializedValue: '{ "a":\t1 }' }],
    ['text/csv', { dataValue: [['a', 'b']], serializedValue: 'a;b\r\n' }],
    ['text/plain', { serializedValue: 'a  b' }],
  ])('a response in %s has the text of its example as it is: %j', async (type, example) => {
    const content = { [type]: { schema: {}, examples: { one: example } } };
    const get = { operationId: 'getX', responses: { 200: { description: 'ok', content } } };
    const mock = await startMock(await loadDocument(documentWith({ '/x': { get } }, { openapi: '3.2.0' })));
    onTestFinished(() => mock.close());
    const response = await mock.fetch('http://mock/x');
    expect(response.headers.get('content-type')).toContain(type);
    expect(await response.text()).toBe(example.serializedValue);
  });

  it.each([
    ['image/*', 'image/png', '\u0089PNG'],
    ['image/png', 'image/png', '\u0089PNG'],
    ['image/jpeg', 'image/jpeg', '\u00ff\u00d8\u00ff'],
    ['audio/*', 'audio/wav', 'RIFF'],
    ['application/pdf', 'application/pdf', '%PDF-'],
    ['application/zip', 'application/zip', 'PK\u0005\u0006'],
    ['video/*', 'video/mp4', ''],
    ['*/*', 'application/octet-stream', ''],
  ])('a response in %s is a file of the type %s', async (documented, sent, start) => {
    for (const schema of [{}, { schema: { type: 'string', format: 'binary' } }]) {
      const mock = await serve({ 200: { description: 'ok', content: { [documented]: schema } } });
      const response = await mock.fetch('http://mock/x');
      if (documented !== '*/*' || !('schema' in schema)) expect(response.headers.get('content-type')).toBe(sent);
      const text = Buffer.from(await response.arrayBuffer()).toString('latin1');
      expect(text.startsWith(start), text).toBe(true);
    }
  });

  it('a response from the spec is realistic if there is no example', async () => {
    const mock = await serve({ 200: json({ schema: PERSON }) });
    const body = (await (await mock.fetch('http://mock/x')).json()) as { readonly email: string };
    expect(body.email).toMatch(/^[^@]+@[^@]+\.[a-z]+$/);
    expect(body.email).not.toBe('user@example.com');
  });

  it.each([
    ['a schema that only refers to itself', { $ref: '#/components/schemas/Loop' }],
    ['a schema with a circular member', { $ref: '#/components/schemas/Tree' }],
  ])('a response from the spec is made dynamically without a failure: %s', async (_name, schema) => {
    const schemas = {
      Loop: { type: 'object', properties: { next: { $ref: '#/components/schemas/Loop' } } },
      Tree: {
        type: 'object',
        required: ['kind', 'children'],
        properties: {
          kind: { type: 'string', pattern: '^[a-z]{3}-[0-9]{2}$' },
          children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
        },
      },
    };
    const paths = { '/x': { get: { operationId: 'getX', responses: { 200: json({ schema }) } } } };
    const api = await loadDocument(documentWith(paths, { components: { schemas } }));
    await using mock = await startMock(api);
    const response = await mock.fetch('http://mock/x', { headers: { prefer: 'dynamic=true' } });
    expect([response.status, typeof (await response.json())]).toEqual([200, 'object']);
  });

  it('a response from the spec is made dynamically even if there is no schema', async () => {
    const mock = await serve({ 200: { description: 'ok', content: { 'application/json': {} } } });
    const response = await mock.fetch('http://mock/x', { headers: { prefer: 'dynamic=true' } });
    expect(response.status).toBeLessThan(500);
  });

  const CODES = {
    200: json({ examples: { one: { value: 1 }, two: { value: 2 } } }),
    404: json({ example: 'gone' }),
  };

  it.each([
    ['__code=404', 404, 'gone'],
    ['__example=two', 200, 2],
    ['__code=200&__example=two', 200, 2],
  ])('a response from the spec is selected by the query parameters of Prism: %s', async (query, status, body) => {
    const response = await (await serve(CODES)).fetch(`http://mock/x?${query}`);
    expect([response.status, await response.json()]).toEqual([status, body]);
  });

  it('a response from the spec is not selected by a parameter that has the name of a query parameter of Prism', async () => {
    const parameters = [{ name: '__code', in: 'query', schema: { type: 'string' } }];
    const response = await (await serve(CODES, {}, { parameters })).fetch('http://mock/x?__code=404');
    expect(response.status).toBe(200);
  });
});

describe('readPreference', () => {
  it.each([
    ['code=404, example=missing; dynamic=true', { code: 404, example: 'missing', dynamic: true }],
    ['return=minimal, code = "404"', { code: 404 }],
    ['example="a, b=c"', { example: 'a, b=c' }],
    ['code=404 example=one', { code: 404, example: 'one' }],
    ['respond-async, code', undefined],
    ['="', undefined],
  ])('reads %j', (header, preference) => expect(readPreference(header, '')).toEqual(preference));

  it.each(['a', ' ', '=', '"', 'a=', '="', 'a ='])(
    'Prefer is parsed in linear time if it is full of %j',
    async (part) => {
      expect(await growthOf((size) => readPreference(part.repeat(size), ''), 25_000)).toBeLessThan(LINEAR);
    },
  );
});
