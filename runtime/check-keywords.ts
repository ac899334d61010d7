import { isEqual } from './equal.js';

/** Whether a text has fewer characters than a limit. JSON Schema counts code points; a lone surrogate counts as one. */
export function isShorter(text: string, limit: number): boolean {
  return text.length < limit || (text.length < 2 * limit && countCharacters(text) < limit);
}

/** Whether a text has more characters than a limit. It has no more code points than units, so those are counted first. */
export function isLonger(text: string, limit: number): boolean {
  return text.length > limit && countCharacters(text) > limit;
}

function countCharacters(text: string): number {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}

/** Whether a value is in a list that has objects or arrays in it. */
export function isListed(list: readonly unknown[], value: unknown): boolean {
  return list.some((item) => isEqual(item, value));
}
