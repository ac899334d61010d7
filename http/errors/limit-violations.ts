import type { Violation } from '../messages.js';

/** The most violations of a response or journal entry, and the most characters of their texts. */
const MOST = 100;
const LONGEST = 1_000;

/** Limits the number and length of violations, because even a small request may have very many. */
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
