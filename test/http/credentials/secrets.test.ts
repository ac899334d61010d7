import { expect, test } from 'vitest';

import { startMock } from '../../../entry/mock.js';
import { documentWith, loadDocument } from '../../support/load-document.js';

const responses = { 200: { description: 'ok' } };
const SPEC = documentWith(
  {
    '/bearer': { get: { operationId: 'bearer', security: [{ bearer: [] }], responses } },
    '/basic': { get: { operationId: 'basic', security: [{ basic: [] }], responses } },
    '/typo': { get: { operationId: 'typo', security: [{ nosuch: [] }], responses } },
  },
  {
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' }, basic: { type: 'http', scheme: 'basic' } },
    },
  },
);

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

test.each([
  ['/bearer', 'Bearer alice', 401],
  ['/bearer', 'Bearer t0ken', 200],
  ['/basic', basic('alice:wrong'), 401],
  ['/basic', basic('alice:'), 401],
  ['/basic', basic('alice:hunter2'), 200],
])('%s with %s gets %i: a key that has a secret is refused without it', async (target, authorization, status) => {
  const credentials = [
    { key: 'alice', secret: 'hunter2' },
    { key: 'bob', token: 't0ken' },
  ];
  await using mock = await startMock(await loadDocument(SPEC), { credentials });
  expect((await mock.fetch(`http://mock${target}`, { headers: { authorization } })).status).toBe(status);
});

test('an operation refuses every request if its security scheme is not declared', async () => {
  await using mock = await startMock(await loadDocument(SPEC));
  const response = await mock.fetch('http://mock/typo', { headers: { authorization: 'Bearer x' } });
  expect([response.status, await response.text()]).toEqual([401, expect.stringContaining('nosuch')]);
});
