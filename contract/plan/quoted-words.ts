import type { Schema } from '../../model/schema-types.js';

/** The closing sign of a quotation, by its opening sign. */
const CLOSING: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['“', '”'],
]);
/** The most characters of a quotation. */
const MAX_LENGTH = 40;
const LISTED = /\bone of:? ([\w.-]{1,40}(?:(?:, (?:or )?| or |\|)[\w.-]{1,40}){0,20})/gi;
/** The most words that are taken from one text. */
const MAX_WORDS = 12;

/** The words that a text quotes or lists as choices: `"Native" or "Slave"`, `one of a, b or c`. */
export function quotedWords(text: string): string[] {
  const listed = [...text.matchAll(LISTED)].flatMap(([, words = '']) => words.split(/, (?:or )?| or |\|/));
  // A sign at the end of a quoted word may belong to the sentence.
  const words = [...listed, ...quotations(text)].flatMap((word) => [word.trim(), word.replace(/[.,:;]$/, '').trim()]);
  return [...new Set(words)].filter((word) => word !== '' && !/\s/.test(word)).slice(0, MAX_WORDS);
}

/** The texts between quotation marks, on one line each. */
function quotations(text: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const closing = CLOSING.get(text.charAt(at));
    if (closing === undefined) continue;
    const next = text.slice(at + 1, at + 2 + MAX_LENGTH);
    const length = next.indexOf(closing);
    if (length < 1 || next.slice(0, length).includes('\n')) continue;
    found.push(next.slice(0, length));
    at += length + 1;
  }
  return found;
}

/** The words that the descriptions of schemas quote: often the choices of a text that has no `enum`. */
export function describedWords(schemas: readonly Schema[]): string[] {
  return schemas.flatMap((one) => (typeof one === 'object' ? quotedWords(one.description ?? '') : []));
}
