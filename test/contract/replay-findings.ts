import {
  type ContractOptions,
  type ContractReport,
  type Finding,
  checkResponse,
  runContract,
} from '../../entry/contract.js';
import type { Mock } from '../../entry/mock.js';
import { runPastedTest } from '../support/run-pasted-test.js';
import { CONTROL, type Mutant, plantMutant } from './mutants.js';

/** Runs the printed test of a finding against a server that has seen nothing yet, with the fault or without it. */
export type RunTest = (code: string, server: 'faulty' | 'correct') => Promise<void>;

/**
 * Returns the printed tests that do not tell a server with a fault from one without it: each must fail by an assertion
 * with the fault, and pass without it.
 */
export async function findWrongTests(findings: readonly Finding[], runTest: RunTest): Promise<string[]> {
  const wrong: string[] = [];
  for (const { check, operationId, message, test: code } of findings) {
    const problems = [
      redProblem(await errorOf(runTest(code, 'faulty'))),
      greenProblem(await errorOf(runTest(code, 'correct'))),
    ].filter((problem) => problem !== undefined);
    if (problems.length > 0) wrong.push(`${check} ${operationId}: ${message}\n${problems.join('\n')}\n${code}`);
  }
  return wrong;
}

async function errorOf(run: Promise<void>): Promise<Error | undefined> {
  return run.then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  );
}

function redProblem(error: Error | undefined): string | undefined {
  if (error === undefined) return 'passes with the fault';
  return error.name === 'AssertionError' ? undefined : `breaks with the fault: ${error.message}`;
}

function greenProblem(error: Error | undefined): string | undefined {
  return error === undefined ? undefined : `fails without the fault: ${error.message}`;
}

/**
 * Options that end a run with its first finding. Only one request is refused: those that minimize the finding are still
 * sent.
 */
export function untilFirstFinding(): Pick<ContractOptions, 'signal' | 'onProgress'> {
  const { signal } = new AbortController();
  let isFound = false;
  let isStopped = false;
  const isAborted = (): boolean => {
    const stopsNow = isFound && !isStopped;
    isStopped ||= stopsNow;
    return stopsNow;
  };
  Object.defineProperty(signal, 'aborted', { get: isAborted });
  return { signal, onProgress: ({ findings }) => void (isFound = findings > 0) };
}

/** A mock in front of which faults are planted. */
export interface FaultTarget {
  readonly mock: Pick<Mock, 'api' | 'url' | 'fetch' | 'reset'>;
  readonly options: Partial<ContractOptions>;
  /** Fills the mock after each reset. */
  readonly prepare?: () => Promise<void>;
}

/** Runs against a mock with a fault. */
export async function testFault(
  target: FaultTarget,
  fault: Mutant,
  options: Partial<ContractOptions> = {},
): Promise<ContractReport> {
  const { api, url } = target.mock;
  return runContract({ api, url, fetch: await resetWith(target, fault), ...target.options, ...options });
}

/** Returns the printed tests of findings that do not tell a mock with a fault from the mock alone. */
export async function findWrongTestsOf(
  findings: readonly Finding[],
  target: FaultTarget,
  fault: Mutant,
): Promise<string[]> {
  const { api } = target.mock;
  return findWrongTests(findings, async (code, server) =>
    runPastedTest(code, {
      fetch: await resetWith(target, server === 'faulty' ? fault : CONTROL),
      checkResponse: ({ operation, response }: Parameters<typeof checkResponse>[0]) =>
        checkResponse({ api, operation, response }),
      process,
      URL,
    }),
  );
}

async function resetWith({ mock, prepare }: FaultTarget, fault: Mutant): Promise<typeof fetch> {
  await mock.reset();
  await prepare?.();
  return plantMutant(fault, mock.fetch);
}
