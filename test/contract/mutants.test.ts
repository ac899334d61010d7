import path from 'node:path';

import { expect, test } from 'vitest';

import { runContract } from '../../entry/contract.js';
import { startMock } from '../../entry/mock.js';
import { loadApi } from '../../model/load-api.js';
import { CONTROL, MUTANTS, type Mutant, plantMutant } from './mutants.js';

const SPEC = path.join(import.meta.dirname, 'specs/library.yaml');

test('every fault is found, and none where there is no fault', async () => {
  const api = await loadApi(SPEC);
  await using mock = await startMock(api, { noRateLimit: true });
  const run = async (send: typeof fetch): Promise<number> => {
    await mock.reset();
    const report = await runContract({ api, url: mock.url, fetch: send, maxTime: '30s' });
    return report.findings.length;
  };
  // The first finding is enough.
  const isFound = async (mutant: Mutant): Promise<boolean> => {
    await mock.reset();
    const stop = new AbortController();
    const onProgress = ({ findings }: { readonly findings: number }): void => {
      if (findings > 0) stop.abort();
      stop.signal.throwIfAborted();
    };
    const run = runContract({ api, url: mock.url, fetch: plantMutant(mutant, mock.fetch), maxTime: '30s', onProgress });
    return run.then(
      ({ findings }) => findings.length > 0,
      (error: unknown) => {
        if (!stop.signal.aborted) throw error;
        return true;
      },
    );
  };
  expect(await run(mock.fetch)).toBe(0);
  expect(await run(plantMutant(CONTROL, mock.fetch))).toBe(0);
  const survivors: string[] = [];
  for (const mutant of MUTANTS) if (!(await isFound(mutant))) survivors.push(mutant.name);
  expect(MUTANTS.length).toBeGreaterThanOrEqual(40);
  expect(survivors).toEqual([]);
}, 300_000);
