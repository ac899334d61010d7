import { type HandlerContext, toIsoTime } from 'specmill/mock';

import type { Thread, ThreadSubject, ThreadSubscription } from '../../generated/notifications/types.js';
import { SUBJECTS, type SubjectRecord, type ThreadRecord } from './records.js';
import { repositoryUrl, showRepository, toSegment } from './show-repository.js';

/** Where subjects of a type live below their repository; others have no resource of their own. */
const PLACES: Readonly<Record<string, string>> = {
  Issue: 'issues',
  PullRequest: 'pulls',
  Commit: 'commits',
  Discussion: 'discussions',
  Release: 'releases',
};

export async function findSubject(
  context: Pick<HandlerContext, 'collection'>,
  threadId: string,
): Promise<SubjectRecord> {
  const subject = await context.collection<SubjectRecord>(SUBJECTS).get(threadId);
  if (subject === undefined) throw new Error(`The thread ${threadId} has no subject.`);
  return subject;
}

/** A thread as its reader sees it, with URLs below `base`. */
export function showThread(thread: ThreadRecord, subject: SubjectRecord, base: string): Thread {
  const url = `${base}/notifications/threads/${thread.id}`;
  return {
    id: thread.id,
    repository: showRepository(base, subject.owner, subject.repo),
    subject: showSubject(subject, base),
    reason: thread.reason,
    unread: thread.unread,
    updated_at: toWholeSeconds(thread.updatedAt),
    last_read_at: thread.lastReadAt === null ? null : toWholeSeconds(thread.lastReadAt),
    url,
    subscription_url: `${url}/subscription`,
  };
}

function showSubject({ owner, repo, type, title, ref, latestComment }: SubjectRecord, base: string): ThreadSubject {
  const place = Object.hasOwn(PLACES, type) ? PLACES[type] : undefined;
  if (place === undefined) return { title, url: null, latest_comment_url: null, type };
  const repository = repositoryUrl(base, owner, repo);
  const url = `${repository}/${place}/${toSegment(ref)}`;
  if (latestComment === null) return { title, url, latest_comment_url: url, type };
  const comments = type === 'Commit' ? 'comments' : 'issues/comments';
  return { title, url, latest_comment_url: `${repository}/${comments}/${latestComment}`, type };
}

/** The subscription to a thread; none if it is absent or the thread is muted. */
export function showSubscription({ id, subscription }: ThreadRecord, base: string): ThreadSubscription | undefined {
  if (subscription.state === 'absent' || subscription.state === 'muted') return undefined;
  const url = `${base}/notifications/threads/${id}`;
  const isSubscribed = subscription.state === 'subscribed';
  return {
    subscribed: isSubscribed,
    ignored: !isSubscribed,
    reason: isSubscribed ? subscription.reason : null,
    created_at: toWholeSeconds(subscription.createdAt),
    url: `${url}/subscription`,
    thread_url: url,
  };
}

/** The time that a client sees, in milliseconds: whole seconds, which filters and marks compare with. */
export function shownTime(time: number): number {
  return Math.floor(time / 1_000) * 1_000;
}

function toWholeSeconds(time: number): string {
  return toIsoTime(shownTime(time));
}
