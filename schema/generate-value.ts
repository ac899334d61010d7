import { getOrInsert } from '../model/maps.js';
import type { Api } from '../model/api.js';
import type { Schema } from '../model/schema-types.js';
import {
  TooLong,
  NoValue,
  type ValueContext,
  type FindMade,
  type ValueLimits,
  type ValuePlace,
  type ValueVariant,
} from './sample/sample-context.js';
import { firstShape, makeValue } from './sample/make-value.js';
import { Random } from './sample/random.js';
import { ValueCache } from './sample/value-cache.js';
import type { Direction } from './variants.js';

export interface GenerateValueOptions {
  /** `request`: without `readOnly` members; `response`: without `writeOnly` ones. */
  readonly direction: Direction;
  /** The same seed gives the same value. Any whole number. */
  readonly seed: number;
  /** Default: `typical`. */
  readonly variant?: ValueVariant;
  /** The time near which dates are. Default: the start of 2026, so that values do not change every day. */
  readonly now?: Date;
  readonly limits?: Partial<ValueLimits>;
  /** Returns existing values of named schemas to use as parts of this value. Default: all parts are generated. */
  readonly findMade?: FindMade;
}

/** A valid value, or the reason why no value was found. */
export type GeneratedValue =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string };

const NOW = Date.UTC(2026, 0, 1);
const LIMITS: ValueLimits = { maxSteps: 20_000, leanSteps: 150, leanDepth: 5, maxItems: 2000, maxCharacters: Infinity };

/**
 * The attempts to generate a value: with less and less freedom, and with a check at every step once the fast way has
 * failed.
 */
const PASSES: readonly { readonly isCareful: boolean; readonly shift: number; readonly variant?: ValueVariant }[] = [
  { isCareful: false, shift: 0 },
  { isCareful: true, shift: 0 },
  { isCareful: true, shift: 0x51ed },
  { isCareful: true, shift: 0, variant: 'minimal' },
];

const valueCaches = new WeakMap<Api, Readonly<Record<Direction, ValueCache>>>();

/**
 * Makes a value that a schema accepts: realistic by format, member name, examples and defaults; deterministic by seed.
 * Every value is proven with {@link compileValidator}; an invalid one is never returned. If the schema accepts nothing,
 * nothing finite, or nothing that is found within the limits, returns the reason in one sentence.
 *
 * @example
 * const made = generateValue(api, { $ref: '#/$defs/Case' }, { direction: 'response', seed: 1 });
 * if (made.ok) send(made.value);
 */
export function generateValue(api: Api, schema: Schema, options: GenerateValueOptions): GeneratedValue {
  const cache = cachesOf(api)[options.direction];
  const view = cache.viewOf(schema);
  if (cache.minDepths.of(view) === Infinity)
    return { ok: false, reason: 'every value would have to contain itself, or nothing is allowed' };
  let reason = '';
  for (const pass of PASSES) {
    const made = tryPass(
      view,
      { ...options, ...(pass.variant === undefined ? {} : { variant: pass.variant }), seed: options.seed + pass.shift },
      { cache, isCareful: pass.isCareful },
    );
    if (!(made instanceof NoValue)) return { ok: true, value: made };
    reason = made.reason;
    if (made.isFinal) break;
  }
  return { ok: false, reason };
}

function cachesOf(api: Api): Readonly<Record<Direction, ValueCache>> {
  return getOrInsert(valueCaches, api, () => ({
    request: new ValueCache(api, 'request'),
    response: new ValueCache(api, 'response'),
  }));
}

function tryPass(
  view: Schema,
  options: GenerateValueOptions,
  { cache, isCareful }: Pick<ValueContext, 'cache' | 'isCareful'>,
): unknown {
  const random = new Random(options.seed);
  const place: ValuePlace = {
    random,
    kin: undefined,
    name: '',
    owner: '',
    depth: 0,
    trail: undefined,
    now: options.now?.getTime() ?? NOW,
  };
  const context: ValueContext = {
    cache,
    isCareful,
    variant: options.variant ?? 'typical',
    limits: { ...LIMITS, ...options.limits },
    steps: 0,
    characters: 0,
    failedTexts: new Map(),
    make: (schemas, at) => takeMade(schemas, context, options.findMade) ?? makeValue(schemas, at, context),
    makeNew: (schemas, at) => makeValue(schemas, at, context),
    shapeOf: (schemas, at) => firstShape(schemas, at, context),
  };
  try {
    const value = makeValue([view], place, context);
    if (value instanceof NoValue) return value;
    const problem = cache.findProblem([view], value);
    return problem === undefined ? value : new NoValue(problem);
  } catch (error) {
    if (error instanceof TooLong) return new NoValue(error.message, true);
    // A schema or pattern that is too large for the engine's stack is a problem of the document, not a bug.
    if (error instanceof RangeError || error instanceof SyntaxError)
      return new NoValue(`the schema is too much: ${error.message.slice(-80)}`);
    throw error;
  }
}

/** Returns an existing value. If a value turned out to be invalid, all its parts are generated anew. */
function takeMade(schemas: readonly Schema[], context: ValueContext, find?: FindMade): object | undefined {
  const [only] = schemas;
  if (find === undefined || context.isCareful || schemas.length !== 1 || typeof only !== 'object') return undefined;
  const name = context.cache.soleName(only);
  const made = name === undefined ? undefined : find(name);
  context.steps += made?.steps ?? 0;
  return made?.value;
}
