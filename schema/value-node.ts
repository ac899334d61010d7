import { type Schema, type SchemaObject, type SchemaType, refName } from '../model/schema-types.js';
import { makeArray } from './value-array.js';
import { Choices } from './value-choices.js';
import { Unmade, type ValueContext, type ValuePlace, countOnTrail, isLean } from './value-context.js';
import { fitsScalar, typeOf } from './value-fits.js';
import { flatten } from './value-flatten.js';
import { makeHint } from './value-hints.js';
import { makeNumber } from './value-number.js';
import { makeObject } from './value-object.js';
import { Shape } from './value-shape.js';
import { makeString } from './value-string.js';

const MAX_DEPTH = 120;
const MAX_ATTEMPTS = 24;

/** Makes a value for which all of the schemas hold: tries, checks where the shape does not say all, and tries otherwise. */
export function makeValue(schemas: readonly Schema[], place: ValuePlace, context: ValueContext): unknown {
  const here = enter(schemas, place);
  let problem = new Unmade('nothing was tried');
  let attempts = 1;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    context.steps += 1;
    if (context.steps > context.limits.maxSteps) return new Unmade('too many values are needed');
    if (place.depth > MAX_DEPTH) return new Unmade(`values are nested deeper than ${MAX_DEPTH} levels`);
    const random = attempt === 0 ? place.random : place.random.fork(`again ${attempt}`);
    const choices = new Choices(place.random.fork('choices'), attempt);
    const shape = findShape(schemas, here, { context, choices });
    const value = shape.contradiction === undefined ? makeOfShape(shape, { ...here, random }, { context, choices, schemas, attempt }) : new Unmade(shape.contradiction);
    const mustCheck = shape.needsCheck || context.isCareful;
    if (value instanceof Unmade) problem = value;
    else {
      const misfit = mustCheck ? context.workshop.findProblem(schemas, value) : undefined;
      if (misfit === undefined) return value;
      problem = new Unmade(misfit);
    }
    attempts = Math.min(MAX_ATTEMPTS, (mustCheck ? 6 : 0) + choices.combinations);
  }
  return problem;
}

/** The place as it is inside: named schemas are on the trail. */
function enter(schemas: readonly Schema[], place: ValuePlace): ValuePlace {
  let { trail } = place;
  for (const schema of schemas) if (typeof schema === 'object' && schema.$ref !== undefined) trail = { name: refName(schema.$ref), parent: trail };
  return trail === place.trail ? place : { ...place, trail };
}

/** The name of the schema that the value is of, as the document has it. */
function nameOfValue(schemas: readonly Schema[], { workshop }: ValueContext): string | undefined {
  const named = schemas.find((schema) => typeof schema === 'object' && schema.$ref !== undefined);
  return typeof named === 'object' && named.$ref !== undefined ? workshop.documentName(refName(named.$ref)) : undefined;
}

interface ShapeJob {
  readonly context: ValueContext;
  readonly choices: Choices;
}

/** The shape of schemas; where there was nothing to choose, it is kept for the next time. */
export function findShape(schemas: readonly Schema[], place: ValuePlace, { context, choices }: ShapeJob): Shape {
  const [only] = schemas;
  const key = schemas.length === 1 && typeof only === 'object' ? only : undefined;
  const known = key === undefined ? undefined : context.workshop.shapes.get(key);
  if (known !== undefined) return known;
  const shape = flatten(schemas, { resolve: context.workshop.resolve, choices, rank: rankBranches(place, context) });
  if (key !== undefined && !shape.hasChoice && shape.dependentSchemas.length === 0) context.workshop.shapes.set(key, shape);
  return shape;
}

/** The lower the rank of a branch, the sooner it is taken. */
function rankBranches(place: ValuePlace, context: ValueContext): (schema: Schema) => number {
  const { heights } = context.workshop;
  const isNear = !isLean(context, place) && place.depth < 2;
  const likesNull = context.variant === 'minimal' || (context.variant === 'typical' && place.random.fork('null').chance(0.12));
  return (schema) => {
    const height = heights.of(schema);
    if (height === Infinity) return Infinity;
    if (isNull(schema)) return likesNull ? -1 : 500;
    const ref = typeof schema === 'object' && schema.$ref !== undefined ? countOnTrail(place.trail, refName(schema.$ref)) : 0;
    return ref * 20 + (isNear ? 0 : height);
  };
}

function isNull(schema: Schema): boolean {
  return typeof schema === 'object' && (schema.type === 'null' || (schema as SchemaObject).const === null);
}

interface ShapeWork extends ShapeJob {
  readonly schemas: readonly Schema[];
  readonly attempt: number;
}

function makeOfShape(shape: Shape, place: ValuePlace, { context, choices, schemas, attempt }: ShapeWork): unknown {
  if (shape.values !== undefined) return makeListed(shape, { context, choices, schemas });
  const hint = attempt > 2 ? undefined : makeHint(shape, place, { context, schemas });
  if (hint !== undefined) return hint;
  const types = shape.types ?? inferTypes(shape);
  const type = types.length === 1 ? types[0] : choices.take(types, rankTypes(place, context));
  const ownName = nameOfValue(schemas, context);
  switch (type) {
    case 'null':
      return null;
    case 'boolean':
      return place.random.chance(0.5);
    case 'array':
      return makeArray(shape, { ...place, owner: ownName ?? place.owner }, context);
    case 'object':
      return makeObject(shape, { ...place, owner: ownName ?? (place.name === '' ? place.owner : place.name) }, context);
    default: {
      // A scalar is known by the member that holds it, and by its own name only where it stands alone.
      const named = place.name === '' ? { ...place, name: ownName ?? '' } : place;
      return type === 'number' ? makeNumber(shape, named) : makeString(shape, named);
    }
  }
}

function makeListed(shape: Shape, { context, choices, schemas }: Omit<ShapeWork, 'attempt'>): unknown {
  const isScalar = (value: unknown): boolean => !['object', 'array'].includes(typeOf(value));
  const fitting = (shape.values ?? []).filter((value) => (isScalar(value) ? fitsScalar(shape, value) : context.workshop.findProblem(schemas, value) === undefined));
  const likesNull = context.variant === 'minimal';
  const value = choices.take(fitting, (one) => (one === null && !likesNull ? 1 : 0));
  if (value === undefined) return new Unmade('no value of the enum fits');
  return isScalar(value) ? value : structuredClone(value);
}

function rankTypes(place: ValuePlace, { variant }: ValueContext): (type: SchemaType) => number {
  const likesNull = variant === 'minimal' || (variant === 'typical' && place.random.fork('null').chance(0.12));
  return (type) => (type === 'null' ? (likesNull ? -1 : 1) : 0);
}

/** What a schema without a type most likely means. */
function inferTypes(shape: Shape): readonly SchemaType[] {
  if (shape.objectParts.length > 0 || shape.required.size > 0 || shape.minProperties > 0 || shape.propertyNames.length > 0) return ['object'];
  if (shape.arrayParts.length > 0 || shape.contains.length > 0 || shape.minItems > 0 || shape.isUnique) return ['array'];
  if (shape.patterns.length > 0 || shape.formats.length > 0 || shape.minLength > 0 || shape.maxLength < Infinity) return ['string'];
  const hasBounds = shape.multiples.length > 0 || [shape.minimum, shape.maximum, shape.exclusiveMinimum, shape.exclusiveMaximum].some((bound) => Number.isFinite(bound));
  // With a `not` any type may be the one that is left.
  return hasBounds ? ['number'] : shape.needsCheck ? ['string', 'number', 'object', 'array', 'boolean', 'null'] : ['string'];
}
