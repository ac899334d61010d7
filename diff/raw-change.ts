import type { Operation } from '../model/api.js';
import type { SpecLocation } from './location.js';
import type { ChangeKind } from './change-catalog.js';
import type { Direction } from './api-diff.js';

export const BOTH_DIRECTIONS: readonly Direction[] = ['request', 'response'];

/** A change as it is found, before its usages are known. */
export interface RawChange {
  readonly kind: ChangeKind;
  /** A plain sentence, without its full stop. */
  readonly message: string;
  readonly old: SpecLocation;
  readonly new: SpecLocation;
  /** The side whose location identifies the change (for additions and removals). Default: both. */
  readonly anchor?: 'old' | 'new';
  /** Directions that use the kind's `else` level. Default: none. */
  readonly exceptions?: readonly Direction[];
  /** Directions in which it matters. Default: both. */
  readonly directions?: readonly Direction[];
  /** Whether only nullability has changed, which does not matter for alternatives of a choice. */
  readonly isOfNull?: boolean;
}

/** The places of a change, and what decides its level. */
export type ChangePlaces = Pick<RawChange, 'old' | 'new' | 'anchor' | 'exceptions'>;

/** Where a change has an effect: an operation in one direction; without an operation, the whole spec. */
export interface Usage {
  readonly operation?: Operation;
  readonly direction: Direction;
  /** Set if the operation was not yet stable, so that breaking it is only risky. */
  readonly isUnstable?: boolean;
}

export interface UsedChange {
  readonly change: RawChange;
  readonly usages: readonly Usage[];
}
