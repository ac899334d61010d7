import { expect, test } from 'vitest';

import { createRedact } from '../../../http/secrets/redaction.js';
import { documentWith, loadDocument } from '../../support/load-document.js';

const SPEC = documentWith(
  {},
  { components: { securitySchemes: { pass: { type: 'apiKey', in: 'query', name: 'pass' } } } },
);

test.each([
  ['api-key', 'SECRET'],
  ['private-token', 'SECRET'],
  ['x-forwarded-client-cert', 'SECRET'],
  ['location', 'https://user:SECRET@example.com/a'],
  ['location', 'https://example.com/a#access_token=SECRET&state=1'],
  ['link', '<https://example.com/a?pass=SECRET&page=2>; rel="next", </b?pass=SECRET>; rel="last"'],
  ['refresh', '5; url=https://example.com/?token=SECRET'],
  ['referer', 'https://example.com/?X-Amz-Signature=SECRET'],
  ['origin', 'https://user:SECRET@example.com'],
  ['x-forwarded-access-token', 'SECRET'],
  ['ocp-apim-subscription-key', 'SECRET'],
  ['x-goog-api-key', 'SECRET'],
  ['proxy-authorization', 'Basic SECRET'],
  ['sec-websocket-protocol', 'json, bearer, SECRET'],
  ['sec-websocket-protocol', 'base64url.bearer.authorization.k8s.io.SECRET'],
  ['dpop', 'SECRET'],
  ['x-goog-iap-jwt-assertion', 'SECRET'],
  ['x-user-pin', 'SECRET'],
  ['location', 'https://example.com/callback?code=SECRET&state=1'],
  ['location', '/callback?code=SECRET'],
])('the secret in the header %s is redacted: %s', async (name, value) => {
  const redact = createRedact(await loadDocument(SPEC));
  expect(String(redact.headers({ [name]: value })[name])).not.toContain('SECRET');
});

test.each([
  ['link', '<https://example.com/a?page=2>; rel="next"'],
  ['location', '/pets/1?tab=2#top'],
  ['accept', 'text/html, */*;q=0.1'],
  ['idempotency-key', 'abc'],
  ['sec-websocket-protocol', 'graphql-transport-ws, json'],
  ['location', '/countries?code=DE'],
  ['location', '/pets?page[token]=abc&page%5Bnext_token%5D=b&filter[kind]=token'],
  ['x-continuation-token', 'page-2'],
  ['www-authenticate', 'Bearer realm="a"'],
])('the header %s without a secret is unchanged', async (name, value) => {
  const redact = createRedact(await loadDocument(SPEC));
  expect(redact.headers({ [name]: value })).toEqual({ [name]: value });
});

test('a parameter of a path with the format password is redacted, in targets and in URLs of headers', async () => {
  const secret = { in: 'path', required: true, schema: { type: 'string', format: 'password' } };
  const responses = { 204: { description: 'ok' } };
  const paths = {
    '/t/{tok}/items/{id}': {
      get: {
        operationId: 'a',
        parameters: [
          { name: 'tok', ...secret },
          { name: 'id', in: 'path', required: true, schema: {} },
        ],
        responses,
      },
    },
    '/open/{id}': {
      get: { operationId: 'b', parameters: [{ name: 'id', in: 'path', required: true, schema: {} }], responses },
    },
  };
  const redact = createRedact(await loadDocument(documentWith(paths)));
  expect(redact.target('/t/SECRET/items/5?a=1')).toBe('/t/REDACTED/items/5?a=1');
  expect(redact.target('https://a.example/base/t/SECRET/items/5')).toBe('https://a.example/base/t/REDACTED/items/5');
  expect(redact.headers({ location: '/t/SECRET/items/5' })).toEqual({ location: '/t/REDACTED/items/5' });
  expect(redact.target('/open/t')).toBe('/open/t');
});
