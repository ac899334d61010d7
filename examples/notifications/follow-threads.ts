/**
 * Follows an inbox: polls for changes without spending the limit, marks threads as read and as done, and mutes one, with
 * the generated client against a mock in this very process.
 *
 *     npm run build && npx jiti examples/notifications/follow-threads.ts
 */
import { createNotificationsClient } from '../../generated/notifications/client.js';
import type { Thread } from '../../generated/notifications/types.js';
import { startMock } from 'specmill/mock';

const mock = await startMock('notifications');
const client = createNotificationsClient({
  baseUrl: mock.url,
  fetch: mock.fetch,
  credentials: { bearerToken: 'my-token' },
});

function describe(threads: readonly Thread[] = []): string {
  return threads.map(({ subject, reason }) => `${subject.title} (${reason})`).join(', ') || 'nothing';
}

// The inbox of a token is there from its first call on.
const { data: atFirst } = await client.listNotifications();
console.log(`at first: ${describe(atFirst)}`);

// The outside world: one user mentions us, another asks for a review.
const repository = { owner: 'harbour', repo: 'ferries' };
await mock.actions.notify({ ...repository, title: 'Leak below deck', type: 'Issue', reason: 'mention' });
await mock.actions.notify({ ...repository, title: 'Paint it blue', type: 'PullRequest', reason: 'review_requested' });
const ids = new Map<string, string>();
for await (const { id, subject } of client.listNotificationsItems()) ids.set(subject.title, id);
const leak = { thread_id: Number(ids.get('Leak below deck')) };
const paint = { thread_id: Number(ids.get('Paint it blue')) };

// Polling waits as long as X-Poll-Interval says. Here the clock of the mock goes on instead, and in the third pause
// another user comments. In between the service responds 304, which gives nothing and does not count.
let pauses = 0;
async function sleep(milliseconds: number): Promise<void> {
  await mock.clock.advance(`PT${milliseconds / 1000}S`);
  pauses += 1;
  if (pauses === 3) await mock.actions.comment({ threadId: String(leak.thread_id) });
}
for await (const { data, headers } of client.listNotificationsChanges({}, { sleep })) {
  console.log(`after ${pauses} pauses: ${describe(data)}; calls so far: ${headers['x-ratelimit-used']}`);
  if (pauses > 0) break;
  await client.markThreadAsRead({ path: leak });
  await client.markThreadAsDone({ path: paint });
}

// A muted thread stays silent until a user mentions us.
const { data: subscription } = await client.setThreadSubscription({ path: leak, body: { ignored: true } });
console.log(`muted: ${subscription?.ignored}`);
const { status } = await client.markNotificationsAsRead();
console.log(`all marked as read: ${status}`);
await mock.actions.mention({ threadId: String(leak.thread_id) });
const { data: atLast } = await client.listNotifications();
console.log(`at last: ${describe(atLast)}`);
await mock.close();
