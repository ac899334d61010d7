import type { Operation } from '../../model/api.js';
import type { PollingValue } from '../../model/helper-values.js';
import type { ContractRun } from '../execute/contract-run.js';
import { hasStatus, headerOf, literalOf, matches, present, same, textOf } from '../expectations/assertion.js';
import type { Call, Exchange } from '../types.js';

/** Checks that a request repeated with the validators of its response gets 304, if the spec documents it. */
export async function checkConditions(run: ContractRun, operation: Operation): Promise<void> {
  const polling = operation.extensions['x-conditional-polling'] as PollingValue | undefined;
  if (polling === undefined && !operation.responses.some(({ status }) => status === '304')) return;
  const call = await run.items.validCall(operation, 'stateful');
  const first = call === undefined ? undefined : await run.client.sendValid(call);
  if (call === undefined || first?.status !== 200) return;
  if (polling !== undefined) checkPolling(run, polling, first);
  const condition = conditionOf(first, polling);
  if (condition === undefined) return;
  const again = await run.client.sendValid({ ...call, headers: condition });
  if (again?.status === 304)
    run.findings.expect('conditional requests', same(textOf(again), literalOf('')), {
      cause: 'body',
      message: 'A 304 has a body.',
      expected: 'no body',
    });
  const isUnchanged =
    again?.status === 200 && again.text === first.text && again.headers.get('etag') === first.headers.get('etag');
  if (again !== undefined && isUnchanged)
    run.findings.expect('conditional requests', hasStatus(again, 304), {
      message: `${Object.keys(condition).join(', ')} matched, but the response was 200 instead of 304.`,
      others: [first],
    });
  await checkOldCondition(run, call, polling);
}

const SECONDS = /^\d+(?:\.\d+)?$/;

/** Checks that a response says when to ask again, and with which condition. */
function checkPolling(
  run: Pick<ContractRun, 'findings'>,
  { interval, validator }: PollingValue,
  first: Exchange,
): void {
  run.findings.expect('conditional requests', matches(headerOf(first, interval), SECONDS.source), {
    cause: 'interval',
    message: `${interval} does not say how long to wait until the next request.`,
    expected: 'seconds',
  });
  const name = validator ?? 'Last-Modified';
  run.findings.expect('conditional requests', present(headerOf(first, name)), {
    cause: 'validator',
    message: `The response has no ${name} for the next conditional request.`,
    expected: name,
  });
}

function conditionOf(first: Exchange, polling: PollingValue | undefined): Readonly<Record<string, string>> | undefined {
  const said = polling === undefined ? null : first.headers.get(polling.validator ?? 'Last-Modified');
  if (said !== null) return { [(polling?.condition ?? 'If-Modified-Since').toLowerCase()]: said };
  const etag = first.headers.get('etag');
  if (etag !== null) return { 'if-none-match': etag };
  const modified = first.headers.get('last-modified');
  return modified === null ? undefined : { 'if-modified-since': modified };
}

/** Checks that a client with an outdated or foreign validator gets the current representation. */
async function checkOldCondition(
  run: Pick<ContractRun, 'client' | 'findings'>,
  call: Call,
  polling: PollingValue | undefined,
): Promise<void> {
  const isModified = polling === undefined || (polling.condition ?? 'If-Modified-Since') === 'If-Modified-Since';
  const before = await run.client.sendValid(call);
  const hasTag = before !== undefined && before.headers.get('etag') !== null;
  if (before?.status !== 200 || (!hasTag && before.headers.get('last-modified') === null)) return;
  const headers: Readonly<Record<string, string>> = hasTag
    ? { 'if-none-match': '"specmill-other"' }
    : { 'if-modified-since': 'Sat, 01 Jan 2000 00:00:00 GMT' };
  if (!hasTag && (!isModified || isBefore2000(before))) return;
  const exchange = await run.client.sendValid({ ...call, headers });
  if (exchange?.status === 304)
    run.findings.expect('conditional requests', hasStatus(exchange, 200), {
      cause: 'old',
      message: 'The condition names another version, but the response was 304 instead of 200.',
    });
}

/** Whether the time of the last change is a placeholder such as the epoch, which stands for "never changed". */
function isBefore2000({ headers }: Exchange): boolean {
  return Date.parse(headers.get('last-modified') ?? '') <= Date.UTC(2000, 0, 1);
}
