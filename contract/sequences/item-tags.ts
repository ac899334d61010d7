import type { Operation } from '../../model/api.js';
import { makeCall } from '../cases/make-call.js';
import { problem } from '../checks/problem.js';
import { withId } from '../resources/resource.js';
import type { Call, Exchange } from '../types.js';
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
  await checkGuard(life, { ...call, headers: { [guardOf(write)]: '"specmill-stale"' } }, second);
  const exchange = await run.try({ phase: 'stateful', call, expectation: { kind: 'valid' } });
  const after = await readItem(life);
  const old = await readItem(life, { 'if-none-match': tag });
  if (old?.status === 304 && after?.status === 200 && after.text !== second.text)
    reportTag(life, old, {
      cause: 'old',
      message: 'The item has changed, but whoever has the old one is told that it has not.',
      expected: '200',
      actual: '304',
    });
  if (exchange === undefined || !isGood(exchange) || after?.status !== 200 || after.text === second.text) return;
  if (after.headers.get('etag') === second.headers.get('etag'))
    reportTag(life, after, {
      cause: 'stuck',
      message: 'The item has changed, but its ETag is still the same.',
      expected: 'another ETag',
      actual: tag,
    });
}

/** The header that makes a write depend on what was read, in lower case. */
function guardOf({ extensions, parameters }: Operation): string {
  const said = extensions['x-read-before-write'] as { readonly etag?: { readonly condition: string } } | undefined;
  const own = parameters.find(({ in: place, name }) => place === 'header' && /^if-match$/i.test(name));
  return (said?.etag?.condition ?? own?.name ?? '').toLowerCase();
}

/** A write on the condition that the item is another one must change nothing: otherwise changes of others get lost. */
async function checkGuard(life: Life, call: Call, before: Exchange): Promise<void> {
  if (guardOf(call.operation) === '') return;
  const stale = await life.run.try({ phase: 'stateful', call, expectation: { kind: 'valid' } });
  const after = await readItem(life);
  const isApplied = after?.status === 200 && after.text !== before.text;
  if (stale === undefined || (!isGood(stale) && !isApplied)) return;
  const found = problem('conditional requests', {
    cause: 'lost update',
    message: 'A write was done although the item was not the one that its condition names: changes of others get lost.',
    expected: '412, and the item as it was',
    actual: String(stale.status),
  });
  life.run.report(found, { call, phase: 'stateful' }, stale);
}

function reportTag({ run, resource }: Life, exchange: Exchange, text: Parameters<typeof problem>[1]): void {
  if (resource.read === undefined) return;
  const call = { operation: resource.read, parameters: new Map() };
  run.report(problem('conditional requests', text), { call, phase: 'stateful' }, exchange);
}
