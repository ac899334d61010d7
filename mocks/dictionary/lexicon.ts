import type { PosTag } from '../../generated/dictionary/types.js';
import { type Entry, LANGUAGES, type Language, type Word } from './word-list.js';

/** An English word and a word of another language with the same meaning and part of speech. */
interface Pair {
  readonly english: Word;
  readonly foreign: Word;
  readonly pos: PosTag;
  /** How often the pair was seen: the same number in both directions. */
  readonly count: number;
}

export interface Translation {
  readonly word: Word;
  readonly pos: PosTag;
  /** The share of this pair among all pairs of the term, from 0 to 1. */
  readonly confidence: number;
  readonly back: readonly { readonly word: Word; readonly count: number }[];
}

export interface Lookup {
  /** The term as the dictionary spells it. */
  readonly display: string;
  readonly translations: readonly Translation[];
}

interface Side {
  readonly word: (pair: Pair) => Word;
  readonly pairs: ReadonlyMap<string, readonly Pair[]>;
}

/** The normalised form of a word, by which it is looked up. */
export function normalizeTerm(text: string): string {
  return text.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

export class Lexicon {
  readonly #sides = new Map<Language, { readonly english: Side; readonly foreign: Side }>();

  constructor(entries: readonly Entry[]) {
    for (const language of LANGUAGES) {
      const pairs = mergePairs(entries.flatMap((entry, rank) => pairsOf(entry, language, rank)));
      const english = (pair: Pair): Word => pair.english;
      const foreign = (pair: Pair): Word => pair.foreign;
      this.#sides.set(language, {
        english: { word: english, pairs: groupBy(pairs, english) },
        foreign: { word: foreign, pairs: groupBy(pairs, foreign) },
      });
    }
  }

  /** The translations of a term in the other language of a pair; `undefined` if the dictionary lacks it. */
  look(term: string, language: Language, direction: 'from-english' | 'to-english'): Lookup | undefined {
    const sides = this.#sides.get(language);
    if (sides === undefined) return undefined;
    const [source, target] =
      direction === 'from-english' ? [sides.english, sides.foreign] : [sides.foreign, sides.english];
    const pairs = source.pairs.get(normalizeTerm(term));
    const [first] = pairs ?? [];
    if (pairs === undefined || first === undefined) return undefined;
    const total = pairs.reduce((sum, { count }) => sum + count, 0);
    const translations = pairs.map((pair) => ({
      word: target.word(pair),
      pos: pair.pos,
      confidence: Math.round((pair.count / total) * 10_000) / 10_000,
      back: (target.pairs.get(normalizeTerm(target.word(pair).text)) ?? [])
        .filter(({ pos }) => pos === pair.pos)
        .map((back) => ({ word: source.word(back), count: back.count })),
    }));
    return { display: source.word(first).text, translations };
  }
}

/** Words that are higher in the list, and earlier among the translations, are more common. */
function pairsOf(entry: Entry, language: Language, rank: number): Pair[] {
  return entry.translations[language].map((foreign, place) => ({
    english: { text: entry.english, prefix: '' },
    foreign,
    pos: entry.pos,
    count: Math.max(1, Math.round(24_000 / ((1 + rank / 20) * (place + 1) ** 1.5))),
  }));
}

/** Merges repeated pairs, for example from a user's list; the later line wins. */
function mergePairs(pairs: readonly Pair[]): Pair[] {
  const byKey = new Map(
    pairs.map((pair) => [`${pair.pos}|${normalizeTerm(pair.english.text)}|${normalizeTerm(pair.foreign.text)}`, pair]),
  );
  return [...byKey.values()];
}

function groupBy(pairs: readonly Pair[], word: (pair: Pair) => Word): Map<string, Pair[]> {
  const groups = new Map<string, Pair[]>();
  for (const pair of pairs) {
    const key = normalizeTerm(word(pair).text);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [pair]);
    else known.push(pair);
  }
  for (const group of groups.values()) group.sort((a, b) => b.count - a.count);
  return groups;
}
