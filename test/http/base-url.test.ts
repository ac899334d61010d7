import { expect, it } from 'vitest';

import { runContract } from '../../entry/contract.js';
import { basePaths } from '../../model/base-url.js';
import { documentWith, loadDocument } from '../support/load-document.js';

it.each([
  ['{base}', '/api/v3', '/api/v3'],
  ['{base}/', '/api/', '/api'],
  ['/{base}/v1', '/api/', '/api/v1'],
  ['https://example.com/{base}', '/', ''],
  ['https://example.com{base}', '/api', '/api'],
  ['//{base}/v1', 'example.com', '/v1'],
])('the base path of the server %j with the value %j is %j', (url, value, path) => {
  expect(basePaths([{ url, variables: { base: { default: value } } }])).toEqual([path]);
});

it('a contract run sends requests below a base path that is the value of a variable', async () => {
  const api = await loadDocument({
    ...documentWith({ '/user': { get: { responses: { 200: { description: 'ok' } } } } }),
    servers: [{ url: '{base}', variables: { base: { default: '/api/v3' } } }],
  });
  const paths = new Set<string>();
  const send: typeof fetch = async (input, init) => {
    const { url, method } = new Request(input, init);
    if (method === 'GET') paths.add(new URL(url).pathname);
    return new Response(null, { status: method === 'GET' ? 200 : 405, headers: { allow: 'GET' } });
  };
  await runContract({ api, url: 'http://127.0.0.1:9', fetch: send, phases: ['examples'] });
  // The first request, which finds out whether the server responds, is the one of the root.
  expect([...paths]).toEqual(['/', '/api/v3/user']);
});
