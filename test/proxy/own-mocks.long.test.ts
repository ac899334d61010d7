import { describe, expect, test } from 'vitest';

import { runContract } from '../../entry/contract.js';
import { startMock, startProxy } from '../../entry/mock.js';
import { sampleOf } from '../support/sample-of.js';
import { callsOf } from './proxied-server.js';

const BEARER = { authorization: 'Bearer t' };

/** The APIs that come with specmill, and what their callers send. */
const APIS: readonly (readonly [string, Record<string, string>])[] = [
  ['signing', { authorization: `Basic ${btoa('k:s')}` }],
  ['generation', { 'x-goog-api-key': 'k' }],
  ['dictionary', {}],
  ['engine', {}],
  ['tables', BEARER],
  ['notifications', BEARER],
];

describe('contract tests run through a proxy', () => {
  test.each(sampleOf(APIS, 2))(
    'contract tests of %s through a proxy find nothing, and the proxy finds no violation in any response',
    async (api, headers) => {
      await using mock = await startMock(api, { port: 0, noRateLimit: true });
      await using proxy = await startProxy(api, { upstream: mock.url });
      const { findings, requests } = await runContract({
        api,
        url: proxy.url,
        headers,
        phases: ['examples', 'negative'],
        maxExamples: 2,
      });
      expect(findings).toEqual([]);
      const { calls, violations } = proxy.report();
      expect(calls).toBeGreaterThanOrEqual(requests);
      expect(violations.filter(({ direction }) => direction === 'response')).toEqual([]);
    },
  );
});

test('the journal shows the real names of the vendor', async () => {
  await using mock = await startMock('notifications', { port: 0, vendor: 'acme' });
  await using proxy = await startProxy('notifications', { upstream: mock.url, vendor: 'acme' });
  const headers = { ...BEARER, accept: 'application/vnd.acme+json', 'x-acme-api-version': '2026-03-10' };
  await fetch(`${proxy.url}/notifications`, { headers }).then((response) => response.text());
  await fetch(`${proxy.url}/notifications`, { headers: { ...headers, 'x-acme-api-version': '1' } });
  await callsOf(proxy, 2);
  const { violations } = proxy.report();
  expect(violations).toMatchObject([{ direction: 'request', in: 'header', pointer: '/x-acme-api-version', count: 1 }]);
});
