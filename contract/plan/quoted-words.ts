import type { Schema } from '../../model/schema-types.js';

const QUOTED = /"([^"\n]{1,40})"|'([^'\n]{1,40})'|`([^`\n]{1,40})`|“([^”\n]{1,40})”/g;
const LISTED = /\bone of:? ([\w.-]{1,40}(?:(?:, (?:or )?| or |\|)[\w.-]{1,40}){0,20})/gi;
/** The most words that are taken from one text. */
const MAX_WORDS = 12;

/** The words that a text quotes or lists as choices: `"Native" or "Slave"`, `one of a, b or c`. */
export function quotedWords(text: string): string[] {
  const quoted = [...text.matchAll(QUOTED)].flatMap((match) => match.slice(1).find((one) => one !== undefined) ?? []);
  const listed = [...text.matchAll(LISTED)].flatMap(([, words = '']) => words.split(/, (?:or )?| or |\|/));
  // A sign at the end of a quoted word may belong to the sentence.
  const words = [...listed, ...quoted].flatMap((word) => [word.trim(), word.replace(/[.,:;]$/, '').trim()]);
  return [...new Set(words)].filter((word) => word !== '' && !/\s/.test(word)).slice(0, MAX_WORDS);
}

/** The words that the descriptions of schemas quote: often the choices of a text that has no `enum`. */
export function describedWords(schemas: readonly Schema[]): string[] {
  return schemas.flatMap((one) => (typeof one === 'object' ? quotedWords(one.description ?? '') : []));
}
