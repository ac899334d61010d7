import type { Operation } from '../model/api.js';
import type { DiffPlace } from './location.js';
import type { ChangeKind } from './change-catalog.js';
import type { Direction } from './types.js';

export const BOTH_DIRECTIONS: readonly Direction[] = ['request', 'response'];

/** A change as it is found: what it is and where, not yet whom it touches. */
export interface Fact {
  readonly kind: ChangeKind;
  /** A plain sentence, without its full stop. */
  readonly message: string;
  readonly old: DiffPlace;
  readonly new: DiffPlace;
  /** The side that says which change it is, where the other is merely the owner of what is new or gone. Default: both. */
  readonly anchor?: 'old' | 'new';
  /** Directions in which the exception of the kind's verdict holds. Default: none. */
  readonly exceptions?: readonly Direction[];
  /** Directions that it matters in. Default: both. */
  readonly directions?: readonly Direction[];
  /** Whether it says nothing but that `null` is allowed, or not: alternatives of a choice do not matter in that alone. */
  readonly isOfNull?: boolean;
}

/** Whom a change touches: an operation in one direction; without an operation the spec as a whole. */
export interface Touch {
  readonly operation?: Operation;
  readonly direction: Direction;
}

/** A fact with everybody that it touches. */
export interface TouchingFact {
  readonly fact: Fact;
  readonly touches: readonly Touch[];
}
