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
  /** Whether there is no use in other attempts. */
  readonly isFinal: boolean;

  constructor(reason: string, isFinal = false) {
    this.reason = reason;
    this.isFinal = isFinal;
  }
}

/** A named schema on the way from the root to a place. */
export interface Trail {
  readonly name: string;
  readonly parent: Trail | undefined;
}

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
  /** Values that would certainly have more characters as a literal are given up. */
  readonly maxCharacters: number;
}

/** Stops the making of a value that has too many characters: another attempt would most likely have as many. */
export class TooLong extends Error {
  override readonly name = 'TooLong';
}

/** A value that is made already, and of how many values it consists. */
export interface MadeValue {
  readonly value: object;
  readonly steps: number;
}

/** Finds a value that is made already, for a member or item that is of a named schema and nothing else. */
export type FindMade = (name: string) => MadeValue | undefined;

/** State that the makers of one value share. */
export interface ValueContext {
  readonly cache: ValueCache;
  readonly variant: ValueVariant;
  readonly limits: ValueLimits;
  /** Every value is checked where it is made, so that a misfit is found next to its cause. */
  readonly isCareful: boolean;
  /** Values made so far. */
  steps: number;
  /** Characters that the value has at least: those of its texts and of the names of its members. */
  characters: number;
  /** The value of a member or an item, for which all of the schemas hold: one that is made already, or a new one. */
  readonly make: (schemas: readonly Schema[], place: ValuePlace) => unknown;
  /** Makes a value that differs from others. */
  readonly makeNew: (schemas: readonly Schema[], place: ValuePlace) => unknown;
  /** The shape that schemas have together, with the first choice of everything. */
  readonly shapeOf: (schemas: readonly Schema[], place: ValuePlace) => Shape;
}

/** Whether only what is required is added from here on. */
export function isLean({ variant, limits, steps }: ValueContext, { depth }: ValuePlace): boolean {
  return variant === 'minimal' || steps > limits.leanSteps || depth > limits.leanDepth;
}

export function countCharacters(context: ValueContext, count: number): void {
  context.characters += count;
  if (context.characters > context.limits.maxCharacters)
    throw new TooLong(`it has more than ${context.limits.maxCharacters} characters`);
}

/** How often a named schema occurs on the way to a place. */
export function countOnTrail(trail: Trail | undefined, name: string): number {
  let count = 0;
  for (let step = trail; step !== undefined; step = step.parent) if (step.name === name) count += 1;
  return count;
}
