import { compilePattern } from '../compile-pattern.js';
import { type PatternNode, parsePattern } from './pattern-parse.js';
import { countRepeats, isAmbiguous, isAnchored, lengthOf, reachOf, type TextLength } from './pattern-facts.js';
import { charsOf } from './pattern-chars.js';
import type { Random } from './random.js';

/**
 * Maximum length of texts that a pattern with nested repetitions is matched against, because it can take exponential
 * time on longer ones. In characters.
 */
export const COSTLY_LENGTH = 22;
const ATTEMPTS = 40;
const MAX_TEXT = 20_000;

interface ParsedPattern {
  readonly node: PatternNode;
  readonly flags: string;
  readonly length: TextLength;
  readonly isCostly: boolean;
  /** Whether matching certainly takes exponential time. */
  readonly isExponential: boolean;
}

const parsed = new Map<string, ParsedPattern | undefined>();

function readPattern(pattern: string): ParsedPattern | undefined {
  if (!parsed.has(pattern)) {
    const compiled = compilePattern(pattern);
    const node = compiled === undefined ? undefined : parsePattern(pattern);
    const flags = compiled?.regexp.flags ?? '';
    parsed.set(
      pattern,
      node && {
        node,
        flags,
        length: lengthOf(node),
        isCostly: isAmbiguous(node, flags),
        isExponential: isAmbiguous(node, flags, true),
      },
    );
  }
  return parsed.get(pattern);
}

/**
 * Whether a text matches a pattern. An invalid pattern matches everything. A text that could take too long does not
 * match.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  const regexp = compilePattern(pattern)?.regexp;
  if (regexp === undefined) return true;
  if (text.length > COSTLY_LENGTH && isCostlyPattern(pattern)) return false;
  return regexp.test(text);
}

/** Whether matching may take exponential time, because a repetition contains a repetition or a choice. */
export function isCostlyPattern(pattern: string): boolean {
  return compilePattern(pattern) !== undefined && readPattern(pattern)?.isCostly !== false;
}

/** Whether a pattern, as far as it can be analysed, has a repetition whose rounds can be split in several ways. */
export function canBacktrackForever(pattern: string): boolean {
  return readPattern(pattern)?.isExponential === true;
}

/**
 * How many repetitions a backtracking matcher may have to combine, including the search for a start. Up to 1, the time
 * is linear in the length of the text. In doubt, many.
 */
export function countOpenRepeats(pattern: string): number {
  const node = readPattern(pattern)?.node;
  return node === undefined ? Infinity : countRepeats(node) + (isAnchored(node) ? 0 : 1);
}

interface PatternOptions {
  readonly random: Random;
  /** Whether a text matches the pattern, and is wanted. */
  readonly accepts: (text: string) => boolean;
  /** The only characters to use, if possible. */
  readonly alphabet?: ReadonlySet<string> | undefined;
}

/** Bounds of all matches of a pattern: their length, and their characters. */
export function describePattern(pattern: string): TextLength & { readonly alphabet: ReadonlySet<string> | undefined } {
  const parsedPattern = readPattern(pattern);
  const isWhole =
    parsedPattern?.node.kind === 'sequence' &&
    parsedPattern.node.parts[0]?.kind === 'start' &&
    parsedPattern.node.parts.at(-1)?.kind === 'end';
  if (parsedPattern === undefined || !isWhole) return { min: 0, max: Infinity, alphabet: undefined };
  const chars = reachOf(parsedPattern.node, parsedPattern.flags);
  return { ...parsedPattern.length, alphabet: chars && new Set(chars) };
}

/** Makes a text for a pattern that `accepts`; `undefined` if none was found. */
export function makePatternText(
  pattern: string,
  { min, max }: TextLength,
  { random, accepts, alphabet }: PatternOptions,
): string | undefined {
  const parsedPattern = readPattern(pattern);
  const shortest = parsedPattern?.length.min ?? Infinity;
  if (parsedPattern === undefined || shortest > Math.min(max, MAX_TEXT) || min > MAX_TEXT) return undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const source = random.fork(attempt);
    const room = Math.min(max, Math.max(min, shortest + source.int(0, attempt < 3 ? 8 : 4 + attempt)), MAX_TEXT);
    const writer = new PatternWriter(parsedPattern, {
      random: source,
      slack: room - shortest,
      isGreedy: attempt % 2 === 1 || min > shortest + 8,
      isWide: attempt > 3,
      alphabet,
    });
    const text = pad(writer.write(), pattern, min);
    if (text.length <= MAX_TEXT * 2 && accepts(text)) return text;
  }
  return undefined;
}

/** Pads a text after its match, which a pattern without an end anchor allows. */
function pad(text: string, pattern: string, min: number): string {
  const missing = min - [...text].length;
  return missing > 0 && !pattern.endsWith('$') ? text + 'a'.repeat(missing) : text;
}

interface WriterOptions {
  readonly random: Random;
  /** How many characters more than the minimum are allowed. */
  readonly slack: number;
  /** Whether repetitions use all available length. */
  readonly isGreedy: boolean;
  /** Whether to use characters of every kind, for patterns that require some of each. */
  readonly isWide: boolean;
  readonly alphabet: ReadonlySet<string> | undefined;
}

class PatternWriter {
  readonly #pattern: ParsedPattern;
  readonly #options: WriterOptions;
  readonly #groups = new Map<string, string>();
  #slack: number;
  #written = 0;

  constructor(pattern: ParsedPattern, options: WriterOptions) {
    this.#pattern = pattern;
    this.#options = options;
    this.#slack = options.slack;
  }

  write(node: PatternNode = this.#pattern.node): string {
    switch (node.kind) {
      case 'text':
        return node.text;
      case 'set':
        return this.#options.random.pick(this.#charsOf(node.source));
      case 'sequence':
        return node.parts.map((part) => this.write(part)).join('');
      case 'choice':
        return this.#writeChoice(node.options);
      case 'repeat':
        return this.#writeRepeat(node);
      case 'group':
        return this.#writeGroup(node.body, node.keys);
      case 'back':
        return this.#groups.get(node.key) ?? '';
      default:
        return '';
    }
  }

  #charsOf(source: string): readonly string[] {
    const { alphabet, isWide } = this.#options;
    const chars = charsOf(source, this.#pattern.flags, isWide || alphabet !== undefined);
    const common = alphabet === undefined ? chars : chars.filter((char) => alphabet.has(char));
    return common.length === 0 ? chars : common;
  }

  #writeChoice(options: readonly PatternNode[]): string {
    const shortest = Math.min(...options.map((option) => lengthOf(option).min));
    const fitting = options.filter((option) => lengthOf(option).min - shortest <= this.#slack);
    const option = this.#options.random.pick(fitting);
    this.#slack -= lengthOf(option).min - shortest;
    return this.write(option);
  }

  #writeGroup(body: PatternNode, keys: readonly string[]): string {
    const text = this.write(body);
    for (const key of keys) this.#groups.set(key, text);
    return text;
  }

  #writeRepeat({ body, min, max }: Extract<PatternNode, { kind: 'repeat' }>): string {
    const cost = Math.max(1, lengthOf(body).min);
    const most = Math.min(max - min, Math.floor(this.#slack / cost));
    const extra = this.#options.isGreedy ? most : this.#options.random.int(0, most);
    this.#slack -= extra * cost;
    let text = '';
    for (let count = 0; count < min + extra && this.#written <= MAX_TEXT; count += 1) {
      this.#written += 1;
      text += this.write(body);
    }
    return text;
  }
}
