import { isSuccess } from '../../http/messages.js';
import type { Operation } from '../../model/api.js';
import { hasStatus, headerOf, other, refused, same, textOf } from '../expectations/assertion.js';
import type { ContractRun } from '../execute/contract-run.js';
import type { Call, Exchange } from '../types.js';
import { varyBody } from './maximal-body.js';
import { type CrudContext, callOn, latestRead, readItem } from './crud-context.js';

/**
 * Checks that an item's `ETag` changes with the item and only then, and that a change based on an old `ETag` is
 * refused.
 */
export async function checkEtags(crud: CrudContext, changed: Call | undefined): Promise<void> {
  const first = await latestRead(crud);
  const second = await readItem(crud);
  const tag = first?.headers.get('etag');
  if (first === undefined || second === undefined || tag === undefined || tag === null) return;
  if (first.text === second.text)
    crud.run.findings.expect('conditional requests', same(headerOf(second, 'etag'), headerOf(first, 'etag')), {
      cause: 'restless',
      message: 'The ETag changed although the item did not.',
    });
  if (changed === undefined) return;
  const call = vary(crud, changed, 31);
  const exchange = await crud.run.client.sendValid(call);
  const after = await readItem(crud);
  const old = await readItem(crud, { 'if-none-match': tag });
  if (old?.status === 304 && after?.status === 200 && after.text !== second.text)
    crud.run.findings.expect('conditional requests', hasStatus(old, 200), {
      cause: 'old',
      message: 'The item changed, but a request with its old ETag gets 304.',
      others: exchange === undefined ? [] : [exchange],
    });
  if (exchange === undefined || !isSuccess(exchange) || after?.status !== 200 || after.text === second.text) return;
  if (!expectNewTag(crud, { before: second, after, change: exchange })) return;
  const change = { before: after, change: exchange };
  await checkGuard(crud, { ...vary(crud, changed, 32), headers: { [guardOf(call.operation)]: tag } }, change);
  const { delete: operation } = crud.resource;
  const removal = operation === undefined ? undefined : await callOn(crud, operation);
  if (removal !== undefined)
    await checkGuard(crud, { ...removal, headers: { [guardOf(removal.operation)]: tag } }, change);
}

interface TagChange {
  readonly before: Exchange;
  readonly after: Exchange;
  readonly change: Exchange;
}

/** Expects that a changed item has another `ETag`. Returns whether it does. */
export function expectNewTag({ run }: CrudContext, change: TagChange): boolean {
  return expectTagOfChange(run, change);
}

/** Expects that another content has another `ETag`. Returns whether it does. */
export function expectTagOfChange(run: Pick<ContractRun, 'findings'>, { before, after, change }: TagChange): boolean {
  if (before.headers.get('etag') === null || after.text === before.text) return true;
  return run.findings.expect('conditional requests', other(headerOf(after, 'etag'), headerOf(before, 'etag')), {
    cause: 'stuck',
    severity: 'error',
    message: 'The item changed, but its ETag did not.',
    expected: 'another ETag',
    others: [change],
  });
}

/** The same change with another value. */
function vary({ run, resource }: CrudContext, call: Call, step: number): Call {
  const slot = resource.slots.get(call.operation);
  const options = { run, seed: run.options.seed + step, ...(slot?.in === 'body' ? { idMember: slot.name } : {}) };
  const body = call.body === undefined ? undefined : varyBody(call.body, call.operation, options);
  return body === undefined ? call : { ...call, body };
}

/** The header that makes a write conditional, in lower case, or empty. */
export function guardOf({ extensions, parameters, responses }: Operation): string {
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
  const stale = await crud.run.client.sendValid(call);
  const after = await readItem(crud);
  const isApplied = after?.status === 200 && after.text !== before.text;
  if (stale === undefined || (!isSuccess(stale) && !isApplied)) return;
  const isAccepted = after === undefined || isSuccess(stale);
  crud.run.findings.expect('conditional requests', isAccepted ? refused(stale) : same(textOf(after), textOf(before)), {
    cause: 'lost update',
    severity: 'error',
    message: 'Lost update: a write with an outdated If-Match was accepted.',
    expected: '412, and the item as it was',
    actual: String(stale.status),
    at: stale,
    others: [change, before],
  });
}
