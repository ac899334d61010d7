import { describe, expect, test } from 'vitest';

import { openNotifications } from './notifications-mock.js';
import { TRANSPORTS } from '../stopped-mock.js';

describe.each(TRANSPORTS)('polling, by %s', (transport) => {
  test('responds 304, without cost, until there is a new notification', async () => {
    await using inbox = await openNotifications(transport);
    const empty = await inbox.call('GET', '/notifications');
    expect([empty.headers.get('last-modified'), empty.headers.get('x-poll-interval')]).toEqual([
      'Fri, 20 Nov 2026 12:00:00 GMT',
      '60',
    ]);
    let since = empty.headers.get('last-modified') ?? '';
    for (const title of ['one', 'two']) {
      const poll = await inbox.call('GET', '/notifications', { headers: { 'if-modified-since': since } });
      expect([poll.status, poll.text, poll.headers.get('last-modified'), poll.headers.get('x-ratelimit-used')]).toEqual(
        [304, '', since, title === 'one' ? '1' : '2'],
      );
      await inbox.notify(title);
      const news = await inbox.call('GET', '/notifications', { headers: { 'if-modified-since': since } });
      expect(news.status).toBe(200);
      since = news.headers.get('last-modified') ?? '';
    }
    expect(since).toBe('Fri, 20 Nov 2026 12:00:02 GMT');
    await inbox.call('PUT', '/notifications');
    expect((await inbox.call('GET', '/notifications', { headers: { 'if-modified-since': since } })).status).toBe(304);
  });

  test('every page but the last links to the next one on this mock', async () => {
    await using inbox = await openNotifications(transport);
    for (let count = 1; count <= 5; count += 1) await inbox.notify(`thread ${count}`);
    const page = async (path: string): Promise<readonly [string | null, readonly string[]]> => {
      const { headers, json } = await inbox.call('GET', path);
      return [headers.get('link'), (json as { subject: { title: string } }[]).map(({ subject }) => subject.title)];
    };
    const at = (number: number): string => `${inbox.mock.url}/notifications?per_page=2&page=${number}`;
    expect(await page('/notifications?per_page=2')).toEqual([
      `<${at(2)}>; rel="next", <${at(3)}>; rel="last"`,
      ['thread 5', 'thread 4'],
    ]);
    expect(await page('/notifications?per_page=2&page=2')).toEqual([
      `<${at(1)}>; rel="first", <${at(1)}>; rel="prev", <${at(3)}>; rel="next", <${at(3)}>; rel="last"`,
      ['thread 3', 'thread 2'],
    ]);
    expect(await page('/notifications?per_page=2&page=3')).toEqual([
      `<${at(1)}>; rel="first", <${at(2)}>; rel="prev"`,
      ['thread 1'],
    ]);
    expect(await page('/notifications?per_page=2&page=9')).toEqual([expect.stringContaining('rel="prev"'), []]);
    expect((await page('/notifications?per_page=5'))[0]).toBeNull();
  });
});

describe('conditional requests', () => {
  const dates: readonly [string, number][] = [
    ['Fri, 20 Nov 2026 12:00:00 GMT', 304],
    ['Friday, 20-Nov-26 12:00:01 GMT', 304],
    ['Fri Nov 20 12:00:02 2026', 304],
    ['Fri, 20 Nov 2026 11:59:59 GMT', 200],
    ['2026-11-20T12:00:00Z', 200],
    ['yesterday', 200],
  ];
  test.each(dates)('a request since %s gets %i', async (since, status) => {
    await using inbox = await openNotifications();
    expect((await inbox.call('GET', '/notifications', { headers: { 'if-modified-since': since } })).status).toBe(
      status,
    );
  });

  test('threads, subscriptions and repositories have modification times of their own', async () => {
    await using inbox = await openNotifications();
    const first = await inbox.notify('first', { reason: 'author' });
    const path = `/notifications/threads/${first.id}`;
    const since = (await inbox.call('GET', path)).headers.get('last-modified') ?? '';
    const repository = (await inbox.call('GET', '/repos/harbor/boat/notifications')).headers.get('last-modified') ?? '';
    await inbox.notify('second', { repo: 'horn' });
    const headers = { 'if-modified-since': since };
    expect((await inbox.call('GET', path, { headers })).status).toBe(304);
    expect(
      (await inbox.call('GET', '/repos/harbor/boat/notifications', { headers: { 'if-modified-since': repository } }))
        .status,
    ).toBe(304);
    expect((await inbox.call('GET', '/notifications', { headers })).status).toBe(200);
    expect((await inbox.call('GET', `${path}/subscription`, { headers })).status).toBe(304);
    await inbox.call('PUT', `${path}/subscription`, { body: { ignored: true } });
    expect((await inbox.call('GET', `${path}/subscription`, { headers })).status).toBe(200);
  });

  test('responds 304 to a write only if it would change nothing and nothing is newer', async () => {
    await using inbox = await openNotifications();
    const { id } = await inbox.notify('first', { reason: 'author' });
    const path = `/notifications/threads/${id}`;
    const headers = { 'if-modified-since': 'Sat, 21 Nov 2026 12:00:00 GMT' };
    for (const [method, where, once, body] of [
      ['PATCH', path, 205, undefined],
      ['PUT', '/notifications', 304, {}],
      ['PUT', `${path}/subscription`, 200, { ignored: true }],
      ['DELETE', `${path}/subscription`, 204, undefined],
    ] as const) {
      expect((await inbox.call(method, where, { headers, body })).status).toBe(once);
      expect((await inbox.call(method, where, { headers, body })).status).toBe(304);
      expect((await inbox.call(method, where, { body })).status).not.toBe(304);
    }
  });
});

describe('parameters', () => {
  test('since and before exclude the time itself', async () => {
    await using inbox = await openNotifications();
    for (const title of ['one', 'two', 'three']) {
      await inbox.notify(title);
      await inbox.mock.clock.advance('PT1M');
    }
    const titles = async (query: string): Promise<readonly string[]> =>
      (await inbox.list(`/notifications?${query}`)).map(({ subject }) => subject.title);
    expect(await titles('since=2026-11-20T12:00:00Z')).toEqual(['three', 'two']);
    expect(await titles('before=2026-11-20T13:02:00%2B01:00')).toEqual(['two', 'one']);
    expect(await titles('since=2026-11-20T12:00:00Z&before=2026-11-20T12:02:00Z')).toEqual(['two']);
  });

  const refused: readonly [string, number, string][] = [
    ['/notifications?per_page=51', 422, '/per_page'],
    ['/notifications?per_page=0', 422, '/per_page'],
    ['/notifications?since=monday', 422, '/since'],
    ['/notifications?all=maybe', 422, '/all'],
    ['/repos/harbor/boat/notifications?per_page=101', 400, '/per_page'],
    ['/notifications/threads/abc', 400, '/thread_id'],
  ];
  test.each(refused)('%s is refused with %i', async (path, status, pointer) => {
    await using inbox = await openNotifications();
    await inbox.notify();
    expect(await inbox.call('GET', path)).toMatchObject({
      status,
      json: { status: String(status), violations: [{ pointer }] },
    });
  });

  test('a page of a repository has 30 threads by default and at most 100', async () => {
    await using inbox = await openNotifications();
    for (let count = 0; count < 60; count += 1) await inbox.notify(`thread ${count}`);
    expect((await inbox.list('/repos/harbor/boat/notifications')).length).toBe(30);
    expect((await inbox.list('/repos/harbor/boat/notifications?per_page=100')).length).toBe(60);
    expect((await inbox.list()).length).toBe(50);
  });
});

test('under load the poll interval grows, and a caller that polls more often gets 422', async () => {
  await using inbox = await openNotifications();
  await inbox.mock.actions.load({ pollInterval: 120 });
  const first = await inbox.call('GET', '/notifications');
  expect([first.status, first.headers.get('x-poll-interval')]).toEqual([200, '120']);
  const second = await inbox.call('GET', '/notifications');
  expect(second).toMatchObject({
    status: 422,
    json: { errors: [{ message: 'This endpoint was called too often. Obey X-Poll-Interval.' }] },
  });
  expect((await inbox.call('GET', '/notifications', { token: 'berta' })).status).toBe(200);
  await inbox.mock.clock.advance('PT2M');
  expect((await inbox.call('GET', '/notifications')).status).toBe(200);
  await inbox.mock.actions.load({ pollInterval: 60 });
  const usual = await inbox.call('GET', '/notifications');
  expect([usual.status, usual.headers.get('x-poll-interval')]).toEqual([200, '60']);
});
