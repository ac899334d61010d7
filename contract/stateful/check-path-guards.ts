import { isSuccess } from '../../http/messages.js';
import type { Operation } from '../../model/api.js';
import type { ContractRun } from '../execute/contract-run.js';
import { hasStatus, refused } from '../expectations/assertion.js';
import type { Call, Exchange } from '../types.js';
import { expectTagOfChange, guardOf } from './check-etags.js';
import { varyBody } from './maximal-body.js';

/**
 * Checks the conditions of a path that is no item of a collection, such as `/policy` or `/files/{id}/content`: its
 * `ETag` changes with it, an old one gets no 304, and a write that is based on an old one is refused.
 */
export async function checkPathGuards(run: ContractRun, operation: Operation): Promise<void> {
  const isItem = run.context.pool.resources.some(({ kind, read }) => kind === 'collection' && read === operation);
  const write = run.operations.find(({ method, path }) => path === operation.path && ['put', 'patch'].includes(method));
  if (isItem || write === undefined) return;
  const reading = await run.items.validCall(operation, 'stateful');
  const writing = await run.items.validCall(write, 'stateful');
  if (reading === undefined || writing?.body === undefined) return;
  const read = { ...reading, parameters: pathOf(reading, writing) };
  const { headers: _headers, tag: _tag, ...unguarded } = writing;
  const first = await send(run, { ...unguarded, parameters: pathOf(writing, writing) }, 41);
  const before = first === undefined ? undefined : await run.client.sendValid(read);
  const change =
    before === undefined ? undefined : await send(run, { ...unguarded, parameters: pathOf(writing, writing) }, 42);
  const after = change === undefined ? undefined : await run.client.sendValid(read);
  const old = before?.headers.get('etag');
  if (before?.status !== 200 || after?.status !== 200 || change === undefined || old === null || old === undefined)
    return;
  if (before.text === after.text) return;
  if (!expectTagOfChange(run, { before, after, change })) return;
  await checkOld(run, read, { before, change, old });
  await checkLost(run, unguarded, { before, change, old });
  await checkCreateOnly(run, unguarded, { before, change, old });
}

interface Changed {
  readonly before: Exchange;
  readonly change: Exchange;
  /** The tag from before the change. */
  readonly old: string;
}

function pathOf(call: Call, write: Call): Call['parameters'] {
  const ids = new Map([...write.parameters].map(([{ in: place, name }, value]) => [`${place} ${name}`, value]));
  const needed = [...call.parameters].filter(([one]) => one.in === 'path' || (one.required && one.in !== 'header'));
  return new Map(needed.map(([one, value]) => [one, ids.get(`${one.in} ${one.name}`) ?? value]));
}

/** Sends a write with another value; `undefined` if it is refused. */
async function send(
  run: ContractRun,
  call: Call,
  step: number,
  headers: Call['headers'] = {},
): Promise<Exchange | undefined> {
  const { body } = call;
  if (body === undefined) return undefined;
  const isText = typeof body.value === 'string';
  const varied = isText
    ? { ...body, value: `content ${step}` }
    : varyBody(body, call.operation, { run, seed: run.options.seed + step });
  const exchange = await run.client.sendValid({ ...call, body: varied ?? body, headers });
  return exchange !== undefined && isSuccess(exchange) ? exchange : undefined;
}

async function checkOld(run: ContractRun, read: Call, { before, change, old }: Changed): Promise<void> {
  const again = await run.client.sendValid({ ...read, headers: { 'if-none-match': old } });
  if (again?.status !== 304) return;
  run.findings.expect('conditional requests', hasStatus(again, 200), {
    cause: 'old',
    message: 'The content changed, but a request with its old ETag gets 304.',
    others: [before, change],
  });
}

async function checkLost(run: ContractRun, write: Call, { before, change, old }: Changed): Promise<void> {
  const guard = guardOf(write.operation);
  if (guard === '') return;
  const stale = await send(run, { ...write, parameters: pathOf(write, write) }, 43, { [guard]: old });
  if (stale === undefined) return;
  run.findings.expect('conditional requests', refused(stale), {
    cause: 'lost update',
    severity: 'error',
    message: 'Lost update: a write with an outdated If-Match was accepted.',
    expected: '412',
    others: [before, change],
  });
}

/** Checks that `If-None-Match: *` protects what exists (RFC 9110, 13.1.2), where the operation has this header. */
async function checkCreateOnly(run: ContractRun, write: Call, { before, change }: Changed): Promise<void> {
  const takes = write.operation.parameters.some(
    ({ in: place, name }) => place === 'header' && /^if-none-match$/i.test(name),
  );
  const made = takes
    ? await send(run, { ...write, parameters: pathOf(write, write) }, 44, { 'if-none-match': '*' })
    : undefined;
  if (made === undefined) return;
  run.findings.expect('conditional requests', refused(made), {
    cause: 'create only',
    severity: 'error',
    message: 'A write with If-None-Match: * overwrote what exists.',
    expected: '412',
    others: [before, change],
  });
}
