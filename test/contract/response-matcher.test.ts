import path from 'node:path';

import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { startMock } from '../../entry/mock.js';
import { toMatchSpec } from '../../entry/vitest.js';

const spec = path.join(import.meta.dirname, 'specs/library.yaml');
const BOOK = { id: 'b1', title: 'Kytice', pages: 180 };

function respond(body: unknown = BOOK, init: ResponseInit = {}): Response {
  return Response.json(body, { headers: { etag: '"1"' }, ...init });
}

describe('the import of specmill/vitest', () => {
  // No test of this file calls `expect.extend`.
  test('adds the matcher to the expect of Vitest', async () => {
    await expect(respond()).toMatchSpec({ spec, operation: 'getBook' });
  });

  test('adds the matcher to the global expect of a test runner', async () => {
    const extend = vi.fn<() => void>();
    vi.stubGlobal('expect', { extend });
    vi.resetModules();
    await import('../../entry/vitest.js');
    expect(extend).toHaveBeenCalledExactlyOnceWith({ toMatchSpec: expect.any(Function) });
  });

  test('changes nothing if the global expect does not accept matchers', async () => {
    vi.stubGlobal('expect', () => undefined);
    vi.resetModules();
    expect(Object.keys(await import('../../entry/vitest.js'))).toEqual(['toMatchSpec']);
  });
});

describe('toMatchSpec', () => {
  test('passes for the response of a mock, found by its URL, whose body can be read afterwards', async () => {
    const mock = await startMock('library', { spec, port: 0 });
    onTestFinished(() => mock.close());
    const response = await fetch(`${mock.url}/v1/books?limit=2`, { headers: { authorization: 'Bearer t' } });
    await expect(response).toMatchSpec({ spec });
    expect(await response.json()).toMatchObject({ items: [] });
  });

  test('requests and responses are recognised even if a server has replaced the global classes, as Hono does', async () => {
    const mock = await startMock('library', { spec });
    onTestFinished(() => mock.close());
    const { fetch } = mock.sandbox('hono');
    const request = new Request(`${mock.url}/v1/books`, { headers: { authorization: 'Bearer t' } });
    vi.stubGlobal('Request', class extends Request {});
    vi.stubGlobal('Response', class extends Response {});
    const response = await fetch(request);
    expect(response.status).toBe(200);
    await expect(response).toMatchSpec({ spec, operation: 'listBooks' });
  });

  test.each([
    {
      part: 'a member of the body',
      response: respond({ ...BOOK, pages: 'many' }),
      lines: [
        'The response (200) is not what the spec documents for getBook:',
        '  response schema: /pages must be integer.',
        '    actual:   "many"',
      ],
    },
    {
      part: 'the status',
      response: respond(BOOK, { status: 202 }),
      lines: [
        'The response (202) is not what the spec documents for getBook:',
        '  documented status: The status 202 is not documented.',
        '    expected: 200, 304, 400, 401, 404',
        '    actual:   202',
      ],
    },
  ])('the matcher names the place, the rule and the value of $part, each once', async ({ response, lines }) => {
    const { message } = await toMatchSpec(response, { spec, operation: 'getBook' });
    expect(message().split('\n')).toEqual(lines);
  });

  test('fails for a missing header and for a status that is not documented', async () => {
    const operation = 'getBook';
    const check = (response: Response): Promise<void> => expect(response).not.toMatchSpec({ spec, operation });
    await check(respond(BOOK, { headers: {} }));
    await check(respond(BOOK, { status: 202 }));
  });

  test('.not fails for a valid response', async () => {
    await expect(expect(respond()).not.toMatchSpec({ spec, operation: 'getBook' })).rejects.toThrow(
      'The response (200) is what the spec documents for getBook.',
    );
  });

  test.each([
    ['supertest', { status: 200, text: JSON.stringify(BOOK), body: BOOK }],
    ['axios', { status: 200, data: BOOK }],
    ['inject of Fastify', { statusCode: 200, payload: JSON.stringify(BOOK) }],
  ])('accepts the response of %s', async (_, response) => {
    const headers = { etag: '"1"', 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'] };
    await expect({ ...response, headers }).toMatchSpec({ spec, operation: 'getBook' });
    await expect({ ...response, headers, text: '{}', data: {}, payload: '{}' }).not.toMatchSpec({
      spec,
      operation: 'getBook',
    });
  });

  test('the matcher explains invalid use', async () => {
    await expect(toMatchSpec(BOOK, { spec, operation: 'getBook' })).rejects.toThrow(
      'Expected a Response (status, headers).',
    );
    await expect(toMatchSpec(respond(), { spec: 'none.yaml' })).rejects.toThrow(
      `${path.resolve('none.yaml')}: The spec cannot be read: there is no such file.`,
    );
    await expect(toMatchSpec(respond(), { spec })).rejects.toThrow('say which operation was called');
    await expect(toMatchSpec(respond(), { spec, operation: 'getBok' })).rejects.toThrow('Did you mean getBook?');
    const read = respond();
    await read.text();
    await expect(toMatchSpec(read, { spec, operation: 'getBook' })).rejects.toThrow('has been read');
  });
});
