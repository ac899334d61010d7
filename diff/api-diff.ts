import type { HttpMethod } from '../model/api.js';
import type { AffectedOperation, DiffReport, ReportedChange } from '../reports/diff/diff-report.js';
import type { ChangeKind } from './change-catalog.js';

export type { Direction } from '../schema/variants.js';
export type { Level, Position } from '../reports/diff/diff-report.js';

/** An operation that a change affects. */
export interface TouchedOperation extends AffectedOperation {
  readonly method: HttpMethod;
}

/** One difference between two specs, however many operations it affects. */
export interface Change extends ReportedChange {
  readonly kind: ChangeKind;
  readonly operations: readonly TouchedOperation[];
}

/** All differences between two specs. */
export interface ApiDiff extends DiffReport {
  readonly changes: readonly Change[];
}
