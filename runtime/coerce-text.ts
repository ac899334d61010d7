import { toExactNumber } from './json-integers.js';
import { decodeJson } from './decode-json.js';
import type { DecodeHints } from './text-shape.js';

export interface CoerceOptions {
  /** Whether booleans may have any letter case, such as `True` in a query. */
  readonly anyCase: boolean;
}

/** Takes linear time, because no digit can match two parts of it. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Converts a text to a type of the schema. A text that does not fit is kept, so that the validator can report it. A
 * text that is valid as it is, such as `007`, is kept too: as a number it would lose its zeros.
 */
export function coerceText(
  text: string,
  { types, anyText, wide }: Pick<DecodeHints, 'types' | 'anyText' | 'wide'>,
  { anyCase }: CoerceOptions,
): unknown {
  if (types.size === 0) return text;
  if (!anyText && (types.has('number') || types.has('integer')) && NUMBER.test(text)) {
    // Numbers in a path are ids and must be exact. In a query or form they are mostly counts for calculations.
    const value = wide || !anyCase ? toExactNumber(text) : Number(text);
    if (typeof value === 'bigint' || Number.isFinite(value)) return value;
  }
  if (!anyText && types.has('boolean')) {
    const word = anyCase ? text.toLowerCase() : text;
    if (word === 'true' || word === 'false') return word === 'true';
  }
  if (types.has('null') && (text === 'null' || (text === '' && !types.has('string')))) return null;
  if ((types.has('object') && text.startsWith('{')) || (types.has('array') && text.startsWith('[')))
    return parseOrKeep(text);
  return text;
}

function parseOrKeep(text: string): unknown {
  try {
    return decodeJson(text);
  } catch {
    return text;
  }
}
