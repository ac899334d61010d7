import type { Exchange } from '../types.js';
import type { Evidence, IdValue } from './assertion.js';
import type { Printer } from './printer.js';

/** The texts of a finding if its check says nothing else. */
export interface Texts {
  readonly expected: string;
  readonly actual: string;
}

/** All that is done with a kind of assertion, in one place, so that the printed test agrees with the evaluation. */
export interface Kind<A> {
  /** Whether items of others may break the assertion as well, so that no member of a body may seem irrelevant. */
  readonly isAboutMany?: true;
  /** The exchanges that the assertion looks at. */
  readonly exchanges: (assertion: A) => readonly Exchange[];
  readonly ids?: (assertion: A) => readonly IdValue[];
  readonly holds: (assertion: A, evidence: Evidence) => boolean;
  /** Lines of a test whose responses have been declared. */
  readonly print: (assertion: A, printer: Printer) => string[];
  readonly texts: (assertion: A, evidence: Evidence) => Texts;
}
