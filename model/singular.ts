/** Exceptions to the rules of {@link toSingular}. */
const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['people', 'person'],
  ['children', 'child'],
  ['aliases', 'alias'],
  ['caches', 'cache'],
  ['movies', 'movie'],
  ['cookies', 'cookie'],
  ...['news', 'series', 'species', 'alias', 'bias', 'canvas', 'gas', 'lens'].map((word) => [word, word] as const),
]);

/**
 * The singular of an English noun, as far as path segments need it: `policies` -> `policy`, `boxes` -> `box`, `status`
 * stays.
 */
export function toSingular(word: string): string {
  const known = IRREGULAR.get(word.toLowerCase());
  if (known !== undefined) return known;
  if (/[^aeiou]ies$/i.test(word)) return `${word.slice(0, -3)}y`;
  if (/(ss|us|is)$/i.test(word)) return word;
  if (/(x|ch|sh|ss|[^aeo\W]us)es$/i.test(word)) return word.slice(0, -2);
  return word.replace(/s$/i, '');
}
