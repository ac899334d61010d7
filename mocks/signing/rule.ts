import type { Violation } from 'specmill/mock';

import type { CaseInput, ErrorCode } from '../../generated/signing/types.js';
import { type CaseRecord, refuse, type StoredParty } from './case-record.js';

export interface StateFacts {
  readonly record: CaseRecord;
  /** Epoch milliseconds. */
  readonly now: number;
}
export interface UpdateFacts extends StateFacts {
  readonly input: CaseInput;
}
export interface MarkFacts extends StateFacts {
  readonly party: StoredParty;
  readonly partyName?: string | undefined;
}
export interface InputFacts {
  readonly input: CaseInput;
}
export interface IdFacts {
  /** The Id of the new case, and the member that may have named it. */
  readonly id: string;
  readonly member: 'Id' | 'newCaseId';
  readonly isTaken: boolean;
}
export interface PageFacts {
  readonly skip: number;
  readonly take: number;
}

interface Broken {
  /** The message of the response. */
  readonly message: string;
  /** The detail for the place. Default: the message. */
  readonly detail?: string;
  /** The values for the names in the rule's pointer, in their order. */
  readonly at?: readonly (string | number)[];
}

/** A rule that depends on more than one member, or on the state. */
export interface Rule<Facts> {
  /** The rule in the words of the seed document. `|` separates the cells of its tables. */
  readonly sentence: string;
  /** The decision of the spec if the sentence leaves it open (`x-assumption`). */
  readonly decision?: string;
  readonly status: 400 | 409;
  readonly errorCode: ErrorCode;
  /** The place of its violations: a JSON pointer into the request, or into the case if the request only names one. */
  readonly pointer: string;
  /** The part of the request. Default: body. */
  readonly in?: 'query';
  readonly find: (facts: Facts) => Broken | undefined;
}

/** @throws HttpError for the first violated rule. */
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
