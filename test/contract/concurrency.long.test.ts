import path from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { runContract } from '../../entry/contract.js';
import { mapConcurrent } from '../../contract/execute/map-concurrent.js';
import type { ContractReport } from '../../entry/contract.js';
import { startMock } from '../../entry/mock.js';
import { loadApi } from '../../model/load-api.js';
import { sampleOf } from '../support/sample-of.js';
import { CONTROL, MUTANTS, plantMutant } from './mutants.js';

const SPEC = path.join(import.meta.dirname, 'specs/library.yaml');

interface Watched {
  readonly report: ContractReport;
  /** In the order in which they left. */
  readonly sent: readonly string[];
  /** The most requests that were under way at once. */
  readonly width: number;
}

/** Runs against the library with a fault, each response as late as chance has it. */
async function watchRun(fault: string, concurrency: number): Promise<Watched> {
  const api = await loadApi(SPEC);
  await using mock = await startMock(api, { noRateLimit: true });
  const mutant = [CONTROL, ...MUTANTS].find(({ name }) => name === fault) ?? CONTROL;
  const planted = plantMutant(mutant, mock.fetch);
  const sent: string[] = [];
  let [open, width] = [0, 0];
  const late: typeof fetch = async (input, init) => {
    sent.push(JSON.stringify([init?.method, input, init?.body]));
    open += 1;
    width = Math.max(width, open);
    for (let ticks = Math.random() * 8; ticks > 0; ticks -= 1) await new Promise((resolve) => setImmediate(resolve));
    return planted(input, init).finally(() => (open -= 1));
  };
  // The mock gives ids in the order in which creations arrive, so their deletions change places with them.
  const options = { seed: 42, maxExamples: 30, concurrency, keep: true };
  const report = await runContract({ api, url: mock.url, fetch: late, ...options });
  return { report, sent, width };
}

describe('a seed repeats the run exactly, whatever the timing', () => {
  test.each(
    sampleOf(['no fault', 'a crash on non-ASCII text', 'too large numbers are accepted', 'no credential is needed'], 3),
  )('the run is repeated on a server with this fault: %s', async (fault) => {
    const [one, other] = [await watchRun(fault, 5), await watchRun(fault, 5)];
    expect(other.sent).toEqual(one.sent);
    expect(other.report.findings).toEqual(one.report.findings);
    expect(other.report.coverage).toEqual(one.report.coverage);
    expect(one.width).toBe(5);
    expect(one.report.findings.length > 0).toBe(fault !== 'no fault');
  });

  test('the run over sockets equals the run in process', async () => {
    const api = await loadApi(SPEC);
    const [open, inside] = [await startMock(api, { port: 0, noRateLimit: true }), await watchRun('no fault', 5)];
    onTestFinished(() => open.close());
    const options = { seed: 42, maxExamples: 30, concurrency: 5, keep: true };
    const report = await runContract({ api, url: open.url, ...options });
    expect(report.coverage).toEqual(inside.report.coverage);
    expect(report).toMatchObject({ findings: [], requests: inside.report.requests });
  });

  test('requests go one after another with a concurrency of 1', async () =>
    expect((await watchRun('', 1)).width).toBe(1));
});

describe('concurrent tasks', () => {
  const after =
    <Value>(ticks: number, value: Value) =>
    async (): Promise<Value> => {
      for (let left = ticks; left > 0; left -= 1) await Promise.resolve();
      if (value instanceof Error) throw value;
      return value;
    };

  test('concurrent tasks return their results in order', async () => {
    expect(await mapConcurrent([after(9, 'a'), after(1, 'b'), after(4, 'c')], 2)).toEqual({ results: ['a', 'b', 'c'] });
  });

  test('concurrent tasks end with the first failure, and start no other task', async () => {
    let begun = 0;
    const last = async (): Promise<string> => `${(begun += 1)}`;
    const tasks = [after(30, new Error('first')), after(2, new Error('second')), last, last];
    const { failure, results } = await mapConcurrent<unknown>(tasks, 2);
    expect(failure).toEqual(new Error('first'));
    expect(results).toEqual([undefined, undefined, undefined, undefined]);
    expect(begun).toBe(0);
  });
});
