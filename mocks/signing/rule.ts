import type { Violation } from 'specmill/mock';

import type { ErrorCode } from '../../generated/signing/types.js';
import { refuse } from './case-refusal.js';

/** What a rule has found. */
export interface Broken {
  /** The message of the answer. */
  readonly message: string;
  /** What is said about the place; else the message. */
  readonly detail?: string;
  /** What stands in the place of the names in the rule's pointer, in their order. */
  readonly at?: readonly (string | number)[];
}

/** A rule that looks at more than one member, or at the state. */
export interface Rule<Facts> {
  /** What the seed document says, in its own words; the cells of its tables stand between `|`. */
  readonly sentence: string;
  /** What the spec decides where the sentence leaves it open (`x-assumption`). */
  readonly decision?: string;
  readonly status: 400 | 409;
  readonly errorCode: ErrorCode;
  /** Where it reports: a JSON pointer into the request; where the request only names a case, into that case. */
  readonly pointer: string;
  /** The part of the request. Default: body. */
  readonly in?: 'query';
  readonly find: (facts: Facts) => Broken | undefined;
}

/** @throws HttpError for the first rule that is broken. */
export function enforce<Facts>(rules: readonly Rule<Facts>[], facts: Facts): void {
  for (const rule of rules) {
    const broken = rule.find(facts);
    if (broken === undefined) continue;
    const { status, errorCode } = rule;
    const { message, detail = message, at = [] } = broken;
    const values = at.values();
    const pointer = rule.pointer.replaceAll(/\{\w+\}/g, () => String(values.next().value));
    const violation: Violation = { in: rule.in ?? 'body', pointer, message: detail };
    throw refuse(message, { status, errorCode, violations: [violation] });
  }
}
