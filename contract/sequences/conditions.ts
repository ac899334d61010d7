import type { Operation } from '../../model/api.js';
import { problem } from '../checks/check-response.js';
import type { ContractRun } from '../contract-run.js';

/** With the validators of its answer, a repeated request is answered 304, where the spec says that there is such an answer. */
export async function checkConditions(run: ContractRun, operation: Operation): Promise<void> {
  if (!operation.responses.some(({ status }) => status === '304')) return;
  const call = await run.base(operation, 'stateful');
  if (call === undefined) return;
  const first = await run.try({ phase: 'stateful', call, expectation: { kind: 'valid' } });
  if (first?.status !== 200) return;
  const etag = first.headers.get('etag');
  const modified = first.headers.get('last-modified');
  const header =
    etag === null ? (modified === null ? undefined : { 'if-modified-since': modified }) : { 'if-none-match': etag };
  if (header === undefined) return;
  const conditional = { ...call, headers: header };
  const again = await run.try({ phase: 'stateful', call: conditional, expectation: { kind: 'valid' } });
  const isUnchanged = again?.status === 200 && again.text === first.text && again.headers.get('etag') === etag;
  if (again === undefined || !isUnchanged) return;
  const found = problem('conditional requests', {
    message: 'Nothing has changed, but the answer came again in full.',
    expected: '304',
    actual: '200',
  });
  run.report(found, { call: conditional, phase: 'stateful' }, again);
}
