import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Api } from '../model/api.js';
import type { Diagnostic } from '../model/diagnostics/diagnostic.js';
import { diagnosticsSoFar } from '../model/openapi/lazy-api.js';
import { findUnchecked } from '../schema/find-unchecked-schemas.js';

/** A spec with this many operations or more is checked only as it is used, to keep the start fast. */
const MOST_OPERATIONS = 100;

/** How long the check runs before it yields, in milliseconds. */
const SLICE = 5;

/** Called for schemas that a mock cannot check exactly. */
export type Report = (diagnostic: Diagnostic) => void;

/** Forwards each warning once; skips those already reported while loading the spec, and all of severity `info`. */
export function reportOnce(api: Api, report: Report): Report {
  const reported = new Set<string>();
  return (diagnostic) => {
    const key = keyOf(diagnostic);
    if (diagnostic.severity === 'info' || reported.has(key)) return;
    reported.add(key);
    if (!diagnosticsSoFar(api).some((one) => keyOf(one) === key)) report(diagnostic);
  };
}

function keyOf({ code, file, pointer }: Diagnostic): string {
  return `${code} ${file} ${pointer}`;
}

/** Whether the schemas of a spec are checked soon after the start rather than only as they are used. */
export function isSmall({ operations }: Api): boolean {
  return operations.length < MOST_OPERATIONS;
}

/** Checks all schemas of a spec while the mock is already serving. */
export async function checkInBackground(api: Api, report: Report, signal: AbortSignal): Promise<void> {
  for await (const diagnostics of inSlices(findUnchecked(api), signal)) diagnostics.forEach(report);
}

/** Yields the results of a long work, and lets the process serve after each slice of time. */
export async function* inSlices<Result>(work: Iterable<Result>, signal: AbortSignal): AsyncGenerator<Result> {
  let until = 0;
  for (const result of work) {
    yield result;
    if (performance.now() < until) continue;
    await nextTurn();
    if (signal.aborted) return;
    until = performance.now() + SLICE;
  }
}
