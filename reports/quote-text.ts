import { unicodeEscape } from './strip-controls.js';

/** Quotes text as a JSON string. Escapes characters that could move a cursor, hide text or change its direction. */
export function quoteAll(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u00ad\u061c\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u206f\uFEFF]/g,
    unicodeEscape,
  );
}
