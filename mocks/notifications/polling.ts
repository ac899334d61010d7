import {
  HttpError,
  type HandlerContext,
  type HeaderMap,
  type RequestContext,
  isNotModifiedSince,
  toHttpDate,
} from 'specmill/mock';

/** Seconds between two polls while the platform is not under load (x-assumption of the header). */
const USUAL_INTERVAL = 60;
/** Collection of the interval while the platform is under load, and of the last polls since then. */
const POLLING = 'polling';
const LOAD = 'load';

type Context = Pick<HandlerContext, 'collection' | 'clock'>;

/** Puts the platform under load: callers must wait for the interval between two polls. The usual one ends it. */
export async function setPollInterval(context: Context, seconds: number): Promise<void> {
  const polling = context.collection<number>(POLLING);
  const { items } = await polling.query();
  for (const { id } of items) await polling.delete(id);
  if (seconds > USUAL_INTERVAL) await polling.put(LOAD, seconds);
}

async function readInterval(context: Context): Promise<number> {
  return (await context.collection<number>(POLLING).get(LOAD)) ?? USUAL_INTERVAL;
}

/**
 * Notes a poll of a list.
 *
 * @throws HttpError 422 if the platform is under load and the caller did not wait for the interval
 */
export async function notePoll(call: Context & Pick<RequestContext, 'caller' | 'operation'>): Promise<void> {
  const interval = await readInterval(call);
  if (interval <= USUAL_INTERVAL) return;
  const now = call.clock.now();
  let isTooEarly = false;
  await call.collection<number>(POLLING).update(`${call.operation?.id ?? ''} ${call.caller.id}`, (last) => {
    isTooEarly = last !== undefined && now >= last && now < last + interval * 1_000;
    return isTooEarly ? last : now;
  });
  if (!isTooEarly) return;
  const message = 'This endpoint was called too often. Obey X-Poll-Interval.';
  throw new HttpError(422, 'Validation Failed', {
    details: { errors: [{ resource: 'Notification', code: 'custom', message }] },
    headers: { 'x-poll-interval': String(interval) },
  });
}

/** @param modified - epoch seconds. */
export async function pollHeaders(context: Context, modified: number): Promise<HeaderMap> {
  return {
    'last-modified': toHttpDate(modified * 1_000),
    'x-poll-interval': String(await readInterval(context)),
  };
}

/** Whether the caller has seen all of it: nothing is newer than its `If-Modified-Since`. @param modified - epoch seconds. */
export function isUnchanged({ request }: Pick<RequestContext, 'request'>, modified: number): boolean {
  return isNotModifiedSince(request, modified * 1_000);
}
