import { jsonTypeOf, type Schema } from '../../model/schema-types.js';
import type { ValueContext, ValuePlace } from './sample-context.js';
import { fitsScalar } from './fits-scalar.js';
import { spacedWords } from './realistic-names.js';
import { type Shape, inferTypes } from './shape.js';

interface HintJob {
  readonly context: ValueContext;
  readonly schemas: readonly Schema[];
}

/** Returns a value that the document gives for this place, but only sometimes, for variety. */
export function makeHint(shape: Shape, place: ValuePlace, { context, schemas }: HintJob): unknown {
  if (shape.hints.length === 0) return undefined;
  const random = place.random.fork('hint');
  if (!random.chance(hintShare(shape, place))) return undefined;
  const types = inferTypes(shape);
  const scalars = shape.hints.filter(
    (hint) => hint !== null && types.includes(jsonTypeOf(hint)) && fitsScalar(shape, hint),
  );
  if (scalars.length > 0) return random.pick(scalars);
  const isWhole = context.variant === 'typical' && place.depth <= 2 && context.cache.direction === 'response';
  const composites = isWhole ? shape.hints.filter((hint) => ['object', 'array'].includes(jsonTypeOf(hint))) : [];
  if (composites.length === 0) return undefined;
  const hint = random.pick(composites);
  return context.cache.findProblem(schemas, hint) === undefined ? structuredClone(hint) : undefined;
}

/** Unique values, such as identifiers, are rarely taken from an example. */
function hintShare({ formats }: Shape, { name }: ValuePlace): number {
  const isOwn =
    formats.some((format) => format === 'uuid' || format === 'date-time' || format === 'email') ||
    /\b(ids?|key|token)$/.test(spacedWords(name));
  return isOwn ? 0.25 : 0.6;
}
