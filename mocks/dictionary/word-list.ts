import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { InputError, systemReason } from 'specmill/mock';

import { PosTag } from '../../generated/dictionary/types.js';

/** The languages beside English, in the order of the columns of a word list. */
export const LANGUAGES = ['es', 'de', 'fr', 'sv'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A word of one language: its display form, and the determiner of a noun. */
export interface Word {
  readonly text: string;
  readonly prefix: string;
}

/** An English headword as one part of speech, with its translations, the most common first. */
export interface Entry {
  readonly english: string;
  readonly pos: PosTag;
  readonly translations: Readonly<Record<Language, readonly Word[]>>;
}

/**
 * The words that come with the package. The path starts at the package, because source and build are at different
 * depths.
 */
export function readBuiltInWords(): Entry[] {
  const manifest = createRequire(import.meta.url).resolve('specmill/package.json');
  return readWords(path.join(path.dirname(manifest), 'mocks/dictionary/words.txt'));
}

/**
 * Reads a word list: one line for each word: `headword|POS|es|de|fr|sv`, with commas between translations and `#` for
 * comments.
 *
 * @throws InputError with the line that does not have this form.
 */
export function readWords(file: string): Entry[] {
  return readText(file)
    .split(/\r?\n/)
    .flatMap((text, index) =>
      text.trim() === '' || text.startsWith('#') ? [] : [readEntry(text, { file, line: index + 1 })],
    );
}

function readText(file: string): string {
  try {
    // Some editors start a text with a byte order mark.
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw new InputError(`The word list cannot be read: ${systemReason(error)}.`, { file });
  }
}

function readEntry(text: string, place: { readonly file: string; readonly line: number }): Entry {
  const [english = '', pos = '', ...columns] = text.split('|').map((column) => column.trim());
  if (english === '' || columns.length !== LANGUAGES.length) {
    throw new InputError(
      'A line of a word list has six columns: headword|part of speech|Spanish|German|French|Swedish.',
      place,
    );
  }
  if (!isPosTag(pos))
    throw new InputError(`${JSON.stringify(pos)} is no part of speech: ${Object.keys(PosTag).join(', ')} are.`, place);
  const [es = '', de = '', fr = '', sv = ''] = columns;
  const words = (language: Language, column: string): Word[] =>
    readColumn(column, pos === 'NOUN' ? DETERMINERS[language] : undefined);
  return {
    english,
    pos,
    translations: { es: words('es', es), de: words('de', de), fr: words('fr', fr), sv: words('sv', sv) },
  };
}

function isPosTag(text: string): text is PosTag {
  return Object.hasOwn(PosTag, text);
}

const DETERMINERS: Readonly<Record<Language, RegExp>> = {
  es: /^(el|la|los|las)\s+/,
  de: /^(der|die|das)\s+/,
  fr: /^(?:(le|la|les)\s+|(l'))/,
  sv: /^(en|ett)\s+/,
};

function readColumn(column: string, determiner: RegExp | undefined): Word[] {
  return column
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => {
      const found = determiner?.exec(text);
      return { text: text.slice(found?.[0].length ?? 0), prefix: found?.[1] ?? found?.[2] ?? '' };
    });
}
