import { toExactNumber } from './json-integers.js';
import { decodeJson } from './decode-json.js';
import type { DecodeHints } from './text-shape.js';

export interface CoerceOptions {
  /** Whether booleans may have any letter case, such as `True` in a query. */
  readonly anyCase: boolean;
  /** Reads integers that a number cannot hold. Default: they are rounded. */
  readonly exact?: (text: string) => number | bigint;
}

/** Converts a text to a type of the schema; keeps it if it does not fit. */
export type CoerceText = (
  text: string,
  hints: Pick<DecodeHints, 'types' | 'anyText' | 'wide'>,
  options: CoerceOptions,
) => unknown;

/** Takes linear time, because no digit can match two parts of it. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Converts a text to a type of the schema. A text that does not fit is kept, so that the validator can report it. A
 * text that is valid as it is, such as `007`, is kept too: as a number it would lose its zeros.
 */
export const coerceText: CoerceText = (text, hints, options) => {
  // Numbers in a path are ids and must be exact. In a query or form they are mostly counts for calculations.
  const isExact = hints.wide || !options.anyCase;
  const value = coerceScalar(text, hints, isExact ? { ...options, exact: toExactNumber } : options);
  const { types } = hints;
  const mayBeJson = (types.has('object') && text.startsWith('{')) || (types.has('array') && text.startsWith('['));
  return value === text && mayBeJson ? parseOrKeep(text) : value;
};

/** {@link coerceText} for numbers, booleans, `null` and texts. */
export const coerceScalar: CoerceText = (text, { types, anyText }, { anyCase, exact = Number }) => {
  if (!anyText && (types.has('number') || types.has('integer')) && NUMBER.test(text)) {
    const value = exact(text);
    if (typeof value === 'bigint' || Number.isFinite(value)) return value;
  }
  if (!anyText && types.has('boolean')) {
    const word = anyCase ? text.toLowerCase() : text;
    if (word === 'true' || word === 'false') return word === 'true';
  }
  return types.has('null') && (text === 'null' || (text === '' && !types.has('string'))) ? null : text;
};

function parseOrKeep(text: string): unknown {
  try {
    return decodeJson(text);
  } catch {
    return text;
  }
}
