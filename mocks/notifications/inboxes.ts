import type { HandlerContext, Caller } from '../../server/handler-api.js';
import { EVERYONE, INBOXES, type InboxRecord, THREADS, type ThreadRecord, toThreadKey } from './records.js';

type Context = Pick<HandlerContext, 'collection' | 'clock' | 'memory'>;

/** Does things one after another, so that no notification misses an inbox that is being opened. */
class Line {
  #end: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#end.then(work);
    this.#end = result.catch(() => {});
    return result;
  }
}

/** Waits for its turn among openings and deliveries of the sandbox. */
export function inLine<T>(context: Context, work: () => Promise<T>): Promise<T> {
  return context.memory('inbox-line', () => new Line()).run(work);
}

/** The inbox of a caller. A new one has what was sent to everyone so far, or what waits for its account. */
export async function openInbox(
  context: Context,
  { id, account }: Pick<Caller, 'id' | 'account'>,
): Promise<InboxRecord> {
  const known = await context.collection<InboxRecord>(INBOXES).get(id);
  return known ?? inLine(context, () => createInbox(context, { id, account }));
}

/** To be called in line. */
export async function createInbox(
  context: Context,
  { id, account }: Pick<Caller, 'id' | 'account'>,
): Promise<InboxRecord> {
  const inboxes = context.collection<InboxRecord>(INBOXES);
  const known = await inboxes.get(id);
  if (known !== undefined) return known;
  const model = (await inboxes.get(account)) ?? (await inboxes.get(EVERYONE));
  const now = Math.floor(context.clock.now() / 1_000);
  const inbox = { id, account, modified: model?.modified ?? now, since: model?.since ?? now };
  if (model !== undefined) {
    const threads = context.collection<ThreadRecord>(THREADS);
    for (const { value } of (await listThreads(context, model.id)).toReversed()) {
      await threads.put(toThreadKey(id, value.id), { ...value, inbox: id });
    }
  }
  await inboxes.put(id, inbox);
  return inbox;
}

/** A `Last-Modified` that no other notification of the inbox has, not before the time that it is. */
export async function nextModified(context: Context, inbox: string): Promise<number> {
  const changed = await context.collection<InboxRecord>(INBOXES).update(inbox, (value) => {
    if (value === undefined) return undefined;
    return { ...value, modified: Math.max(Math.ceil(context.clock.now() / 1_000), value.modified + 1) };
  });
  return changed?.modified ?? 0;
}

/** The threads of an inbox, those with the newest notification first; done ones, too. */
export async function listThreads(
  context: Context,
  inbox: string,
): Promise<readonly { readonly value: ThreadRecord }[]> {
  const order = [
    { path: 'updatedAt', descending: true },
    { path: 'modified', descending: true },
  ];
  const { items } = await context
    .collection<ThreadRecord>(THREADS)
    .query({ where: [{ path: 'inbox', test: 'equals', value: inbox }], order });
  return items;
}
