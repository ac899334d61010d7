import { jsonTypeOf, refName, type Schema, type SchemaObject } from '../../model/schema-types.js';
import { makeArray } from './array.js';
import { breakBranches } from './break-branches.js';
import { Choices } from './choices.js';
import {
  NoValue,
  type ValueContext,
  type ValuePlace,
  countCharacters,
  countOnTrail,
  isLean,
} from './sample-context.js';
import { fitsUnlisted } from './fits-scalar.js';
import { type FlattenScope, flatten } from './flatten.js';
import { makeHint } from './hints.js';
import { makeNumber } from './number.js';
import { makeObject } from './object.js';
import { type JsonType, type Shape, inferTypes } from './shape.js';
import { makeString } from './string.js';
import { noteStep } from './watched-work.js';

const MAX_DEPTH = 120;
const MAX_ATTEMPTS = 24;
/** The first attempt that breaks other branches of a `oneOf`; those before it look for a value without wrong members. */
const FIRST_BREAKING = 4;
/** How often a value is made again because it revealed which conditions hold. */
const MAX_ROUNDS = 8;

/**
 * Makes a value that fits all of the schemas. Checks it if the shape does not cover everything, and retries with other
 * choices.
 */
export function makeValue(schemas: readonly Schema[], place: ValuePlace, context: ValueContext): unknown {
  const here = enter(schemas, place);
  const { characters } = context;
  let problem = new NoValue('nothing was tried');
  let attempts = 1;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const job = new Attempt(schemas, here, { context, attempt });
    const value = job.make();
    if (!(value instanceof NoValue)) {
      if (typeof value === 'string') countCharacters(context, value.length);
      return value;
    }
    context.characters = characters;
    problem = value;
    attempts = Math.min(MAX_ATTEMPTS, job.chances);
    if (context.steps > context.limits.maxSteps) break;
  }
  return problem;
}

/** Returns the place with the named schemas added to its trail. */
function enter(schemas: readonly Schema[], place: ValuePlace): ValuePlace {
  let { trail } = place;
  for (const schema of schemas) {
    const ref = typeof schema === 'object' ? (schema.$ref ?? wrappedRef(schema)) : undefined;
    if (ref !== undefined) trail = { name: refName(ref), parent: trail };
  }
  if (trail === place.trail) return place;
  const { random, kin, name, owner, depth, now } = place;
  return { random, kin, name, owner, depth, trail, now };
}

function withOwner({ random, kin, name, depth, trail, now }: ValuePlace, owner: string): ValuePlace {
  return { random, kin, name, owner, depth, trail, now };
}

/** The only reference that a combination can lead to, such as that of a nullable one: `anyOf: [{ $ref }, { type: 'null' }]`. */
function wrappedRef({ allOf, anyOf, oneOf }: SchemaObject): string | undefined {
  const parts = allOf ?? anyOf ?? oneOf;
  if (parts === undefined) return undefined;
  const others = parts.filter((part) => !isNull(part));
  const [only] = others;
  return others.length === 1 && typeof only === 'object' ? only.$ref : undefined;
}

/** Returns the shape of schemas; caches it if there is nothing to choose. */
function findShape(
  schemas: readonly Schema[],
  context: ValueContext,
  scope: () => Omit<FlattenScope, 'resolve' | 'documentName'>,
): Shape {
  const [only] = schemas;
  const key = schemas.length === 1 && typeof only === 'object' ? only : undefined;
  const known = key === undefined ? undefined : context.cache.shapes.get(key);
  if (known !== undefined) return known;
  const { resolve } = context.cache;
  const documentName = (name: string): string => context.cache.documentName(name);
  const shape = flatten(schemas, { resolve, documentName, ...scope() });
  if (key !== undefined && shape.isFixed) context.cache.shapes.set(key, shape);
  return shape;
}

/** The shape of schemas with the first choice everywhere. */
export function firstShape(schemas: readonly Schema[], place: ValuePlace, context: ValueContext): Shape {
  return findShape(schemas, context, () => ({
    choices: new Choices(place.random.fork('choices'), 0),
    rank: rankBranches(place, context),
    decisions: NO_DECISIONS,
  }));
}

const NO_DECISIONS: ReadonlyMap<SchemaObject, boolean> = new Map();

class Attempt {
  readonly #schemas: readonly Schema[];
  readonly #place: ValuePlace;
  readonly #context: ValueContext;
  readonly #attempt: number;
  #decisions: Map<SchemaObject, boolean> | undefined;
  readonly #rank: (schema: Schema) => number;
  /** Created only for a shape with choices, which few have. */
  #choices: Choices | undefined;
  #mustCheck = false;

  constructor(
    schemas: readonly Schema[],
    place: ValuePlace,
    { context, attempt }: { readonly context: ValueContext; readonly attempt: number },
  ) {
    this.#schemas = schemas;
    this.#place = attempt === 0 ? place : { ...place, random: place.random.fork(`again ${attempt}`) };
    this.#context = context;
    this.#attempt = attempt;
    this.#rank = rankBranches(place, context);
  }

  /** How many attempts are worthwhile. */
  get chances(): number {
    return (this.#mustCheck ? 6 : 0) + (this.#choices?.combinations ?? 1);
  }

  /** Makes a value. If it reveals whether conditions hold, makes it again with their consequences. */
  make(): unknown {
    const { characters } = this.#context;
    let problem = new NoValue('conditions contradict each other');
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      this.#context.steps += 1;
      noteStep();
      if (this.#context.steps > this.#context.limits.maxSteps) return new NoValue('too many values are needed');
      if (this.#place.depth > MAX_DEPTH) return new NoValue(`values are nested deeper than ${MAX_DEPTH} levels`);
      const shape = this.#findShape([]);
      const value = shape.contradiction === undefined ? this.#makeOfShape(shape) : new NoValue(shape.contradiction);
      this.#mustCheck = shape.needsCheck || this.#context.isCareful;
      if (value instanceof NoValue) return value;
      const mismatch = this.#mustCheck ? this.#context.cache.findProblem(this.#schemas, value) : undefined;
      if (mismatch === undefined) return value;
      const broken = this.#attempt < FIRST_BREAKING ? value : breakBranches(value, shape, this.#place, this.#context);
      if (broken !== value && this.#context.cache.findProblem(this.#schemas, broken) === undefined) return broken;
      problem = new NoValue(mismatch);
      this.#context.characters = characters;
      if (!this.#learn(shape, value)) return problem;
    }
    return problem;
  }

  #findShape(further: readonly Schema[]): Shape {
    this.#choices = undefined;
    return findShape(further.length === 0 ? this.#schemas : [...this.#schemas, ...further], this.#context, () => ({
      choices: this.#choose(),
      rank: this.#rank,
      decisions: this.#decisions ?? NO_DECISIONS,
    }));
  }

  #choose(): Choices {
    this.#choices ??= new Choices(this.#place.random.fork('choices'), this.#attempt);
    return this.#choices;
  }

  /** Records which conditions a value meets. Returns whether anything is new. */
  #learn({ conditions }: Shape, value: unknown): boolean {
    let hasLearnt = false;
    for (const schema of conditions) {
      const holds = this.#context.cache.findProblem([schema.if ?? true], value) === undefined;
      this.#decisions ??= new Map();
      if (this.#decisions.get(schema) !== holds) hasLearnt = true;
      this.#decisions.set(schema, holds);
    }
    return hasLearnt;
  }

  #makeOfShape(shape: Shape): unknown {
    const [place, context] = [this.#place, this.#context];
    if (shape.values !== undefined) return this.#makeListed(shape);
    const hint = this.#attempt > 2 ? undefined : makeHint(shape, place, { context, schemas: this.#schemas });
    if (hint !== undefined) return hint;
    const types = inferTypes(shape);
    const type = types.length === 1 ? types[0] : this.#choose().take(types, rankTypes(place, context));
    switch (type) {
      case 'null':
        return null;
      case 'boolean':
        return place.random.chance(0.5);
      case 'array':
        return makeArray(shape, withOwner(place, this.#ownName() ?? place.owner), context);
      case 'object': {
        const owner = this.#ownName() ?? (place.name === '' ? place.owner : place.name);
        const reshape = (further: readonly Schema[]): Shape => this.#findShape(further);
        return makeObject(shape, withOwner(place, owner), { context, reshape });
      }
      default: {
        // Realistic values are chosen by property name, else by schema name.
        const named = place.name === '' ? { ...place, name: this.#ownName() ?? '' } : place;
        return type === 'number' ? makeNumber(shape, named) : makeString(shape, named, this.#context);
      }
    }
  }

  /** The name of the value's schema, as in the document. */
  #ownName(): string | undefined {
    for (const schema of this.#schemas) {
      const ref = typeof schema === 'object' ? (schema.$ref ?? wrappedRef(schema)) : undefined;
      if (ref !== undefined) return this.#context.cache.documentName(refName(ref));
    }
    return undefined;
  }

  #makeListed(shape: Shape): unknown {
    const isScalar = (value: unknown): boolean => !['object', 'array'].includes(jsonTypeOf(value));
    const fitting = (shape.values ?? []).filter((value) =>
      isScalar(value)
        ? fitsUnlisted(shape, value)
        : this.#context.cache.findProblem(this.#schemas, value) === undefined,
    );
    const likesNull = this.#context.variant === 'minimal';
    const value = this.#choose().take(fitting, (one) => (one === null && !likesNull ? 1 : 0));
    if (value === undefined) return new NoValue('no value of the enum fits');
    return isScalar(value) ? value : structuredClone(value);
  }
}

/** Returns the rank of branches; lower ranks are taken first. */
function rankBranches(place: ValuePlace, context: ValueContext): (schema: Schema) => number {
  const { minDepths } = context.cache;
  const isNear = !isLean(context, place) && place.depth < 2;
  return (schema) => {
    const height = minDepths.of(schema);
    if (height === Infinity) return Infinity;
    if (isNull(schema)) return likesNull(place, context) ? -1 : 500;
    const times =
      typeof schema === 'object' && schema.$ref !== undefined ? countOnTrail(place.trail, refName(schema.$ref)) : 0;
    return times * 20 + (isNear ? 0 : height);
  };
}

function rankTypes(place: ValuePlace, context: ValueContext): (type: JsonType) => number {
  return (type) => (type === 'null' ? (likesNull(place, context) ? -1 : 1) : 0);
}

/** Whether to choose `null`: a minimal value does, a typical one sometimes, a full one never. */
function likesNull({ random }: ValuePlace, { variant }: ValueContext): boolean {
  return variant === 'minimal' || (variant === 'typical' && random.fork('null').chance(0.12));
}

function isNull(schema: Schema): boolean {
  return typeof schema === 'object' && (schema.type === 'null' || schema.const === null);
}
