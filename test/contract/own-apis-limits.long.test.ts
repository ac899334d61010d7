import path from 'node:path';

import { describe, expect, it } from 'vitest';

import type { ContractReport } from '../../entry/contract.js';
import { packageRoot } from '../../model/package-info.js';
import { isBuilt, runSpecmill, startMockProcess } from '../support/specmill-process.js';
import { notifyThreads } from '../support/notify-threads.js';
import { tempFolder } from '../support/temp-folder.js';

describe.runIf(isBuilt)('specmill contract against an inbox', { timeout: 90_000 }, () => {
  it('reaches the threads that the mock has', async () => {
    await using mocks = await startMockProcess('notifications', '--no-rate-limit');
    const url = mocks.urls['notifications'] ?? '';
    // Some phases mark them as done, one after another.
    await notifyThreads(60, url);
    // No operation creates threads.
    const options = ['--url', url, '--json', '--max-time', '60s', '--touch-existing'];
    const run = await runSpecmill('contract', 'notifications', ...options);
    const report = JSON.parse(run.out) as ContractReport;
    expect(report.findings).toEqual([]);
    const reached = report.coverage.operations.filter(({ statuses }) =>
      Object.keys(statuses).some((status) => status.startsWith('2')),
    );
    expect(reached.map(({ operationId }) => operationId)).toEqual(
      expect.arrayContaining(['getThread', 'markThreadAsRead', 'setThreadSubscription']),
    );
  });
});

/** Uses up what a caller may write in a minute, and turns the clock of the mock to three seconds before the minute is over. */
const USE_UP = `
const before = async ({ url, fetch }) => {
  const put = (path, body) =>
    fetch(url + path, {
      method: 'PUT',
      headers: { authorization: 'Bearer one-of-many', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  while ((await put('/notifications', {})).status < 400);
  await put('/__specmill/clock', { advance: 'PT57S' });
};
const spec = ${JSON.stringify(path.join(packageRoot, 'specs/notifications/openapi.yaml'))};
export default { apis: { notifications: { spec, output: 'out', contract: { before } } } };
`;

describe.runIf(isBuilt)('specmill contract against limits', { timeout: 90_000 }, () => {
  const runLimited = async (
    status: number,
    ...argv: string[]
  ): Promise<{ report: ContractReport; statuses: readonly number[] }> => {
    await using mocks = await startMockProcess('notifications');
    const url = mocks.urls['notifications'] ?? '';
    const run = await runSpecmill('contract', 'notifications', '--url', url, '--json', ...argv);
    expect(run.status).toBe(status);
    const journal = await (await fetch(`${url}/__specmill/requests`)).json();
    const statuses = (journal as readonly { readonly status: number }[]).map(({ status }) => status);
    const report = JSON.parse(run.out) as ContractReport;
    expect(report.findings).toEqual([]);
    return { report, statuses: statuses.slice(-report.requests) };
  };
  const isLimit = (status: number): boolean => status === 403 || status === 429;

  it('waits for the end of a rate limit window, by the clock of the mock, and continues', async () => {
    const folder = tempFolder({ 'specmill.config.mjs': USE_UP });
    const { report, statuses } = await runLimited(
      0,
      ...['--config', path.join(folder, 'specmill.config.mjs')],
      // The limit is that of a change of all threads at once.
      ...['--phase', 'examples', '--touch-existing', '--header', 'Authorization: Bearer one-of-many'],
    );
    expect(report.stopped).toBeUndefined();
    expect(statuses.some((status) => isLimit(status))).toBe(true);
    // What was refused was sent again: the statuses have each refusal, and the successes that came then.
    const limited = report.coverage.operations.filter((one) =>
      Object.keys(one.statuses).some((s) => isLimit(Number(s))),
    );
    expect(limited).toMatchObject([{ operationId: 'markNotificationsAsRead', statuses: { 205: expect.any(Number) } }]);
    const refusals = limited.flatMap((one) => Object.entries(one.statuses).filter(([s]) => isLimit(Number(s))));
    expect(refusals).toEqual([['403', statuses.filter((status) => isLimit(status)).length]]);
    expect(isLimit(statuses.at(-1) ?? 0)).toBe(false);
  });

  it('ends if a rate limit lasts longer than the run may, and says so', async () => {
    // Without a credential: sixty requests in an hour, and none of them succeeds.
    const { report, statuses } = await runLimited(2, '--header', 'Authorization: Nobody x', '--max-time', '30s');
    expect(report.stopped).toBe('rate-limit');
    expect(isLimit(statuses.at(-1) ?? 0)).toBe(true);
  });
});
