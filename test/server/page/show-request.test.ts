import { runInNewContext } from 'node:vm';

import { describe, expect, it } from 'vitest';

import { startMock } from '../../../entry/mock.js';
import { type FormValues, addressOf, buildRequest } from '../../../server/page/app/build-request.js';
import { toClientCall, toCurl } from '../../../server/page/app/show-request.js';
import { describeOperation } from '../../../server/page/describe-api.js';
import type { DescribedOperation } from '../../../server/page/views.js';
import { loadDocument } from '../../support/load-document.js';
import { wordsOf } from '../../support/shell-words.js';

const ORIGIN = 'http://127.0.0.1:1';
const responses = { 204: { description: 'ok' } };
const EVIL = [
  'A&id&',
  'X`touch$IFS$PWD-pwned`',
  "'; $(id) #",
  '[globalThis.PWNED=1]',
  '{a:globalThis.PWNED=1}',
  'globalThis.PWNED=1',
  '@/etc/passwd;type=x/y',
  '</script>"\\',
  'line\n$(id)\u2028`id`',
] as const;

async function viewOf(document: object, values: Partial<FormValues> = {}): Promise<[DescribedOperation, FormValues]> {
  const api = await loadDocument({ openapi: '3.2.0', info: { title: 'M', version: '1' }, ...document });
  const [operation] = api.operations;
  if (operation === undefined) throw new Error('The document has no operation.');
  const view = describeOperation(api, operation, '');
  const [content] = view.body?.content ?? [];
  const parameters = Object.fromEntries(view.parameters.map((one) => [`${one.in} ${one.name}`, one.sample]));
  const body = content?.examples[0]?.text ?? '';
  return [view, { parameters, credentials: {}, mediaType: content?.mediaType, body, files: {}, ...values }];
}

/** What the client call gives to the client. */
async function argumentOf(call: string): Promise<unknown> {
  const context = { client: new Proxy({}, { get: () => (given: unknown) => given }), PWNED: 0 };
  const given: unknown = await runInNewContext(`(async () => { return ${call.replace(/^await/, '')} })()`, context);
  expect(context.PWNED).toBe(0);
  return JSON.parse(JSON.stringify(given ?? null));
}

describe('a raw path of a recorded call', () => {
  it.each([
    '/x/../__specmill/state',
    '/x/%2E%2e/__specmill/state?a=1',
    '/./a',
    String.raw`/x\..\__specmill/state`,
    'http://evil.example/a',
    '@evil.example/',
    '*',
  ])('%s is not sent again by the browser, which would change it', (target) => {
    expect(() => addressOf(ORIGIN, target)).toThrow('A browser cannot send this path as it is.');
  });

  it.each(['//evil.example/a', '/a..b/...?x=/../', '/a|b{c}'])('%s is sent again to the mock alone', (target) => {
    const { origin, pathname } = new URL(addressOf(ORIGIN, target));
    expect([origin, decodeURIComponent(pathname)]).toEqual([ORIGIN, target.replace(/\?.*/, '')]);
  });

  it('the curl line sends a path with dot segments as it is', () => {
    const line = toCurl({ method: 'GET', target: '/x/../y', headers: {} }, ORIGIN, 'default');
    expect(wordsOf(line)).toEqual(['-sS', '--path-as-is', '-g', `${ORIGIN}/x/../y`]);
    expect(toCurl({ method: 'GET', target: '/y?a=/../', headers: {} }, ORIGIN, 'default')).not.toContain('as-is');
  });
});

describe('the lines of the page', () => {
  it.each(['A&id&', 'X`touch$IFS$PWD-pwned`', 'X|cmd', "a'b", '-o'])(
    'the method %j is one word of the curl line',
    async (method) => {
      const [view, values] = await viewOf({ paths: { '/m': { additionalOperations: { [method]: { responses } } } } });
      const line = toCurl(buildRequest(view, values), ORIGIN, "a'$(id)");
      expect(wordsOf(line)).toEqual(['-sS', '-g', '-X', method, `${ORIGIN}/m`, '-H', "x-specmill-sandbox: a'$(id)"]);
    },
  );

  it.each(EVIL)('the example %j of parameters stays a text', async (example) => {
    const places = ['path', 'query', ...(/^[\x20-\x7e]*$/.test(example) ? ['header'] : []), 'cookie'];
    const parameters = places.map((place) => ({
      name: place,
      in: place,
      required: true,
      schema: { type: 'string' },
      example,
    }));
    const [view, values] = await viewOf({
      paths: { '/p/{path}': { get: { operationId: 'go', parameters, responses } } },
    });
    const words = wordsOf(toCurl(buildRequest(view, values), ORIGIN, 'default'));
    expect(decodeURIComponent(words[2] ?? '')).toBe(`${ORIGIN}/p/${example}?query=${example}`);
    const groups = { path: 'path', query: 'query', header: 'headers', cookie: 'cookies' } as const;
    expect(await argumentOf(toClientCall(view, values))).toEqual(
      Object.fromEntries(places.map((place) => [groups[place as keyof typeof groups], { [place]: example }])),
    );
  });

  it.each(EVIL)('the example %j of a body stays a text', async (example) => {
    const text = (content: object): object => ({
      paths: { '/b': { post: { operationId: 'go', requestBody: { content }, responses } } },
    });
    const schema = { type: 'object', properties: { note: { type: 'string' } } };
    for (const [content, sent, given] of [
      [{ 'text/plain': { schema: { type: 'string' }, example } }, ['--data-raw', example], example],
      [{ 'application/json': { schema: {}, example } }, ['--data-raw', JSON.stringify(example)], example],
      [{ 'multipart/form-data': { schema, example: { note: example } } }, [`note=${example}`], { note: example }],
    ] as const) {
      const [view, values] = await viewOf(text(content));
      const words = wordsOf(toCurl(buildRequest(view, values), ORIGIN, 'default'));
      expect(words).toEqual(expect.arrayContaining([...sent]));
      expect(words).not.toContain('-F');
      expect(await argumentOf(toClientCall(view, values))).toEqual({ body: given });
    }
  });

  it('hostile names of parameters, paths and media types stay inside of quotes', async () => {
    const name = "x'$(id)`id`";
    const [view, values] = await viewOf({
      paths: {
        "/a'$(id)`id`": {
          post: {
            operationId: "go'$(id)",
            parameters: [{ name, in: 'query', schema: { type: 'string' }, example: '1' }],
            requestBody: { content: { "text/plain; a='$(id)'": { schema: { type: 'string' }, example: 'x' } } },
            responses,
          },
        },
      },
    });
    const words = wordsOf(toCurl(buildRequest(view, values), ORIGIN, 'default'));
    expect(words.join(' ')).toContain(`content-type: text/plain; a='$(id)'`);
    expect(decodeURIComponent(words[4] ?? '')).toBe(`${ORIGIN}/a'$(id)\`id\`?${name}=1`);
    expect(await argumentOf(toClientCall(view, values))).toEqual({ query: { [name]: '1' }, body: 'x' });
  });
});

describe('the form of an operation', () => {
  const schema = {
    type: 'object',
    properties: {
      tags: { type: 'array', items: { type: 'string' } },
      size: { type: 'object' },
      file: { format: 'binary' },
    },
  };
  const example = { tags: ['a b', 'c'], size: { min: 1 } };
  const encoding = { size: { contentType: 'application/json' }, tags: { explode: false } };
  const post = (content: object): object => ({ paths: { '/b': { post: { requestBody: { content }, responses } } } });

  it('a form is written by its encodings', async () => {
    const media = { 'application/x-www-form-urlencoded': { schema, example, encoding } };
    const [view, values] = await viewOf(post(media));
    expect(buildRequest(view, values).body).toBe('tags=a%20b,c&size=%7B%22min%22%3A1%7D');
  });

  it('a multipart body with files is written as the mock reads it, and as arguments of curl', async () => {
    const [view, values] = await viewOf(post({ 'multipart/form-data': { schema, example } }), {
      files: { file: new File(['hello'], 'a"b;c.txt', { type: 'text/plain' }) },
    });
    const request = buildRequest(view, values);
    const form = await new Response(request.body, { headers: request.headers }).formData();
    expect([...form.keys()]).toEqual(['tags', 'tags', 'size', 'file']);
    expect(wordsOf(toCurl(request, ORIGIN, 'default'))).toEqual([
      '-sS',
      ...['--form-string', 'tags=a b', '--form-string', 'tags=c'],
      ...['-F', String.raw`size="{\"min\":1}";type=application/json`],
      ...['-F', String.raw`file=@"a\"b;c.txt";type=text/plain`],
      ...['-g', '-X', 'POST', `${ORIGIN}/b`],
    ]);
  });

  it('the form of an operation starts with XML and JSON lines that the mock accepts', async () => {
    const pet = { type: 'object', required: ['name'], properties: { name: { type: 'string' } }, xml: { name: 'pet' } };
    for (const content of [{ 'application/xml': { schema: pet } }, { 'application/jsonl': { itemSchema: pet } }]) {
      const document = { openapi: '3.2.0', info: { title: 'M', version: '1' }, ...post(content) };
      const [view, { body, ...values }] = await viewOf(document);
      const request = buildRequest(view, { ...values, body: body === '' ? '{"name":"a"}\n' : body });
      await using mock = await startMock(await loadDocument(document), { port: 0 });
      const { target, method, headers } = request;
      const response = await fetch(mock.url + target, { method, headers, body: request.body! });
      expect(response.status).toBe(204);
    }
  });
});
