import type { Schema } from '../../model/schema-types.js';
import type { Random } from './random.js';
import type { Shape } from './shape.js';
import type { ValueCache } from './value-cache.js';

/** How much of what is optional a value has: nothing, most of it, all of it. */
export type ValueVariant = 'minimal' | 'typical' | 'full';

/** How the members of an object are made. */
export interface ObjectJob {
  readonly context: ValueContext;
  /** The shape with further schemas, which hold because of a member that was chosen. */
  readonly reshape: (further: readonly Schema[]) => Shape;
}

/** Why no value was made. Never part of a value. */
export class Unmade {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** A named schema on the way from the root to a place. */
export interface Trail {
  readonly name: string;
  readonly parent: Trail | undefined;
}

/** The place of a value. */
export interface ValuePlace {
  readonly random: Random;
  /** Name of the member that holds it; for items that of the list. */
  readonly name: string;
  /** Name of the schema around it. */
  readonly owner: string;
  readonly depth: number;
  readonly trail: Trail | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Bounds of the work for one value. They count steps, not time, so that a seed gives the same value everywhere. */
export interface ValueLimits {
  /** Values made, those thrown away included. */
  readonly maxSteps: number;
  /** Beyond this many values only what is required is added. */
  readonly leanSteps: number;
  /** Below this depth only what is required is added. */
  readonly leanDepth: number;
  /** Longer arrays are never made. */
  readonly maxItems: number;
}

/** State that the makers of one value share. */
export interface ValueContext {
  readonly cache: ValueCache;
  readonly variant: ValueVariant;
  readonly limits: ValueLimits;
  /** Every value is checked where it is made, so that a misfit is found next to its cause. */
  readonly isCareful: boolean;
  /** Values made so far. */
  steps: number;
  /** Makes the value of a member or an item, for which all of the schemas hold. */
  readonly make: (schemas: readonly Schema[], place: ValuePlace) => unknown;
  /** The shape that schemas have together, with the first choice of everything. */
  readonly shapeOf: (schemas: readonly Schema[], place: ValuePlace) => Shape;
}

/** Whether only what is required is added from here on. */
export function isLean({ variant, limits, steps }: ValueContext, { depth }: ValuePlace): boolean {
  return variant === 'minimal' || steps > limits.leanSteps || depth > limits.leanDepth;
}

/** How often a named schema occurs on the way to a place. */
export function countOnTrail(trail: Trail | undefined, name: string): number {
  let count = 0;
  for (let step = trail; step !== undefined; step = step.parent) if (step.name === name) count += 1;
  return count;
}
