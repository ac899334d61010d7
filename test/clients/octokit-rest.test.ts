import { throttling } from '@octokit/plugin-throttling';
import { Octokit } from '@octokit/rest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { Reason } from '../../generated/notifications/types.js';
import { type Mock, startMock } from '../../entry/mock.js';
import type { ActionsOf } from '../../server/start/mock.js';

const owner = 'harbor-works';
const repo = 'tidewatch';
const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
let mock: Mock<ActionsOf<'notifications'>>;

beforeAll(async () => {
  mock = await startMock('notifications', { port: 0, vendor: 'github' });
});
afterAll(() => mock.close());
beforeEach(() => mock.reset());

/** The library as its users make it: a token, and the address of the service instead of the real one. */
function createOctokit(auth: string | undefined = 'ghp_1', baseUrl = mock.url): Octokit {
  return new Octokit({ baseUrl, log: SILENT, ...(auth === '' ? {} : { auth }) });
}

/** @returns the id of the thread. */
async function notify(title: string, reason: Reason = 'author'): Promise<number> {
  return Number((await mock.actions.notify({ owner, repo, title, type: 'Issue', reason })).id);
}

function readFailure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => 'no failure',
    (error: unknown) => error,
  );
}

describe('threads', () => {
  it('Octokit lists all threads, or those of a repository, page by page', async () => {
    const { activity, paginate } = createOctokit();
    for (const title of ['one', 'two', 'three', 'four', 'five']) await notify(title);
    const all = await paginate(activity.listNotificationsForAuthenticatedUser, { per_page: 2, all: true });
    expect(all.map(({ subject }) => subject.title)).toEqual(['five', 'four', 'three', 'two', 'one']);
    const own = await paginate(activity.listRepoNotificationsForAuthenticatedUser, { owner, repo, per_page: 3 });
    expect(own.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    const since = all[0]?.updated_at ?? '';
    expect((await activity.listNotificationsForAuthenticatedUser({ since, participating: true })).data).toEqual([]);
  });

  it('Octokit reads a thread and marks it as read and as done', async () => {
    const { activity } = createOctokit();
    const thread_id = await notify('one', 'mention');
    const { data } = await activity.getThread({ thread_id });
    expect(data).toMatchObject({ id: String(thread_id), reason: 'mention', unread: true, last_read_at: null });
    expect((await activity.markThreadAsRead({ thread_id })).status).toBe(205);
    expect((await activity.getThread({ thread_id })).data).toMatchObject({ unread: false });
    expect((await activity.markThreadAsDone({ thread_id })).status).toBe(204);
    expect(await readFailure(activity.getThread({ thread_id }))).toMatchObject({ name: 'HttpError', status: 404 });
  });

  it('Octokit marks all threads as read: everywhere, in a repository, up to a time', async () => {
    const { activity } = createOctokit();
    await notify('one');
    const last_read_at = new Date(Date.now() - 60_000).toISOString();
    expect((await activity.markNotificationsAsRead({ last_read_at, read: true })).status).toBe(205);
    expect((await activity.listNotificationsForAuthenticatedUser()).data).toHaveLength(1);
    expect((await activity.markRepoNotificationsAsRead({ owner, repo })).status).toBe(205);
    expect((await activity.listNotificationsForAuthenticatedUser()).data).toEqual([]);
    for (let count = 0; count < 101; count += 1) await notify(`${count}`);
    expect(await activity.markNotificationsAsRead()).toMatchObject({
      status: 202,
      data: { message: expect.any(String) },
    });
  });

  it('Octokit subscribes to a thread, ignores it and mutes it', async () => {
    const { activity } = createOctokit();
    const thread_id = await notify('one');
    expect((await activity.getThreadSubscriptionForAuthenticatedUser({ thread_id })).data.reason).toBe('author');
    expect((await activity.setThreadSubscription({ thread_id, ignored: true })).data).toMatchObject({
      subscribed: false,
      ignored: true,
    });
    expect((await activity.setThreadSubscription({ thread_id })).data).toMatchObject({ subscribed: true });
    expect((await activity.deleteThreadSubscription({ thread_id })).status).toBe(204);
    const muted = await readFailure(activity.getThreadSubscriptionForAuthenticatedUser({ thread_id }));
    expect(muted).toMatchObject({ status: 404 });
  });
});

describe('requests', () => {
  it('a poll counts against no limit while nothing is new', async () => {
    const octokit = createOctokit();
    const { headers } = await octokit.activity.listNotificationsForAuthenticatedUser();
    expect(headers['x-poll-interval']).toBe('60');
    const poll = (): Promise<unknown> =>
      octokit.request('GET /notifications', { headers: { 'if-modified-since': headers['last-modified'] } });
    const used = async (): Promise<number> => (await octokit.rateLimit.get()).data.rate.used;
    const before = await used();
    expect(await readFailure(poll())).toMatchObject({ status: 304 });
    expect(await used()).toBe(before);
    await notify('new');
    expect(await poll()).toMatchObject({ status: 200 });
    expect(await used()).toBe(before + 1);
  });

  it.each([
    ['the version of the documentation', { 'X-GitHub-Api-Version': '2026-03-10' }],
    ['the version before', { 'X-GitHub-Api-Version': '2022-11-28' }],
    ['the media type of the documentation', { accept: 'application/vnd.github+json' }],
    ['a bearer token', { authorization: 'Bearer ghp_1' }],
  ])('the mock accepts a request with %s', async (_name, headers) => {
    expect(
      (await createOctokit('').request('GET /notifications', { headers: { authorization: 'token ghp_1', ...headers } }))
        .status,
    ).toBe(200);
  });

  it('requests work with other formats, with previews, and with a trailing slash in the base URL', async () => {
    const { activity } = createOctokit();
    for (const mediaType of [{ format: 'raw' }, { previews: ['squirrel-girl'] }])
      expect((await activity.listNotificationsForAuthenticatedUser({ mediaType })).status).toBe(200);
    const { status } = await createOctokit('ghp_1', `${mock.url}/`).activity.listNotificationsForAuthenticatedUser();
    expect(status).toBe(200);
  });

  it('Octokit throws an HttpError for an error response', async () => {
    const list = (auth: string, per_page: number): Promise<unknown> =>
      readFailure(createOctokit(auth).activity.listNotificationsForAuthenticatedUser({ per_page }));
    expect(await list('', 50)).toMatchObject({ name: 'HttpError', status: 401, message: 'Requires authentication' });
    expect(await list('invalid', 50)).toMatchObject({ status: 401, message: 'Bad credentials' });
    expect(await list('ghp_1', 51)).toMatchObject({ status: 422 });
  });
});

describe('limits', () => {
  const Throttled = Octokit.plugin(throttling);
  interface Waits {
    readonly primary: number[];
    readonly secondary: number[];
  }

  /** Waits as long as the response says, by the clock of the mock. */
  function createThrottled(auth: string, waits: Waits): Octokit {
    const obey =
      (waits: number[]) =>
      async (seconds: number): Promise<void> => {
        waits.push(seconds);
        await mock.clock.advance(`PT${seconds}S`);
      };
    return new Throttled({
      ...{ baseUrl: mock.url, log: SILENT, ...(auth === '' ? {} : { auth }) },
      throttle: {
        // Real milliseconds for each second that the service asks for.
        retryAfterBaseValue: 0.01,
        onRateLimit: (seconds, _request, _octokit, count) =>
          count === 0 && obey(waits.primary)(seconds).then(() => true),
        onSecondaryRateLimit: (seconds, _request, _octokit, count) =>
          count === 0 && obey(waits.secondary)(seconds).then(() => true),
      },
    });
  }

  it('Octokit reads the primary limit and what remains of it', async () => {
    const { data } = await createOctokit().rateLimit.get();
    expect(data.rate).toMatchObject({ limit: 5000, remaining: 5000, used: 0 });
    expect(data.resources.core).toEqual(data.rate);
    expect((await createOctokit('').rateLimit.get()).data.rate.limit).toBe(60);
  });

  it('Octokit waits until the window of the primary limit is over', async () => {
    const waits = { primary: [], secondary: [] };
    for (let count = 0; count < 60; count += 1) await fetch(`${mock.url}/notifications`);
    const response = await readFailure(createThrottled('', waits).activity.listNotificationsForAuthenticatedUser());
    expect(response).toMatchObject({ status: 401 });
    expect(waits).toEqual({ primary: [expect.closeTo(3600, -1)], secondary: [] });
  });

  it('Octokit waits for the Retry-After of a secondary limit', async () => {
    const waits = { primary: [], secondary: [] };
    const headers = { authorization: 'token ghp_1' };
    for (let count = 0; count < 900; count += 1) await mock.fetch(`${mock.url}/notifications`, { headers });
    const { status } = await createThrottled('ghp_1', waits).activity.listNotificationsForAuthenticatedUser();
    expect(status).toBe(200);
    expect(waits).toEqual({ primary: [], secondary: [expect.closeTo(60, -2)] });
  });
});
