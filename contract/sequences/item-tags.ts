import { makeCall } from '../cases/make-call.js';
import { problem } from '../checks/check-response.js';
import { withId } from '../resources/resource.js';
import type { Exchange } from '../types.js';
import { type Life, callOn, isGood, readItem } from './life.js';

/** An item's `ETag` is another one after a change, and the same one without. */
export async function checkItemTags(life: Life): Promise<void> {
  const { run, resource } = life;
  const first = await readItem(life);
  const second = await readItem(life);
  const tag = first?.headers.get('etag');
  if (first === undefined || second === undefined || tag === undefined || tag === null) return;
  if (first.text === second.text && second.headers.get('etag') !== tag)
    reportTag(life, second, {
      cause: 'restless',
      message: 'The ETag is another one, although nothing has changed.',
      expected: tag,
      actual: second.headers.get('etag') ?? 'no such header',
    });
  const write = resource.change ?? resource.replace;
  const base = write === undefined ? undefined : await callOn(life, write);
  const slot = write === undefined ? undefined : resource.slots.get(write);
  if (write === undefined || base === undefined || slot === undefined) return;
  const body = makeCall(write, { variant: 'full', seed: run.options.seed + 31 }, run.context)?.body;
  if (body === undefined) return;
  const call = withId({ ...base, body }, slot, life.id);
  const exchange = await run.try({ phase: 'stateful', call, expectation: { kind: 'valid' } });
  const after = await readItem(life);
  if (exchange === undefined || !isGood(exchange) || after?.status !== 200 || after.text === second.text) return;
  if (after.headers.get('etag') === second.headers.get('etag'))
    reportTag(life, after, {
      cause: 'stuck',
      message: 'The item has changed, but its ETag is still the same.',
      expected: 'another ETag',
      actual: tag,
    });
}

function reportTag({ run, resource }: Life, exchange: Exchange, text: Parameters<typeof problem>[1]): void {
  if (resource.read === undefined) return;
  const call = { operation: resource.read, parameters: new Map() };
  run.report(problem('conditional requests', text), { call, phase: 'stateful' }, exchange);
}
