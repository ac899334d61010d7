import { describe, expect, test } from 'vitest';

import { readPolicy } from '../../../mocks/notifications/limits/rated-caller.js';
import { openNotifications } from './notifications-mock.js';
import { TRANSPORTS } from '../stopped-mock.js';
import type { JsonResponse } from '../../support/send-json.js';

const HEADERS = ['limit', 'remaining', 'used', 'reset', 'resource'] as const;

function limitsOf({ headers }: JsonResponse): readonly (string | null)[] {
  return HEADERS.map((name) => headers.get(`x-ratelimit-${name}`));
}

/** 2026-11-20T13:00:00Z, an hour after the clock's start. */
const RESET = '1795179600';

describe.each(TRANSPORTS)('primary limits, by %s', (transport) => {
  test('every response has the headers of the limits', async () => {
    await using inbox = await openNotifications(transport);
    const responses = [
      await inbox.call('GET', '/notifications'),
      await inbox.call('GET', '/notifications?per_page=99'),
      await inbox.call('GET', '/notifications/threads/1'),
      await inbox.call('PUT', '/notifications'),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 422, 404, 205]);
    expect(responses.map(limitsOf)).toEqual(
      [1, 2, 3, 4].map((used) => ['5000', String(5000 - used), String(used), RESET, 'core']),
    );
    expect(limitsOf(await inbox.call('GET', '/notifications', { token: '' }))).toEqual([
      '60',
      '59',
      '1',
      RESET,
      'core',
    ]);
  });

  test('responses to unknown paths, 304 and faults have the headers of the limits too', async () => {
    await using inbox = await openNotifications(transport);
    const { headers } = await inbox.call('GET', '/notifications');
    await inbox.mock.faults.put([
      { operationId: 'getThread', status: 502, times: 1 },
      { operationId: 'getThread', status: 403, headers: { 'X-RateLimit-Remaining': '0' }, times: 1 },
    ]);
    const responses = [
      await inbox.call('GET', '/nowhere'),
      await inbox.call('POST', '/notifications'),
      await inbox.call('OPTIONS', '/notifications'),
      await inbox.call('HEAD', '/notifications'),
      await inbox.call('GET', '/notifications/threads/1'),
      await inbox.call('GET', '/notifications/threads/1'),
      await inbox.call('PUT', '/notifications', { body: {}, headers: { 'content-encoding': 'gzip' } }),
      await inbox.call('GET', '/notifications', {
        headers: { 'if-modified-since': headers.get('last-modified') ?? '' },
      }),
    ];
    expect(responses.map((response) => [response.status, limitsOf(response)[1], limitsOf(response)[2]])).toEqual([
      [404, '4998', '2'],
      [405, '4997', '3'],
      [204, '4996', '4'],
      [200, '4995', '5'],
      [502, '4994', '6'],
      [403, '0', '7'],
      [400, '4992', '8'],
      [304, '4992', '8'],
    ]);
    expect(limitsOf(await inbox.call('GET', '/nowhere', { token: '' }))).toEqual(['60', '59', '1', RESET, 'core']);
    expect(limitsOf(await inbox.call('GET', '/nowhere', { token: 'invalid' }))[2]).toBe('2');
  });

  test('responds 403 beyond the limit, until the window ends by the clock', async () => {
    await using inbox = await openNotifications(transport);
    for (let count = 0; count < 60; count += 1)
      expect((await inbox.call('GET', '/notifications', { token: '' })).status).toBe(401);
    await inbox.mock.clock.advance('PT59M59S');
    const refused = await inbox.call('GET', '/notifications', { token: '' });
    expect(refused).toMatchObject({
      status: 403,
      json: { message: 'API rate limit exceeded for 127.0.0.1.', status: '403', documentation_url: expect.any(String) },
    });
    expect([...limitsOf(refused), refused.headers.get('retry-after')]).toEqual(['60', '0', '60', RESET, 'core', null]);
    expect((await inbox.call('GET', '/notifications')).status).toBe(200);
    await inbox.mock.clock.advance('PT1S');
    expect((await inbox.call('GET', '/notifications', { token: '' })).status).toBe(401);
  });

  test('the overview costs nothing and agrees with the headers', async () => {
    await using inbox = await openNotifications(transport);
    await inbox.call('GET', '/notifications');
    const { status, json } = await inbox.call('GET', '/rate_limit');
    const core = { limit: 5000, remaining: 4999, used: 1, reset: Number(RESET) };
    expect([status, json]).toMatchObject([
      200,
      {
        resources: { core, search: { limit: 30 }, graphql: { limit: 5000 }, large_file_storage: { limit: 3000 } },
        rate: core,
      },
    ]);
    expect((await inbox.call('GET', '/rate_limit', { token: '' })).json).toMatchObject({
      rate: { limit: 60, used: 0 },
      resources: { graphql: { limit: 0 } },
    });
    expect((await inbox.call('GET', '/rate_limit', { token: 'invalid' })).status).toBe(401);
    expect((await inbox.call('GET', '/rate_limit', { headers: { 'x-vendor-api-version': '2019-01-01' } })).status).toBe(
      400,
    );
  });
});

describe('callers', () => {
  const credentials = [
    { token: 'user', account: 'anna', scopes: ['repo'] },
    { token: 'big', account: 'anna', kind: 'enterprise', scopes: ['notifications'] },
    { token: 'robot', kind: 'app-installation' },
    { token: 'flow', kind: 'workflow' },
    { key: 'client', secret: 'secret', kind: 'oauth-app' },
    { token: 'narrow', scopes: ['gist'] },
  ] as const;
  const basic = `Basic ${Buffer.from('client:secret').toString('base64')}`;

  const kinds: readonly [string, Readonly<Record<string, string>>, number, string][] = [
    ['a personal access token', { authorization: 'Bearer user' }, 200, '5000'],
    ['the older scheme word', { authorization: 'token user' }, 200, '5000'],
    ['a user of an enterprise', { authorization: 'Bearer big' }, 200, '15000'],
    ['an installation', { authorization: 'Bearer robot' }, 403, '5000'],
    ['a workflow', { authorization: 'token flow' }, 403, '1000'],
    ['a token without a scope', { authorization: 'Bearer narrow' }, 403, '5000'],
    ['an unknown token', { authorization: 'Bearer nobody' }, 401, '60'],
    ['a client with its secret', { authorization: basic }, 401, '60'],
  ];
  const nowhere: typeof kinds = [
    ['an installation', { authorization: 'Bearer robot' }, 404, '5000'],
    ['a user of an enterprise', { authorization: 'token big' }, 404, '15000'],
    ['a token without a scope', { authorization: 'Bearer narrow' }, 404, '5000'],
    ['a client with its secret', { authorization: basic }, 404, '5000'],
    ['an unknown token', { authorization: 'Bearer nobody' }, 404, '60'],
  ];
  test.each(nowhere)('%s is known where there is no operation, too', async (_name, headers, status, limit) => {
    await using inbox = await openNotifications('process', { credentials });
    const response = await inbox.call('GET', '/nowhere', { token: '', headers });
    expect([response.status, limitsOf(response)[0]]).toEqual([status, limit]);
  });
  test.each(kinds)('callers: %s', async (_name, headers, status, limit) => {
    await using inbox = await openNotifications('process', { credentials });
    const response = await inbox.call('GET', '/notifications', { token: '', headers });
    expect([response.status, limitsOf(response)[0]]).toEqual([status, limit]);
  });

  test('the overview is served to every kind of caller', async () => {
    await using inbox = await openNotifications('process', { credentials });
    const limits: unknown[] = [];
    for (const authorization of ['Bearer robot', 'token flow', 'Bearer narrow', basic]) {
      const { status, json } = await inbox.call('GET', '/rate_limit', { token: '', headers: { authorization } });
      limits.push([status, (json as { rate: { limit: number } }).rate.limit]);
    }
    expect(limits).toEqual([
      [200, 5000],
      [200, 1000],
      [200, 5000],
      [200, 5000],
    ]);
  });

  test('requests under a higher limit also count for the lower limits of the same user', async () => {
    await using inbox = await openNotifications('process', { credentials });
    await inbox.call('GET', '/notifications', { token: 'big' });
    expect(limitsOf(await inbox.call('GET', '/notifications', { token: 'user' }))[2]).toBe('2');
    expect(limitsOf(await inbox.call('GET', '/notifications', { token: 'big' }))[2]).toBe('2');
  });

  test('responds 400 to an unsupported version, also where violations are 422', async () => {
    await using inbox = await openNotifications();
    const version = (value: string): Promise<JsonResponse> =>
      inbox.call('GET', '/notifications', { headers: { 'x-vendor-api-version': value } });
    expect(await version('2019-01-01')).toMatchObject({
      status: 400,
      json: { message: expect.stringMatching(/2019-01-01 is not supported.*2026-03-10/) },
    });
    expect((await version('2026-03-10')).status).toBe(200);
    expect((await version('2022-11-28')).status).toBe(200);
  });
});

describe('secondary limits', () => {
  test('limits each endpoint to 900 points a minute: 1 for a read, 5 for a write', async () => {
    await using inbox = await openNotifications();
    for (let count = 0; count < 180; count += 1) expect((await inbox.call('PUT', '/notifications')).status).toBe(205);
    await inbox.mock.clock.advance('PT20S');
    const refused = await inbox.call('PUT', '/notifications');
    expect(refused).toMatchObject({
      status: 403,
      json: { message: expect.stringMatching(/secondary rate limit/), status: '403' },
    });
    expect([refused.headers.get('retry-after'), refused.headers.get('x-ratelimit-used')]).toEqual(['40', '180']);
    expect((await inbox.call('GET', '/notifications')).status).toBe(200);
    await inbox.mock.clock.advance('PT40S');
    expect((await inbox.call('PUT', '/notifications')).status).toBe(205);
  });

  test('the overview and 304 count for the limit of an endpoint', async () => {
    await using inbox = await openNotifications();
    for (let count = 0; count < 900; count += 1) await inbox.call('GET', '/rate_limit');
    expect((await inbox.call('GET', '/rate_limit')).status).toBe(403);
  });

  test('limits requests that generate content to 80 a minute', async () => {
    await using inbox = await openNotifications();
    const { id } = await inbox.notify();
    const subscribe = async (): Promise<number> =>
      (await inbox.call('PUT', `/notifications/threads/${id}/subscription`)).status;
    for (let count = 0; count < 80; count += 1) expect(await subscribe()).toBe(200);
    expect(await subscribe()).toBe(403);
    for (let minute = 1; minute < 7; minute += 1) {
      await inbox.mock.clock.advance('PT1M');
      for (let count = 0; count < (minute === 6 ? 20 : 80); count += 1) expect(await subscribe()).toBe(200);
    }
    expect(await subscribe()).toBe(403);
  });

  test('limits concurrent requests to 100', async () => {
    await using inbox = await openNotifications();
    const responses = await Promise.all(Array.from({ length: 130 }, () => inbox.call('GET', '/notifications')));
    const refused = responses.filter(({ status }) => status === 403);
    expect(refused.length).toBe(30);
    expect(refused[0]?.headers.get('retry-after')).toBe('60');
    // On a busy machine, the responses may have used up the limit of response time.
    await inbox.mock.clock.advance('PT1M');
    expect((await inbox.call('GET', '/notifications')).status).toBe(200);
  });
});

describe('switches', () => {
  test('noRateLimit switches off limits and their headers', async () => {
    await using inbox = await openNotifications('process', { noRateLimit: true });
    for (let count = 0; count < 61; count += 1) await inbox.call('GET', '/notifications', { token: '' });
    const response = await inbox.call('GET', '/notifications', { token: '' });
    expect([response.status, limitsOf(response)]).toEqual([401, [null, null, null, null, null]]);
  });

  test('a reset and a new sandbox start with a full limit', async () => {
    await using inbox = await openNotifications();
    await inbox.call('GET', '/notifications');
    await inbox.call('GET', '/notifications');
    expect(limitsOf(await inbox.call('GET', '/notifications', { headers: { 'x-specmill-sandbox': 'other' } }))[2]).toBe(
      '1',
    );
    await inbox.mock.reset();
    expect(limitsOf(await inbox.call('GET', '/notifications'))[2]).toBe('1');
  });

  test('a window does not become longer if the clock is set back', async () => {
    await using inbox = await openNotifications();
    await inbox.call('GET', '/notifications');
    await inbox.mock.clock.set('2026-01-01T00:00:00Z');
    const response = await inbox.call('GET', '/notifications');
    expect([response.headers.get('x-ratelimit-used'), response.headers.get('x-ratelimit-reset')]).toEqual([
      '1',
      String(Date.UTC(2026, 0, 1, 1) / 1000),
    ]);
  });
});

test('90 seconds of response time in a minute use up the limit of CPU time', async () => {
  await using inbox = await openNotifications();
  await inbox.mock.faults.put([{ latencyMs: 900, times: 100 }]);
  const slow = await Promise.all(Array.from({ length: 100 }, () => inbox.call('GET', '/nowhere')));
  expect(new Set(slow.map(({ status }) => status))).toEqual(new Set([404]));
  const refused = await inbox.call('GET', '/notifications');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([403, '60']);
  expect((await inbox.call('GET', '/notifications', { token: 'berta' })).status).toBe(200);
  await inbox.mock.clock.advance('PT1M');
  expect((await inbox.call('GET', '/notifications')).status).toBe(200);
});

describe('the properties of a credential', () => {
  const credentials = [
    { token: 'app', kind: 'app-installation', properties: { enterprise: true } },
    { token: 'flow', kind: 'workflow', properties: { enterprise: true } },
    { token: 'grown', kind: 'app-installation', properties: { repositories: 30, users: 25 } },
    { token: 'own', kind: 'app-installation', properties: { repositories: 30, users: 25, organization: false } },
    { token: 'huge', kind: 'app-installation', properties: { repositories: 1_000 } },
    { token: 'fine', properties: { identity: 'fine-grained-personal-access-token' } },
    { token: 'acting', properties: { identity: 'app-user-token' } },
    { token: 'classic', properties: { identity: 'personal-access-token' } },
  ] as const;

  test.each([
    ['app', '15000'],
    ['flow', '15000'],
    ['grown', '5750'],
    ['own', '5500'],
    ['huge', '12500'],
  ])('the credential %s has a limit of %s', async (token, limit) => {
    await using inbox = await openNotifications('process', { credentials });
    expect(limitsOf(await inbox.call('GET', '/rate_limit', { token }))[0]).toBe(limit);
  });

  test.each([
    ['fine', 403],
    ['acting', 403],
    ['classic', 200],
  ])('the token %s lists notifications with %i', async (token, status) => {
    await using inbox = await openNotifications('process', { credentials });
    expect((await inbox.call('GET', '/notifications', { token })).status).toBe(status);
  });
});

test('only limits without a number or a route are not enforced', () => {
  const uncounted = readPolicy().secondary.limits.filter(
    ({ limit, interfaces }) => limit === null || !interfaces.includes('rest'),
  );
  expect(uncounted.map(({ id }) => id)).toEqual([
    'graphql-points',
    'graphql-cpu-time',
    'oauth-token-requests',
    'excessive-compute',
  ]);
});
