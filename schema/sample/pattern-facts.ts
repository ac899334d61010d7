import { charsOf } from './pattern-chars.js';
import type { PatternNode } from './pattern-parse.js';

/** Repetitions of at most this many rounds are harmless. */
const FEW = 4;

/**
 * Whether a backtracking matcher may take exponential time: whether the rounds of a repetition can be split in more
 * than one way, as in `(a+)+` or `(a|aa)*`. In doubt, true; with `certain`, false if each round begins or ends with a
 * character that nothing else in it matches.
 */
export function isAmbiguous(node: PatternNode, flags: string, certain = false): boolean {
  switch (node.kind) {
    case 'sequence':
      return node.parts.some((part) => isAmbiguous(part, flags, certain));
    case 'choice':
      return node.options.some((option) => isAmbiguous(option, flags, certain));
    case 'group':
      return isAmbiguous(node.body, flags, certain);
    case 'empty':
      return node.look !== undefined && isAmbiguous(node.look, flags, certain);
    case 'repeat':
      return (node.max > FEW && hasManyReadings(node.body, flags, certain)) || isAmbiguous(node.body, flags, certain);
    default:
      return false;
  }
}

/** Repetitions with at most this bound cost only a constant factor. */
const MANY = 50;

/** The number of repetitions without a small bound; a part that is tried twice counts twice. */
export function countRepeats(node: PatternNode): number {
  switch (node.kind) {
    case 'sequence':
      return sum(node.parts.map(countRepeats));
    case 'choice':
      return sum(node.options.map(countRepeats));
    case 'group':
      return countRepeats(node.body);
    case 'repeat':
      return (node.max > MANY ? 1 : 0) + countRepeats(node.body) * (node.max > 1 ? 2 : 1);
    case 'back':
      return 2;
    case 'empty':
      return node.look === undefined ? 0 : 1 + countRepeats(node.look);
    default:
      return 0;
  }
}

/** Whether a match can begin only at the start of the text. */
export function isAnchored(node: PatternNode): boolean {
  switch (node.kind) {
    case 'start':
      return true;
    case 'sequence':
      return node.parts[0] !== undefined && isAnchored(node.parts[0]);
    case 'choice':
      return node.options.every(isAnchored);
    case 'group':
      return isAnchored(node.body);
    default:
      return false;
  }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** Whether the rounds of a repetition may end in different places. */
function hasManyReadings(body: PatternNode, flags: string, certain: boolean): boolean {
  const parts = partsOf(body);
  const loose = parts.filter(isLoose);
  if (loose.length === 0) return false;
  const [only] = loose;
  if (loose.length === 1 && only?.kind === 'choice' && (!certain || parts.length === 1))
    return !isPlainChoice(only.options, flags);
  // A character that no part of variable length can match marks where a round begins or ends.
  const reach = new Set(loose.flatMap((part) => reachOf(part, flags) ?? ['']));
  const isMark = (part: PatternNode): boolean =>
    !isLoose(part) && (reachOf(part, flags)?.every((char) => !reach.has(char)) ?? false);
  const hasMark = !reach.has('') && parts.some(isMark);
  if (certain) return !hasMark;
  return (
    !hasMark || loose.length > 1 || loose.some((part) => part.kind !== 'repeat' || partsOf(part.body).some(isLoose))
  );
}

function partsOf(node: PatternNode): readonly PatternNode[] {
  if (node.kind === 'group') return partsOf(node.body);
  return node.kind === 'sequence' ? node.parts.flatMap(partsOf) : [node];
}

/** Whether a part matches texts of different lengths. */
function isLoose(node: PatternNode): boolean {
  switch (node.kind) {
    case 'sequence':
      return node.parts.some(isLoose);
    case 'group':
      return isLoose(node.body);
    case 'repeat':
      return node.min !== node.max || isLoose(node.body);
    case 'choice':
    case 'back':
      return true;
    default:
      return false;
  }
}

/** Whether the options are fixed texts that all begin differently, so that there is only one reading. */
function isPlainChoice(options: readonly PatternNode[], flags: string): boolean {
  const starts = options
    .map((option) => partsOf(option))
    .map((parts) => (parts.some(isLoose) || parts[0] === undefined ? undefined : reachOf(parts[0], flags)));
  const chars = starts.flatMap((start) => start ?? ['']);
  return starts.every((start) => start !== undefined) && new Set(chars).size === chars.length;
}

/** The characters that a part can match; `undefined` if unknown. */
export function reachOf(node: PatternNode, flags: string): readonly string[] | undefined {
  switch (node.kind) {
    case 'text':
      return [node.text];
    case 'set':
      return charsOf(node.source, flags, true);
    case 'group':
    case 'repeat':
      return reachOf(node.body, flags);
    case 'sequence':
    case 'choice': {
      const reaches = (node.kind === 'sequence' ? node.parts : node.options).map((part) => reachOf(part, flags));
      return reaches.includes(undefined) ? undefined : reaches.flatMap((reach) => reach ?? []);
    }
    case 'back':
      return undefined;
    default:
      return [];
  }
}

/** How long a text may be, in characters. */
export interface TextLength {
  readonly min: number;
  readonly max: number;
}

/** The lengths of the texts that a part matches. */
export function lengthOf(node: PatternNode): TextLength {
  switch (node.kind) {
    case 'text':
    case 'set':
      return { min: 1, max: 1 };
    case 'sequence': {
      const lengths = node.parts.map(lengthOf);
      return { min: sum(lengths.map(({ min }) => min)), max: sum(lengths.map(({ max }) => max)) };
    }
    case 'choice': {
      const lengths = node.options.map(lengthOf);
      return { min: Math.min(...lengths.map(({ min }) => min)), max: Math.max(...lengths.map(({ max }) => max)) };
    }
    case 'repeat': {
      const { min, max } = lengthOf(node.body);
      return { min: node.min * min, max: node.max === 0 || max === 0 ? 0 : node.max * max };
    }
    case 'group':
      return lengthOf(node.body);
    case 'back':
      return { min: 0, max: Infinity };
    default:
      return { min: 0, max: 0 };
  }
}
