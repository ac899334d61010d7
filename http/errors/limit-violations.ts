import type { Violation } from '../messages.js';

/** How many violations a response or a journal entry has, and how long the texts of each are, in characters. */
const MOST = 100;
const LONGEST = 1_000;

/** Bounds violations in number and in length: a small request may have a great many. */
export function limitViolations(violations: readonly Violation[]): readonly Violation[] {
  if (violations.length <= MOST && violations.every(isShort)) return violations;
  return violations.slice(0, MOST).map((violation) => ({
    ...violation,
    pointer: shorten(violation.pointer),
    message: shorten(violation.message),
  }));
}

function isShort({ pointer, message }: Violation): boolean {
  return pointer.length <= LONGEST && message.length <= LONGEST;
}

function shorten(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`;
}
