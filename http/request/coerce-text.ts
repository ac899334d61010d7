import { toExactNumber } from '../../runtime/json-integers.js';
import { parseJson } from './parse-json.js';
import type { DecodeHints } from './decode-hints.js';

export interface CoerceOptions {
  /** In a query `True` is a boolean too. */
  readonly anyCase: boolean;
}

/** Linear: no digit can be read by two parts of it. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Reads a text as what the schema asks for. A text that does not fit stays a text, so that the validator can say what
 * is wrong with it; so does one that the schema takes as it is: `007` would lose its zeros as a number.
 */
export function coerceText(text: string, { types, anyText, wide }: DecodeHints, { anyCase }: CoerceOptions): unknown {
  if (types.size === 0) return text;
  if (!anyText && (types.has('number') || types.has('integer')) && NUMBER.test(text)) {
    // In a path a number is an id. In a query and in a form it is mostly a count, which handlers calculate with.
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
    return parseJson(text);
  } catch {
    return text;
  }
}
