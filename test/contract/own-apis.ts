import { expect } from 'vitest';

import type { ContractReport, Finding } from '../../entry/contract.js';
import { type MockProcess, runSpecmill } from '../support/specmill-process.js';

/** On a quiet machine a run takes a few seconds (`npm run bench -- contract`); with the other tests beside it, longer. */
const MAX_TIME = '150s';

/**
 * The findings of `specmill contract` against a mock of ours. The run calls every operation and comes to its end; the
 * mock is a test server, so the run may change items that were there before.
 */
export async function findWithCommand(
  name: string,
  mocks: MockProcess | undefined,
  ...argv: readonly string[]
): Promise<readonly Finding[]> {
  // The limits of the platform of notifications are served, and enforced, by the mock of notifications.
  const url = mocks?.urls[name === 'rate-limits' ? 'notifications' : name] ?? 'no such mock';
  const options = ['--url', url, '--touch-existing', '--max-time', MAX_TIME, '--json'];
  const run = await runSpecmill('contract', name, ...options, ...argv);
  expect(run.err).toBe('');
  const report = JSON.parse(run.out) as ContractReport;
  expect(report.stopped).toBeUndefined();
  const silent = report.coverage.operations
    .filter(({ requests }) => requests === 0)
    .map(({ operationId }) => operationId);
  expect(silent.filter((id) => !id.startsWith('open'))).toEqual([]);
  // No operation creates threads.
  if (!['notifications', 'rate-limits'].includes(name)) expect(report.unreached).toEqual([]);
  expect(report.requests).toBeGreaterThan(10);
  expect(run.status).toBe(report.findings.length === 0 ? 0 : 1);
  return report.findings;
}
