import { type Problem, type ProblemText, problem } from '../checks/problem.js';
import type { CheckName } from '../types.js';
import type { Assertion, Evidence, Value } from './assertion.js';
import { holds, textsOf } from './kinds.js';

/** What a check says about its expectation. What is left out follows from the expectation itself. */
export type UnmetText = Pick<ProblemText, 'message'> & Partial<ProblemText>;

/** Returns the problem that an assertion does not hold. */
export function unmet(check: CheckName, assertion: Assertion, evidence: Evidence, told: UnmetText): Problem {
  const texts = { pointer: pointerOf(assertion), ...textsOf(assertion, evidence), ...told };
  return { ...problem(check, texts), assertion };
}

/**
 * Returns the problem if an assertion does not hold.
 *
 * @param tell - makes the texts, only if there is a problem.
 */
export function problemsOf(
  check: CheckName,
  assertion: Assertion,
  evidence: Evidence,
  tell: () => UnmetText,
): Problem[] {
  return holds(assertion, evidence) ? [] : [unmet(check, assertion, evidence, tell())];
}

/** The place in a response that an expectation looks at. */
function pointerOf(assertion: Assertion): string {
  const value: Value | undefined =
    'left' in assertion ? assertion.left : 'value' in assertion ? assertion.value : undefined;
  return value !== undefined && 'pointer' in value ? value.pointer : '';
}
