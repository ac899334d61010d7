import { expect, onTestFinished, test } from 'vitest';

import { startMock } from '../../../entry/mock.js';
import { documentWith, loadDocument } from '../../support/load-document.js';

const shape = (name: string): object => ({
  schema: { type: 'object', required: [name], properties: { [name]: { const: true } }, additionalProperties: false },
});
const VERSIONS = { 'application/json;version=1': shape('one'), 'application/json;version=2': shape('two') };
const PAGES = { 'text/plain': { schema: { const: 'plain' } }, 'text/html': { schema: { const: 'html' } } };

async function serve(content: object): Promise<(init: RequestInit) => Promise<Response>> {
  const responses = { 200: { description: 'ok', content } };
  const api = await loadDocument(
    documentWith({
      '/a': {
        get: { operationId: 'get', responses },
        post: {
          operationId: 'send',
          requestBody: { required: true, content: VERSIONS },
          responses: { 204: { description: 'ok' } },
        },
      },
    }),
  );
  const mock = await startMock(api, { seed: 1 });
  onTestFinished(() => mock.close());
  return (init) => mock.fetch(`${mock.url}/a`, init);
}

test.each<[string, object, number, string]>([
  ['application/json;version=2', VERSIONS, 200, '{"two":true}'],
  ['application/json; version="1"', VERSIONS, 200, '{"one":true}'],
  ['application/json', VERSIONS, 200, '{"one":true}'],
  ['*/*', VERSIONS, 200, '{"one":true}'],
  ['application/json;version=1;q=0.2, application/json;version=2;q=0.3', VERSIONS, 200, '{"two":true}'],
  ['application/json;version=1;q=0, application/json', VERSIONS, 200, '{"two":true}'],
  [
    'application/json;version=3',
    VERSIONS,
    406,
    'The response is application/json;version=1, application/json;version=2',
  ],
  ['application/json;q=0', VERSIONS, 406, 'which the request does not accept.'],
  ['text/*, text/plain;q=0', PAGES, 200, 'html'],
  ['text/*, text/plain;q=0.5', PAGES, 200, 'html'],
  ['text/html;q=0.5, text/*', PAGES, 200, 'plain'],
  ['text/plain;charset=utf-8', PAGES, 200, 'plain'],
])('Accept: %s chooses the response', async (accept, content, status, body) => {
  const send = await serve(content);
  const response = await send({ headers: { accept } });
  expect(response.status).toBe(status);
  const text = await response.text();
  if (status === 200) expect(text).toBe(body);
  else expect(text).toContain(body);
});

test.each([
  ['application/json;version=1', { one: true }, 204],
  ['application/json;version=2', { two: true }, 204],
  ['application/json;version=2', { one: true }, 400],
  ['application/json;version=3', { one: true }, 415],
  ['application/json', { one: true }, 204],
  ['application/json;charset=utf-8;version=2', { two: true }, 204],
])('a request of %s is read by its own schema', async (type, body, status) => {
  const send = await serve(VERSIONS);
  const response = await send({ method: 'POST', headers: { 'content-type': type }, body: JSON.stringify(body) });
  expect(response.status).toBe(status);
});
