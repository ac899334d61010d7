import { isSuccess } from '../../http/messages.js';
import type { Operation } from '../../model/api.js';
import { type ProblemText, problem } from '../checks/problem.js';
import type { Assertion, Value } from '../reproduction/assertion.js';
import type { Call, Exchange } from '../types.js';
import { varyBody } from './maximal-body.js';
import { type CrudContext, callOn, readItem } from './crud-context.js';

/**
 * Checks that an item's `ETag` changes with the item and only then, and that a change based on an old `ETag` is
 * refused.
 */
export async function checkEtags(crud: CrudContext, changed: Call | undefined): Promise<void> {
  const first = await readItem(crud);
  const second = await readItem(crud);
  const tag = first?.headers.get('etag');
  if (first === undefined || second === undefined || tag === undefined || tag === null) return;
  if (first.text === second.text && second.headers.get('etag') !== tag)
    reportTag(
      crud,
      second,
      { assertion: { expects: 'same', left: tagOf(second), right: tagOf(first) } },
      {
        cause: 'restless',
        message: 'The ETag is another one, although nothing has changed.',
        expected: tag,
        actual: second.headers.get('etag') ?? 'no such header',
      },
    );
  if (changed === undefined) return;
  const call = vary(crud, changed, 31);
  const exchange = await crud.run.tryValid(call);
  const after = await readItem(crud);
  const old = await readItem(crud, { 'if-none-match': tag });
  if (old?.status === 304 && after?.status === 200 && after.text !== second.text)
    reportTag(
      crud,
      old,
      { assertion: { expects: 'status', exchange: old, status: 200 }, change: exchange },
      {
        cause: 'old',
        message: 'The item has changed, but a request with the old etag gets 304.',
        expected: '200',
        actual: '304',
      },
    );
  if (exchange === undefined || !isSuccess(exchange) || after?.status !== 200 || after.text === second.text) return;
  if (reportSameTag(crud, { before: second, after, change: exchange })) return;
  const change = { before: after, change: exchange };
  await checkGuard(crud, { ...vary(crud, changed, 32), headers: { [guardOf(call.operation)]: tag } }, change);
  const { delete: operation } = crud.resource;
  const removal = operation === undefined ? undefined : await callOn(crud, operation);
  if (removal !== undefined)
    await checkGuard(crud, { ...removal, headers: { [guardOf(removal.operation)]: tag } }, change);
}

/** Reports a changed item whose `ETag` is still the same. Returns whether it did. */
export function reportSameTag(
  crud: CrudContext,
  { before, after, change }: { readonly before: Exchange; readonly after: Exchange; readonly change: Exchange },
): boolean {
  const tag = before.headers.get('etag');
  if (tag === null || after.headers.get('etag') !== tag || after.text === before.text) return false;
  reportTag(
    crud,
    after,
    { assertion: { expects: 'other', left: tagOf(after), right: tagOf(before) }, change },
    {
      cause: 'stuck',
      message: 'The item has changed, but its ETag is still the same.',
      expected: 'another ETag',
      actual: tag,
    },
  );
  return true;
}

/** The same change with another value. */
function vary({ run, resource }: CrudContext, call: Call, step: number): Call {
  const slot = resource.slots.get(call.operation);
  const options = { run, seed: run.options.seed + step, ...(slot?.in === 'body' ? { idMember: slot.name } : {}) };
  const body = call.body === undefined ? undefined : varyBody(call.body, call.operation, options);
  return body === undefined ? call : { ...call, body };
}

/** The header that makes a write conditional, in lower case, or empty. */
function guardOf({ extensions, parameters, responses }: Operation): string {
  const said = extensions['x-read-before-write'] as { readonly etag?: { readonly condition: string } } | undefined;
  const own = parameters.find(({ in: place, name }) => place === 'header' && /^if-match$/i.test(name));
  const isByTime = parameters.some(({ in: place, name }) => place === 'header' && /^if-unmodified-since$/i.test(name));
  const isGuarded = !isByTime && responses.some(({ status }) => status === '412');
  return (said?.etag?.condition ?? own?.name ?? (isGuarded ? 'if-match' : '')).toLowerCase();
}

/** Checks that a write with an outdated condition changes nothing: otherwise changes of others are lost. */
async function checkGuard(
  crud: CrudContext,
  call: Call,
  { before, change }: { readonly before: Exchange; readonly change: Exchange },
): Promise<void> {
  if (guardOf(call.operation) === '') return;
  const stale = await crud.run.tryValid(call);
  const after = await readItem(crud);
  const isApplied = after?.status === 200 && after.text !== before.text;
  if (stale === undefined || (!isSuccess(stale) && !isApplied)) return;
  const found = problem('conditional requests', {
    cause: 'lost update',
    message: 'It was done although the item is not the one that the condition names: changes of others get lost.',
    expected: '412, and the item as it was',
    actual: String(stale.status),
  });
  const assertion: Assertion =
    after === undefined || isSuccess(stale)
      ? { expects: 'status', exchange: stale, status: 'refused' }
      : { expects: 'same', left: { from: 'text', exchange: after }, right: { from: 'text', exchange: before } };
  crud.run.report(found, { call, phase: 'stateful', assertion, others: [change, before] }, stale);
}

function tagOf(exchange: Exchange): Value {
  return { from: 'header', exchange, name: 'etag' };
}

interface TagReport {
  readonly assertion: Assertion;
  /** The change that the tag must reflect. */
  readonly change?: Exchange | undefined;
}

function reportTag(
  { run, resource }: CrudContext,
  exchange: Exchange,
  { assertion, change }: TagReport,
  text: ProblemText,
): void {
  if (resource.read === undefined) return;
  const call = { operation: resource.read, parameters: new Map() };
  const others = change === undefined ? [] : [change];
  run.report(problem('conditional requests', text), { call, phase: 'stateful', assertion, others }, exchange);
}
