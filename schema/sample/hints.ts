import { remember } from '../../model/maps.js';
import { jsonTypeOf, type Schema } from '../../model/schema-types.js';
import type { Random } from './random.js';
import { hexDigits, letters } from './realistic-format.js';
import type { ValueContext, ValuePlace } from './sample-context.js';
import { fitsScalar } from './fits-scalar.js';
import { isPersonName } from './realistic-kin.js';
import { spacedWords } from './realistic-names.js';
import { type Shape, inferTypes } from './shape.js';

interface HintJob {
  readonly context: ValueContext;
  readonly schemas: readonly Schema[];
}

/**
 * Returns a value that the document gives for this place: always for a text like `active`, never for an identifier in a
 * response, which gets one of the same form, never for the name of a person there, and else sometimes, for variety.
 */
export function makeHint(shape: Shape, place: ValuePlace, { context, schemas }: HintJob): unknown {
  if (shape.hints.length === 0) return undefined;
  const random = place.random.fork('hint');
  const isOwn = looksUnique(place.name, shape.formats);
  if (context.cache.direction === 'response' && isPersonName(place)) return undefined;
  if (isOwn && context.cache.direction === 'response') return makeAlike(shape, place.name, random);
  const isChoice = !isOwn && looksLikeChoice(shape, place.name);
  if (!isChoice && !random.chance(isOwn || isTime(shape) ? 0.25 : 0.6)) return undefined;
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

function isTime({ formats }: Shape): boolean {
  return formats.includes('date-time');
}

const UNIQUE_NAME =
  /\b(ids?|identifier|uuid|guid|key|token|e ?mail|email address|slug|code|sku|user ?name|login|handle|permalink)$/;
/** Codes that many items share. */
const SHARED_NAME =
  /\b(country|currency|language|lang|locale|postal|post|zip|state|region|status|error|response|reason|failure|area|dial|calling|type|colou?r|public) (code|key)$/;
const UNIQUE_FORMATS: ReadonlySet<string> = new Set(['uuid', 'guid', 'email', 'idn-email']);

/** Whether each item of a collection has its own value, judged by the name and the formats of a member. */
export function looksUnique(name: string, formats: readonly string[]): boolean {
  return formats.some((format) => UNIQUE_FORMATS.has(format)) || namesUnique(name);
}

const namesUnique = remember((name) => {
  const words = spacedWords(name);
  return UNIQUE_NAME.test(words) && !SHARED_NAME.test(words);
});

/** Members whose few values are listed by their examples, even if these are no lower-case words. */
const CHOICE_NAME = /\b(type|status|state|role|kind|object|category|level|mode|priority|gender|currency)$/;
/** Members with texts of their own, even if an example is a single word. */
const FREE_NAME =
  /\b(names?|title|subject|headline|description|comment|message|text|body|notes?|content|labels?|tags?|topics?|keywords?|city|town|street|query|search|password|secret|word|phrase|path|url|uri|host|hostname|domain|bio|motto)$/;

/** Whether the examples of a text are the values that it has: `active`, `in_progress`, or one word of a `type`. */
function looksLikeChoice({ hints, formats }: Shape, name: string): boolean {
  const form = formats.length > 0 ? undefined : formOfChoice(name);
  return form !== undefined && hints.every((hint) => typeof hint === 'string' && form.test(hint));
}

/** The form of the values of a choice with this name; `undefined` if its texts are free. */
const formOfChoice = remember((name): RegExp | undefined => {
  const words = spacedWords(name);
  if (FREE_NAME.test(words)) return undefined;
  return CHOICE_NAME.test(words) ? /^[\w.:-]{1,40}$/ : /^[a-z][a-z0-9_-]{0,39}$/;
});

/** The fewest characters that differ, so that texts of the same form seldom repeat. */
const LEAST_OWN = 6;

/** Makes a text of the form of an example: `cus_Nq8fG3` gives `cus_Hx2kB7`. `undefined` for other values and slugs. */
function makeAlike(shape: Shape, name: string, random: Random): string | undefined {
  const texts = shape.hints.filter((hint) => typeof hint === 'string');
  const isFree = shape.formats.length === 0 && !/\b(e ?mail|email address|slug|permalink)$/.test(spacedWords(name));
  if (texts.length === 0 || !isFree) return undefined;
  const hint = random.pick(texts);
  if (hint.length > 80) return undefined;
  const [prefix = ''] = /^(?:[A-Za-z]{1,12}[_-]){0,3}/.exec(hint) ?? [];
  const rest = hint.slice(prefix.length);
  const short = Math.max(0, LEAST_OWN - rest.length);
  const candidates = [
    prefix + reshape(rest + '0'.repeat(short), random),
    prefix + reshape(rest, random),
    reshape(hint, random),
  ];
  return candidates.find((text) => fitsScalar(shape, text));
}

/** Replaces letters and digits by others of the same kind. */
function reshape(text: string, random: Random): string {
  if (/^(?=.*\d)[0-9a-f-]{8,}$/.test(text)) return text.replaceAll(/[0-9a-f]/g, () => hexDigits(random, 1));
  return text.replaceAll(/[A-Za-z0-9]/g, (char) => {
    if (/\d/.test(char)) return String(random.int(1, 9));
    const letter = letters(random, 1);
    return char === char.toUpperCase() ? letter.toUpperCase() : letter;
  });
}
