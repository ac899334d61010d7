import type { Severity } from '../../reports/contract/contract-report.js';
import type { Order } from '../shown-as.js';
import type { Problem } from '../types.js';

/** A problem that a check reports. */
export interface ProblemText {
  readonly cause?: string;
  readonly pointer?: string;
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  readonly order?: Order;
  readonly severity?: Severity;
}

/** Returns a problem with its texts shortened for a report. */
export function problem(check: Problem['check'], { cause = '', pointer = '', ...texts }: ProblemText): Problem {
  return { check, cause, pointer, ...texts, actual: shorten(texts.actual) };
}

function shorten(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)} … (${text.length} characters)` : text;
}
