import {
  type Call,
  type Handler,
  type HandlerResponse,
  type HeaderMap,
  type RequestContext,
  parseIsoTime,
} from 'specmill/mock';

import type { NotificationsOperations, Thread } from '../../generated/notifications/types.js';
import { listThreads, openInbox } from './inboxes.js';
import { isUnchanged, notePoll, pollHeaders } from './polling.js';
import { PARTICIPATING, REPOSITORIES, type ThreadRecord, toRepositoryKey } from './records.js';
import { findSubject, showThread, shownTime } from './show-thread.js';

type ListQuery = NonNullable<NotificationsOperations['listNotifications']['request']['query']>;

/** Defaults of the spec. */
const PER_PAGE = 50;
const PER_REPOSITORY_PAGE = 30;

/** The threads of the caller, those updated last first. */
export const listNotifications: Handler<NotificationsOperations['listNotifications']> = async (call) => {
  await notePoll(call);
  const { id, modified } = await openInbox(call, call.caller);
  const find = async (): Promise<ThreadRecord[]> => (await listThreads(call, id)).map(({ value }) => value);
  return showList(call, find, { modified, perPage: PER_PAGE });
};

/** The threads of the caller in one repository. Threads without a notification are left out. */
export const listRepositoryNotifications: Handler<NotificationsOperations['listRepositoryNotifications']> = async (
  call,
) => {
  const { owner, repo } = call.input.path;
  const repository = toRepositoryKey(owner, repo);
  if ((await call.collection(REPOSITORIES).get(repository)) === undefined) return call.refuse(404, 'Not Found');
  const inbox = await openInbox(call, call.caller);
  const all = (await listThreads(call, inbox.id))
    .map(({ value }) => value)
    .filter((thread) => thread.repository === repository);
  return showList(call, () => all, { modified: newest(all, inbox.since), perPage: PER_REPOSITORY_PAGE });
};

async function showList(
  call:
    | Call<NotificationsOperations['listNotifications']>
    | Call<NotificationsOperations['listRepositoryNotifications']>,
  find: () => readonly ThreadRecord[] | Promise<readonly ThreadRecord[]>,
  { modified, perPage }: { readonly modified: number; readonly perPage: number },
): Promise<HandlerResponse> {
  const headers = await pollHeaders(call, modified);
  if (isUnchanged(call, modified)) return call.respond(304, undefined, headers);
  const { query = {} } = call.input;
  const { page = 1, per_page = perPage } = query;
  const shown = await showPage(call, (await find()).filter(createTest(query)), { page, perPage: per_page });
  return call.respond(200, shown.threads, { ...headers, ...shown.headers });
}

/** When the newest notification of some threads came: epoch seconds. */
function newest(threads: readonly ThreadRecord[], since: number): number {
  return threads.reduce((latest, { modified }) => Math.max(latest, modified), since);
}

/** Read threads only with `all`, done ones never; `since` and `before` leave that very time out. */
function createTest({ all, participating, since, before }: ListQuery): (thread: ThreadRecord) => boolean {
  const from = since === undefined ? -Infinity : parseIsoTime(since);
  const to = before === undefined ? Infinity : parseIsoTime(before);
  return (thread) =>
    !thread.done &&
    (all === true || thread.unread) &&
    (participating !== true || PARTICIPATING.has(thread.reason)) &&
    shownTime(thread.updatedAt) > from &&
    shownTime(thread.updatedAt) < to;
}

async function showPage(
  call: Pick<RequestContext, 'baseUrl' | 'collection' | 'request'>,
  found: readonly ThreadRecord[],
  { page, perPage }: Omit<PagePlace, 'url'>,
): Promise<{ readonly threads: Thread[]; readonly headers: HeaderMap }> {
  const url = `${call.baseUrl}${call.request.target}`;
  const link = linkPages(found.length, { page, perPage, url });
  const threads: Thread[] = [];
  for (const thread of found.slice((page - 1) * perPage, page * perPage))
    threads.push(showThread(thread, await findSubject(call, thread.id), call.baseUrl));
  return { threads, headers: link === undefined ? {} : { link } };
}

interface PagePlace {
  /** Counted from 1; one beyond the last is empty. */
  readonly page: number;
  readonly perPage: number;
  /** Of this request: absolute, with its query. */
  readonly url: string;
}

/** The value of `Link`; `undefined` if everything is on one page. */
function linkPages(count: number, { page, perPage, url }: PagePlace): string | undefined {
  const last = Math.max(1, Math.ceil(count / perPage));
  const links: readonly (readonly [string, number, boolean])[] = [
    ['first', 1, page > 1],
    ['prev', Math.min(page - 1, last), page > 1],
    ['next', page + 1, page < last],
    ['last', last, page < last],
  ];
  const shown = links.filter(([, , isThere]) => isThere && last > 1);
  return shown.length === 0
    ? undefined
    : shown.map(([name, number]) => `<${withPage(url, number)}>; rel="${name}"`).join(', ');
}

function withPage(url: string, page: number): string {
  const changed = new URL(url);
  changed.searchParams.set('page', String(page));
  return changed.href;
}
