import { expect, test } from 'vitest';

import { startMock } from '../../../entry/mock.js';
import { documentWith, loadDocument } from '../../support/load-document.js';

const schemes = {
  header: { type: 'apiKey', in: 'header', name: 'X-"Key"' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
  digest: { type: 'http', scheme: 'digest' },
  hoba: { type: 'http', scheme: 'hoba' },
  bearer: { type: 'http', scheme: 'bearer' },
};

test.each([
  ['header', 'ApiKey realm="Test", in="header", name="X-Key"'],
  ['cookie', 'ApiKey realm="Test", in="cookie", name="sid"'],
  ['digest', 'Digest realm="Test", nonce="specmill", qop="auth"'],
  ['hoba', 'hoba realm="Test"'],
  ['bearer', 'Bearer realm="Test"'],
])('a 401 response has a challenge for the security scheme %s', async (name, challenge) => {
  const responses = { 200: { description: 'ok' } };
  const paths = { '/a': { get: { operationId: 'a', security: [{ [name]: [] }], responses } } };
  await using mock = await startMock(
    await loadDocument(documentWith(paths, { components: { securitySchemes: schemes } })),
  );
  const response = await mock.fetch('http://mock/a');
  expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, challenge]);
});
