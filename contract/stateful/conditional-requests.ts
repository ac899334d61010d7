import type { Operation } from '../../model/api.js';
import type { PollingValue } from '../../model/helper-values.js';
import { type ProblemText, problem } from '../checks/problem.js';
import type { ContractRun } from '../execute/contract-run.js';
import { type Assertion, header, literal, matches, present } from '../expectations/assertion.js';
import type { Call, Exchange } from '../types.js';

/** Checks that a request repeated with the validators of its response gets 304, if the spec documents it. */
export async function checkConditions(run: ContractRun, operation: Operation): Promise<void> {
  const polling = operation.extensions['x-conditional-polling'] as PollingValue | undefined;
  if (polling === undefined && !operation.responses.some(({ status }) => status === '304')) return;
  const call = await run.base(operation, 'stateful');
  const first = call === undefined ? undefined : await run.tryValid(call);
  if (call === undefined || first?.status !== 200) return;
  const report = (text: ProblemText, at: Exchange, assertion: Assertion): void =>
    run.report(problem('conditional requests', text), { call, phase: 'stateful', assertion }, at);
  if (polling !== undefined) checkPolling(polling, first, report);
  const condition = conditionOf(first, polling);
  if (condition === undefined) return;
  const conditional = { ...call, headers: condition };
  const again = await run.tryValid(conditional);
  if (again?.status === 304 && again.text !== '')
    report({ cause: 'body', message: 'A 304 has a body.', expected: 'no body', actual: again.text }, again, {
      expects: 'same',
      left: { from: 'text', exchange: again },
      right: literal(''),
    });
  const isUnchanged =
    again?.status === 200 && again.text === first.text && again.headers.get('etag') === first.headers.get('etag');
  if (again !== undefined && isUnchanged)
    report(
      {
        message: 'Nothing has changed, but the full response came again.',
        expected: '304',
        actual: '200',
      },
      again,
      { expects: 'status', exchange: again, status: 304 },
    );
  await checkOldCondition(run, { call, polling, report });
}

type Report = (text: ProblemText, exchange: Exchange, assertion: Assertion) => void;

const SECONDS = /^\d+(?:\.\d+)?$/;

function checkPolling({ interval, validator }: PollingValue, first: Exchange, report: Report): void {
  const seconds = first.headers.get(interval);
  if (seconds === null || !SECONDS.test(seconds))
    report(
      {
        cause: 'interval',
        message: `The response does not say in ${interval} how long to wait until the next one.`,
        expected: 'seconds',
        actual: seconds ?? 'no such header',
      },
      first,
      matches(header(first, interval), SECONDS.source),
    );
  const name = validator ?? 'Last-Modified';
  if (first.headers.get(name) === null)
    report(
      {
        cause: 'validator',
        message: `The response has no ${name} to ask again with.`,
        expected: name,
        actual: 'no such header',
      },
      first,
      present(header(first, name)),
    );
}

function conditionOf(first: Exchange, polling: PollingValue | undefined): Readonly<Record<string, string>> | undefined {
  const said = polling === undefined ? null : first.headers.get(polling.validator ?? 'Last-Modified');
  if (said !== null) return { [(polling?.condition ?? 'If-Modified-Since').toLowerCase()]: said };
  const etag = first.headers.get('etag');
  if (etag !== null) return { 'if-none-match': etag };
  const modified = first.headers.get('last-modified');
  return modified === null ? undefined : { 'if-modified-since': modified };
}

interface OldCondition {
  readonly call: Call;
  readonly polling: PollingValue | undefined;
  readonly report: Report;
}

/** Checks that a client with an outdated or foreign validator gets the current representation. */
async function checkOldCondition(run: ContractRun, { call, polling, report }: OldCondition): Promise<void> {
  const isModified = polling === undefined || (polling.condition ?? 'If-Modified-Since') === 'If-Modified-Since';
  const before = await run.tryValid(call);
  const hasTag = before !== undefined && before.headers.get('etag') !== null;
  if (before?.status !== 200 || (!hasTag && before.headers.get('last-modified') === null)) return;
  const headers: Readonly<Record<string, string>> = hasTag
    ? { 'if-none-match': '"specmill-other"' }
    : { 'if-modified-since': 'Sat, 01 Jan 2000 00:00:00 GMT' };
  if (!hasTag && (!isModified || isBefore2000(before))) return;
  const old = { ...call, headers };
  const exchange = await run.tryValid(old);
  if (exchange?.status === 304)
    report(
      {
        cause: 'old',
        message: 'The response is 304 although the condition names another version.',
        expected: '200',
        actual: '304',
      },
      exchange,
      { expects: 'status', exchange, status: 200 },
    );
}

/** Whether the time of the last change is a placeholder such as the epoch, which stands for "never changed". */
function isBefore2000({ headers }: Exchange): boolean {
  return Date.parse(headers.get('last-modified') ?? '') <= Date.UTC(2000, 0, 1);
}
