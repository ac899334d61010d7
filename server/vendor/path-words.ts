import type { Operation } from '../../model/api.js';
import { basePaths } from '../../http/base-url.js';
import { escapePattern } from './escape-pattern.js';

/** Puts the words of one side in the place of those of the other, in the path of a target. */
export type TranslatePath = (path: string) => string;

/** How to get from the paths of one side to those of the other. */
export interface PathWords {
  readonly inbound: TranslatePath;
  readonly outbound: TranslatePath;
  /** Whether any path holds a word. */
  readonly isEmpty: boolean;
  /** Segments of the seed that hold a word, with the real ones. */
  readonly segments: ReadonlyMap<string, string>;
}

interface PathPair {
  /** Text and parameters in turn: `['/a/', '{id}', '/b']`. */
  readonly seed: readonly string[];
  readonly real: readonly string[];
}

/** The paths of operations that hold a word, as templates: what stands for a parameter is never touched. */
export function createPathWords(operations: readonly Operation[], rename: (text: string) => string): PathWords {
  const templates = new Set(operations.flatMap(({ path, servers }) => basePaths(servers).map((base) => base + path)));
  const pairs = [...templates].flatMap((template): PathPair[] => {
    const seed = template.split(/(\{[^{}]*\})/);
    const real = seed.map((part, index) => (index % 2 === 0 ? rename(part) : part));
    return real.some((part, index) => part !== seed[index]) ? [{ seed, real }] : [];
  });
  const segments = pairs.flatMap(({ seed, real }) =>
    seed.flatMap((part, index) => pairSegments(part, real[index] ?? part)),
  );
  return {
    inbound: createTranslate(pairs.map(({ seed, real }) => ({ from: real, to: seed }))),
    outbound: createTranslate(pairs.map(({ seed, real }) => ({ from: seed, to: real }))),
    isEmpty: pairs.length === 0,
    segments: new Map(segments),
  };
}

function pairSegments(seed: string, real: string): (readonly [string, string])[] {
  const others = real.split('/');
  return seed.split('/').flatMap((segment, index) => {
    const other = others[index] ?? segment;
    return other === segment ? [] : [[segment, other] as const];
  });
}

function createTranslate(
  pairs: readonly { readonly from: readonly string[]; readonly to: readonly string[] }[],
): TranslatePath {
  const compiled = pairs.map(({ from, to }) => {
    const source = from.map((part, index) => (index % 2 === 0 ? literalPattern(part) : '([^/]*)')).join('');
    return { pattern: new RegExp(`^${source}/?$`), to };
  });
  return (path) => {
    for (const { pattern, to } of compiled) {
      const match = pattern.exec(path);
      if (match === null) continue;
      const translated = to.map((part, index) => (index % 2 === 0 ? part : (match[(index + 1) / 2] ?? ''))).join('');
      return path.endsWith('/') && !translated.endsWith('/') ? `${translated}/` : translated;
    }
    return path;
  };
}

/** Clients that put a base address and a path together write two slashes; the router takes several for one. */
function literalPattern(text: string): string {
  return escapePattern(text).replaceAll('/', '/+');
}
