import { createRequire } from 'node:module';

import type * as Re2 from 're2js';
import type { RE2JS } from 're2js';

import { getOrInsert } from '../model/maps.js';
import { compilePattern } from './compile-pattern.js';
import { COSTLY_LENGTH, countOpenRepeats, canBacktrackForever } from './sample/pattern.js';
import { translatePattern } from './translate-pattern.js';

/** Maximum length of texts that the JavaScript engine matches, because it is faster for them. In characters. */
const SHORT = 64;
/** Maximum length of texts for patterns that need quadratic or cubic time, in characters. */
const QUADRATIC_LENGTH = 3_000;
const CUBIC_LENGTH = 200;

/** A pattern of a spec, matched in time that is linear in the length of the text. */
export interface LinearPattern {
  readonly test: (text: string) => boolean;
  /** Longer texts are not checked: the pattern backtracks, and the linear engine cannot run it. */
  readonly maxLength: number | undefined;
}

const cache = new Map<string, LinearPattern>();

/**
 * A matcher that hostile texts cannot slow down. Patterns that may backtrack run on RE2, with the results of
 * ECMAScript; those that RE2 does not support (look-around, back references) are checked only for short texts.
 */
export function createLinearPattern(pattern: string): LinearPattern {
  return getOrInsert(cache, pattern, () => makeLinear(pattern));
}

/** Whether a text matches; false if the pattern is invalid, or the text is too long to check. */
export function matchesLinear(pattern: string, text: string): boolean {
  if (compilePattern(pattern) === undefined) return false;
  const { test, maxLength = Infinity } = createLinearPattern(pattern);
  return text.length <= maxLength && test(text);
}

function makeLinear(pattern: string): LinearPattern {
  const regexp = compilePattern(pattern)?.regexp;
  if (regexp === undefined) return { test: () => true, maxLength: undefined };
  const native = (text: string): boolean => regexp.test(text);
  const repeats = countOpenRepeats(pattern);
  const isCostly = canBacktrackForever(pattern);
  if (!isCostly && repeats <= 1) return { test: native, maxLength: undefined };
  const linear = compileLinear(pattern, regexp.unicode);
  if (linear === undefined) return { test: native, maxLength: isCostly ? COSTLY_LENGTH : lengthFor(repeats) };
  const short = isCostly ? COSTLY_LENGTH : SHORT;
  return { test: (text) => (text.length <= short ? native(text) : linear.test(text)), maxLength: undefined };
}

function lengthFor(repeats: number): number {
  return repeats > 2 ? CUBIC_LENGTH : QUADRATIC_LENGTH;
}

let engine: typeof Re2.RE2JS | undefined;

/** Loaded on first use: it has 260 kB, and many specs have no pattern that needs it. */
function loadEngine(): typeof Re2.RE2JS {
  engine ??= (createRequire(import.meta.url)('re2js') as typeof Re2).RE2JS;
  return engine;
}

function compileLinear(pattern: string, unicode: boolean): RE2JS | undefined {
  const translated = translatePattern(pattern, unicode);
  if (translated === undefined) return undefined;
  try {
    return loadEngine().compile(translated);
  } catch {
    // RE2 limits how often a part can be repeated.
    return undefined;
  }
}
