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
])('the secret in the header %s is redacted: %s', async (name, value) => {
  const redact = createRedact(await loadDocument(SPEC));
  expect(String(redact.headers({ [name]: value })[name])).not.toContain('SECRET');
});

test.each([
  ['link', '<https://example.com/a?page=2>; rel="next"'],
  ['location', '/pets/1?tab=2#top'],
  ['accept', 'text/html, */*;q=0.1'],
  ['idempotency-key', 'abc'],
  ['x-continuation-token', 'page-2'],
  ['www-authenticate', 'Bearer realm="a"'],
])('the header %s without a secret is unchanged', async (name, value) => {
  const redact = createRedact(await loadDocument(SPEC));
  expect(redact.headers({ [name]: value })).toEqual({ [name]: value });
});
