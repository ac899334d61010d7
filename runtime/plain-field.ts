import { type CoerceText, coerceScalar } from './coerce-text.js';
import type { TextRule, ValueStyle } from './text-decoder.js';
import type { DecodeHints } from './text-shape.js';

/** How one named value is written in the fields of a query, form or cookie. */
export interface FieldRule extends TextRule {
  readonly allowEmptyValue: boolean;
  /** Names of other parameters, which an exploded object with free members does not take. */
  readonly taken: ReadonlySet<string>;
}

export const ANY_CASE = { anyCase: true } as const;

/** The separators of items in a joined value. In a query, `+` and `%20` are the same. */
export const DELIMITERS: Readonly<Partial<Record<ValueStyle, RegExp>>> = {
  form: /,/,
  spaceDelimited: /%20|\+| /,
  pipeDelimited: /%7C|\|/i,
  tabDelimited: /%09|\t/,
  cookie: /,/,
};
const ENCODED_COMMA = /,|%2C/i;

/** Whether each item or member is a field of its own. */
export function isSpread({ style, explode }: FieldRule): boolean {
  return explode && (style === 'form' || style === 'cookie');
}

/** Whether a value has exactly one possible type, apart from `null`. */
export function isOnly({ types }: DecodeHints, type: 'array' | 'object'): boolean {
  return types.has(type) && [...types].every((one) => one === type || one === 'null');
}

/**
 * Reads a value that is no list.
 *
 * @param coerce - that of values which may be JSON, if there are any.
 * @param readOne - replaces it for a value that is given once.
 * @throws DecodeError
 */
export function readScalar(
  { shape, decode, allowEmptyValue }: ScalarRule,
  raws: readonly string[],
  coerce: CoerceText = coerceScalar,
  readOne = (raw: string): unknown => coerce(decode(raw), shape, ANY_CASE),
): unknown {
  const [raw = '', ...others] = raws;
  if (others.length > 0) return raws.map((one) => coerce(decode(one), shape, ANY_CASE));
  const { types } = shape;
  if (raw !== '' || !allowEmptyValue || types.has('string')) return readOne(raw);
  return types.has('boolean') ? true : undefined;
}

/** What a value that is no list is read by. */
export interface ScalarRule extends Pick<FieldRule, 'decode' | 'allowEmptyValue'> {
  readonly shape: Parameters<CoerceText>[1];
}

/** {@link readScalar} for values that may be lists. */
export function readPlain(
  rule: FieldRule,
  raws: readonly string[],
  coerce: CoerceText = coerceScalar,
  readOne?: (raw: string) => unknown,
): unknown {
  const { shape, allowEmptyValue } = rule;
  const isSingle = raws.length === 1;
  const isEmpty = isSingle && raws[0] === '' && allowEmptyValue && !shape.types.has('string');
  const isList = shape.types.has('array') && (!isSingle || isOnly(shape, 'array') || !rule.explode);
  return isList && !isEmpty ? readList(rule, raws, coerce) : readScalar(rule, raws, coerce, readOne);
}

function readList(rule: FieldRule, raws: readonly string[], coerce: CoerceText): unknown {
  const { shape, decode, style } = rule;
  const [only = ''] = raws;
  const isSingle = raws.length === 1;
  if (isSingle && only === '') return rule.explode && shape.item().types.has('string') ? [''] : [];
  const delimiter = (style === 'form' && shape.item().plain ? undefined : DELIMITERS[style]) ?? ENCODED_COMMA;
  // Accepts repeated names in every style, because common clients explode lists whatever the spec says.
  const pieces = isSingle && !isSpread(rule) ? only.split(delimiter) : raws;
  return pieces.map((piece, index) => coerce(decode(piece), shape.item(index), ANY_CASE));
}
