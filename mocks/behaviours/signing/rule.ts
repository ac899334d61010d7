import type { ErrorCode } from '../../../generated/signing/types.js';
import type { Violation } from '../../seams/http.js';
import { CaseRefusal } from './case-refusal.js';

/** What a rule has found: where, in words, and the message of the answer where that is another one. */
export interface Broken {
  /** JSON pointer into the request's body or query; of a case that is only named there, into that case. */
  readonly pointer: string;
  readonly message: string;
  /** What is said about the place itself; else the message. */
  readonly detail?: string;
}

/** A rule that looks at more than one member, or at the state. */
export interface Rule<Facts> {
  /** As the seed document says it, else the decision that the spec makes (`x-assumption`). */
  readonly sentence: string;
  readonly status: 400 | 409;
  readonly errorCode: ErrorCode;
  readonly in?: 'query';
  readonly find: (facts: Facts) => Broken | undefined;
}

/** @throws CaseRefusal for the first rule that is broken. */
export function enforce<Facts>(rules: readonly Rule<Facts>[], facts: Facts): void {
  for (const rule of rules) {
    const broken = rule.find(facts);
    if (broken === undefined) continue;
    const { status, errorCode } = rule;
    const violation: Violation = { in: rule.in ?? 'body', pointer: broken.pointer, message: broken.detail ?? broken.message };
    throw new CaseRefusal(broken.message, { status, errorCode, violations: [violation] });
  }
}
