import type { Schema } from '../../model/schema-types.js';
import type { Random } from './random.js';
import type { Shape } from './shape.js';
import type { ValueCache } from './value-cache.js';

/** How many optional parts a value has: none, most, or all. */
export type ValueVariant = 'minimal' | 'typical' | 'full';

/** How the members of an object are made. */
export interface ObjectJob {
  readonly context: ValueContext;
  /** Returns the shape with further schemas, which apply because of a chosen member. */
  readonly reshape: (further: readonly Schema[]) => Shape;
}

/** The reason why no value was made. Never part of a value. */
export class NoValue {
  readonly reason: string;
  /** Whether further attempts are useless. */
  readonly isFinal: boolean;

  constructor(reason: string, isFinal = false) {
    this.reason = reason;
    this.isFinal = isFinal;
  }
}

/** A named schema on the path from the root to a place. */
export interface Trail {
  readonly name: string;
  readonly parent: Trail | undefined;
}

/** All places list their fields in this order, so that they have one layout in memory, which is faster to read. */
export interface ValuePlace {
  readonly random: Random;
  /** The source of the object around it: texts that fit together draw from it. */
  readonly kin: Random | undefined;
  /** Name of the member that contains it; for items, the name of the list. */
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
  /** Maximum number of values made, including discarded ones. */
  readonly maxSteps: number;
  /** Beyond this many values, only required parts are added. */
  readonly leanSteps: number;
  /** Below this depth, only required parts are added. */
  readonly leanDepth: number;
  /** Maximum length of arrays. */
  readonly maxItems: number;
  /** Values that would certainly have more characters as a literal are abandoned. */
  readonly maxCharacters: number;
}

/** Stops making a value that has too many characters; another attempt would most likely have as many. */
export class TooLong extends Error {
  override readonly name = 'TooLong';
}

/** An existing value, and of how many values it consists. */
export interface MadeValue {
  readonly value: object;
  readonly steps: number;
}

/** Finds an existing value for a member or item whose only schema is a named one. */
export type FindMade = (name: string) => MadeValue | undefined;

/** State that the makers of one value share. */
export interface ValueContext {
  readonly cache: ValueCache;
  readonly variant: ValueVariant;
  readonly limits: ValueLimits;
  /** Whether every value is checked where it is made, so that errors are found next to their cause. */
  readonly isCareful: boolean;
  /** Values made so far. */
  steps: number;
  /** Minimum number of characters of the value: those of its texts and member names. */
  characters: number;
  /** How often no text was found for a shape. A search takes long, so that few are tried. */
  readonly failedTexts: Map<Shape, number>;
  /** Returns a value of a member or an item that fits all of the schemas: an existing one or a new one. */
  readonly make: (schemas: readonly Schema[], place: ValuePlace) => unknown;
  /** Like `make`, but always makes a new value. */
  readonly makeNew: (schemas: readonly Schema[], place: ValuePlace) => unknown;
  /** The shape of the combined schemas, with the first choice everywhere. */
  readonly shapeOf: (schemas: readonly Schema[], place: ValuePlace) => Shape;
}

/** Whether only required parts are added from here on. */
export function isLean({ variant, limits, steps }: ValueContext, { depth }: ValuePlace): boolean {
  return variant === 'minimal' || steps > limits.leanSteps || depth > limits.leanDepth;
}

export function countCharacters(context: ValueContext, count: number): void {
  context.characters += count;
  if (context.characters > context.limits.maxCharacters)
    throw new TooLong(`it has more than ${context.limits.maxCharacters} characters`);
}

/** How often a named schema occurs on the path to a place. */
export function countOnTrail(trail: Trail | undefined, name: string): number {
  let count = 0;
  for (let step = trail; step !== undefined; step = step.parent) if (step.name === name) count += 1;
  return count;
}
