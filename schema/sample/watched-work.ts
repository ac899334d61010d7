/** Checks the time of the work in progress. */
let check: (() => void) | undefined;

/**
 * Does work that may search long for values. Nothing can interrupt it from outside, so it calls a check at each step,
 * which ends it by an error. The work must not wait for anything: other work may follow in between.
 */
export function watchWork<Result>(onStep: () => void, work: () => Result): Result {
  const outer = check;
  check = onStep;
  try {
    return work();
  } finally {
    check = outer;
  }
}

/** Marks a step of a long search. */
export function noteStep(): void {
  check?.();
}
