import { runInNewContext } from 'node:vm';

import { expect } from 'vitest';

/** Runs the code of a finding's test as a test file would. `known`: what it imports, and the globals that it uses. */
export async function runPastedTest(code: string, known: Readonly<Record<string, unknown>>): Promise<void> {
  let body: (() => Promise<void>) | undefined;
  const define = (_name: string, run: () => Promise<void>): void => void (body = run);
  // A context of `node:vm` has no dynamic import.
  const script = code.replaceAll('await import(', 'load(');
  runInNewContext(script, { test: define, expect, load: () => known, ...known });
  await body?.();
}
