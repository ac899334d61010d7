import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { LOCAL_TLS } from '../contract/local-tls.js';
import { startKillableMock } from '../support/killable-mock.js';
import { isBuilt, runSpecmill } from '../support/specmill-process.js';
import { type RedisServer, hasRedis, startRedis } from '../support/start-redis.js';
import { tempFolder } from '../support/temp-folder.js';

const HEADERS = { authorization: `Basic ${btoa('key:secret')}`, 'content-type': 'application/json' };

let redis: RedisServer;
beforeAll(async () => {
  if (hasRedis) redis = await startRedis(LOCAL_TLS);
});
afterAll(() => redis?.[Symbol.asyncDispose]());

describe.skipIf(!hasRedis || !isBuilt)('a Redis with TLS', () => {
  test('two processes share their state if the certificate of Redis is trusted', async () => {
    vi.stubEnv('NODE_EXTRA_CA_CERTS', `${tempFolder({ 'cert.pem': LOCAL_TLS.cert })}/cert.pem`);
    await using one = await startKillableMock('signing', '--store', redis.url);
    await using other = await startKillableMock('signing', '--store', redis.url);
    vi.unstubAllEnvs();
    const init = { method: 'POST', headers: HEADERS, body: JSON.stringify({ Name: 'A case' }) };
    const created = await fetch(`${one.url}/api/v2/createcase`, init);
    expect(created.status).toBe(200);
    const { Id } = (await created.json()) as { readonly Id: string };
    expect((await fetch(`${other.url}/api/v2/getcase?id=${Id}`, { headers: HEADERS })).status).toBe(200);
  });

  test.each([
    ['a certificate that is not trusted', (url: string) => url, /certificate/],
    ['a connection without TLS', (url: string) => url.replace('rediss:', 'redis:'), /There is no Redis at/],
  ])('a mock does not start with %s, and says so in one sentence without the password', async (_what, make, reason) => {
    const store = make(redis.url).replace('//', '//:hidden-word@');
    const { status, err } = await runSpecmill('mock', 'signing', '--port', '0', '--store', store);
    expect([status, err.trim().split('\n')]).toEqual([2, [expect.stringMatching(reason)]]);
    expect(err).not.toContain('hidden-word');
  });
});
