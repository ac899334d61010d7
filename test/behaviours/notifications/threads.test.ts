import { describe, expect, test } from 'vitest';

import type { Reason } from '../../../generated/notifications/types.js';
import { openNotifications } from './notifications-mock.js';
import { TRANSPORTS } from '../stopped-mock.js';

describe.each(TRANSPORTS)('threads, by %s', (transport) => {
  test('a notification creates an unread thread whose URLs lead to this mock', async () => {
    await using inbox = await openNotifications(transport);
    const notified = await inbox.notify('Leak', { reason: 'author' });
    const [thread] = await inbox.list();
    expect(thread).toEqual(notified);
    expect(thread).toMatchObject({
      reason: 'author',
      unread: true,
      updated_at: '2026-11-20T12:00:00Z',
      last_read_at: null,
      repository: { full_name: 'Harbor/boat', owner: { login: 'Harbor' } },
      subject: { title: 'Leak', type: 'Issue', url: `${inbox.mock.url}/repos/Harbor/boat/issues/1` },
    });
    expect(thread?.url.startsWith(`${inbox.mock.url}/notifications/threads/`)).toBe(true);
    expect((await inbox.call('GET', new URL(thread?.url ?? '').pathname)).json).toEqual(thread);
  });

  test('PATCH marks a thread as read, DELETE as done, and a new notification brings it back', async () => {
    await using inbox = await openNotifications(transport);
    const { id } = await inbox.notify();
    const path = `/notifications/threads/${id}`;
    expect((await inbox.call('PATCH', path)).status).toBe(205);
    expect(await inbox.list()).toEqual([]);
    expect(await inbox.list('/notifications?all=true')).toMatchObject([
      { unread: false, last_read_at: '2026-11-20T12:00:00Z' },
    ]);
    await inbox.mock.clock.advance('PT1H');
    expect((await inbox.call('PATCH', path)).status).toBe(205);
    expect((await inbox.call('GET', path)).json).toMatchObject({ last_read_at: '2026-11-20T12:00:00Z' });
    expect((await inbox.call('DELETE', path)).status).toBe(204);
    expect(await inbox.list('/notifications?all=TRUE')).toEqual([]);
    for (const method of ['GET', 'PATCH']) expect((await inbox.call(method, path)).status).toBe(404);
    expect((await inbox.call('DELETE', path)).status).toBe(204);
    await inbox.notify();
    expect(await inbox.list()).toMatchObject([
      { id, unread: true, updated_at: '2026-11-20T13:00:00Z', last_read_at: '2026-11-20T12:00:00Z' },
    ]);
  });

  test('PUT marks threads up to a time as read, many of them in the background (202)', async () => {
    await using inbox = await openNotifications(transport);
    await inbox.notify('old');
    await inbox.mock.clock.advance('PT1M');
    await inbox.notify('new');
    expect((await inbox.call('PUT', '/notifications', { body: { last_read_at: '2026-11-20T12:00:00Z' } })).status).toBe(
      205,
    );
    expect((await inbox.list()).map(({ subject }) => subject.title)).toEqual(['new']);
    expect((await inbox.call('PUT', '/notifications', { body: { read: false } })).status).toBe(205);
    expect(await inbox.list()).toHaveLength(1);
    expect((await inbox.call('PUT', '/notifications')).status).toBe(205);
    expect(await inbox.list()).toEqual([]);
    for (let count = 0; count <= 100; count += 1) await inbox.notify(`thread ${count}`);
    const many = await inbox.call('PUT', '/notifications', { body: {} });
    expect([many.status, many.json]).toEqual([202, { message: expect.stringMatching(/background/) }]);
    expect((await inbox.list('/notifications?per_page=50')).length).toBe(50);
    await inbox.mock.clock.advance('PT4S');
    await inbox.notify('thread 7');
    await inbox.mock.clock.advance('PT1S');
    expect((await inbox.list()).map(({ subject }) => subject.title)).toEqual(['thread 7']);
  });

  test('the threads of a repository are listed and marked in any letter case of its name', async () => {
    await using inbox = await openNotifications(transport);
    await inbox.notify('Leak', { repo: 'boat' });
    await inbox.notify('Fog', { repo: 'horn' });
    expect((await inbox.list('/repos/HARBOR/Horn/notifications')).map(({ subject }) => subject.title)).toEqual(['Fog']);
    expect(
      (await inbox.call('PUT', '/repos/harbor/BOAT/notifications', { body: { last_read_at: '2026-11-20T12:00:00Z' } }))
        .status,
    ).toBe(205);
    expect((await inbox.list()).map(({ subject }) => subject.title)).toEqual(['Fog']);
    for (const method of ['GET', 'PUT'])
      expect((await inbox.call(method, '/repos/harbor/none/notifications')).status).toBe(404);
    for (let count = 0; count <= 100; count += 1) await inbox.notify(`thread ${count}`, { repo: 'horn' });
    expect((await inbox.call('PUT', '/repos/harbor/horn/notifications')).status).toBe(202);
    await inbox.mock.clock.advance('PT5S');
    expect(await inbox.list()).toEqual([]);
  });
});

describe('one inbox for each token', () => {
  test('a notification without a user reaches all inboxes, and a read mark changes one inbox only', async () => {
    await using inbox = await openNotifications();
    await inbox.list('/notifications', 'anna');
    const { id } = await inbox.notify();
    await inbox.call('PATCH', `/notifications/threads/${id}`, { token: 'anna' });
    expect(await inbox.list('/notifications', 'anna')).toEqual([]);
    expect(await inbox.list('/notifications', 'bo')).toMatchObject([{ id, unread: true }]);
  });

  test('a notification with a user reaches that user only, by token or by account', async () => {
    const credentials = [
      { token: 't1', account: 'anna' },
      { token: 't2', account: 'bo' },
    ];
    await using inbox = await openNotifications('process', { credentials });
    await inbox.notify('for all');
    await inbox.notify('for anna', { user: 'anna' });
    await inbox.notify('for bo', { user: 't2' });
    const titles = async (token: string): Promise<readonly string[]> =>
      (await inbox.list('/notifications', token)).map(({ subject }) => subject.title);
    expect(await titles('t1')).toEqual(['for anna', 'for all']);
    expect(await titles('t2')).toEqual(['for bo', 'for all']);
    await inbox.notify('again', { user: 'anna' });
    expect(await titles('t1')).toEqual(['again', 'for anna', 'for all']);
    expect(await titles('t2')).toEqual(['for bo', 'for all']);
  });

  test('responds 404 to the threads of other users', async () => {
    await using inbox = await openNotifications();
    const { id } = await inbox.notify('private', { user: 'anna' });
    expect((await inbox.call('GET', `/notifications/threads/${id}`, { token: 'bo' })).status).toBe(404);
  });
});

describe('reasons', () => {
  const cases: readonly [string, readonly Reason[], Reason][] = [
    ['a later one replaces it', ['author', 'state_change'], 'state_change'],
    ['author, then mention', ['author', 'mention'], 'mention'],
    ['mention stays so', ['mention', 'comment'], 'mention'],
  ];
  test.each(cases)('reasons: %s', async (_name, reasons, expected) => {
    await using inbox = await openNotifications();
    for (const reason of reasons) await inbox.notify('Leak', { reason });
    expect(await inbox.list()).toMatchObject([{ reason: expected }]);
  });

  test('participating lists the threads of participants', async () => {
    await using inbox = await openNotifications();
    for (const reason of ['subscribed', 'ci_activity', 'mention', 'security_alert', 'assign'] as const)
      await inbox.notify(reason, { reason });
    expect((await inbox.list('/notifications?participating=true')).map(({ reason }) => reason)).toEqual([
      'assign',
      'mention',
    ]);
  });
});

describe('subscriptions', () => {
  const path = '/subscription';
  test('only participants have a subscription; PUT creates or ignores it, DELETE mutes it', async () => {
    await using inbox = await openNotifications();
    const watched = await inbox.notify('watched', { reason: 'subscribed' });
    const own = await inbox.notify('own', { reason: 'author' });
    const of = (id: string): string => `/notifications/threads/${id}${path}`;
    expect((await inbox.call('GET', of(watched.id))).status).toBe(404);
    expect((await inbox.call('GET', of(own.id))).json).toMatchObject({
      subscribed: true,
      ignored: false,
      reason: 'author',
      created_at: '2026-11-20T12:00:00Z',
    });
    expect((await inbox.call('PUT', of(watched.id))).json).toMatchObject({
      subscribed: true,
      ignored: false,
      reason: 'manual',
      thread_url: watched.url,
    });
    expect((await inbox.call('PUT', of(watched.id), { body: { ignored: true } })).json).toMatchObject({
      subscribed: false,
      ignored: true,
      reason: null,
    });
    expect((await inbox.call('PUT', of(watched.id), { body: { ignored: false } })).json).toMatchObject({
      subscribed: true,
      reason: 'manual',
    });
    expect((await inbox.call('DELETE', of(watched.id))).status).toBe(204);
    expect((await inbox.call('GET', of(watched.id))).status).toBe(404);
    expect((await inbox.call('DELETE', of(watched.id))).status).toBe(204);
    expect((await inbox.call('PUT', '/notifications/threads/1/subscription')).status).toBe(404);
  });

  const blocking: readonly [string, 'ignored' | 'muted', Reason, boolean][] = [
    ['ignored blocks', 'ignored', 'state_change', false],
    ['ignored blocks watchers, too', 'ignored', 'subscribed', false],
    ['muted blocks', 'muted', 'state_change', false],
    ['muted lets watchers through', 'muted', 'subscribed', true],
    ['a comment ends ignoring', 'ignored', 'comment', true],
    ['a mention ends muting', 'muted', 'mention', true],
  ];
  test.each(blocking)('subscriptions: %s', async (_name, state, reason, comes) => {
    await using inbox = await openNotifications();
    const { id } = await inbox.notify('Leak', { reason: 'author' });
    const thread = `/notifications/threads/${id}`;
    if (state === 'ignored') await inbox.call('PUT', thread + path, { body: { ignored: true } });
    else await inbox.call('DELETE', thread + path);
    await inbox.call('PATCH', thread);
    await inbox.notify('Leak', { reason });
    expect((await inbox.list()).length).toBe(comes ? 1 : 0);
    const woken = reason === 'comment' || reason === 'mention';
    const { status, json } = await inbox.call('GET', thread + path);
    if (woken) expect(json).toMatchObject({ subscribed: true, reason });
    else expect([status, json]).toMatchObject(state === 'muted' ? [404, {}] : [200, { ignored: true }]);
    await inbox.notify('Leak', { reason: 'state_change' });
    expect((await inbox.list()).length).toBe(comes ? 1 : 0);
  });

  test('the actions comment and mention reach every inbox of the thread', async () => {
    await using inbox = await openNotifications();
    const { id } = await inbox.notify('Leak', { reason: 'author', user: 'anna' });
    const commented = await inbox.mock.actions.comment({ threadId: id });
    expect(commented).toMatchObject({ id, reason: 'comment', unread: true });
    expect(commented.subject.latest_comment_url).toMatch(/\/repos\/Harbor\/boat\/issues\/comments\/\d+$/);
    expect(await inbox.mock.actions.mention({ threadId: id })).toMatchObject({ reason: 'mention' });
    expect(await inbox.list('/notifications', 'bo')).toEqual([]);
    await expect(inbox.mock.actions.comment({ threadId: '404' })).rejects.toMatchObject({ status: 422 });
    await expect(inbox.notify('x', { reason: 'boredom' as Reason })).rejects.toMatchObject({ status: 422 });
  });
});

test('reads JSON with the media type that curl sends, but with no other wrong one', async () => {
  await using inbox = await openNotifications('process');
  const put = async (type: string, body: string): Promise<number> => {
    const headers = { authorization: 'Bearer any', 'content-type': type };
    return (await inbox.mock.fetch(`${inbox.mock.url}/notifications`, { method: 'PUT', headers, body })).status;
  };
  expect(await put('application/x-www-form-urlencoded', '{"read":true}')).toBe(205);
  expect(await put('application/x-www-form-urlencoded', '{"read":"yes"}')).toBe(400);
  expect(await put('application/x-www-form-urlencoded', 'read=true')).toBe(400);
  expect(await put('application/xml', '{"read":true}')).toBe(415);
});
