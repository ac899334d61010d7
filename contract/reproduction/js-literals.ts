import { splitPointer } from '../../model/document/pointer.js';

/** A string literal on one line, with invisible characters escaped. */
export function literal(text: string): string {
  return toCode(JSON.stringify(text));
}

/** Escapes JSON so that it is valid in JavaScript code. */
export function toCode(json: string): string {
  return json.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (letter) =>
    letter
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** The code that reads a JSON pointer: `.items[0].id`. */
export function memberPath(pointer: string, step: '' | '?' = ''): string {
  const keys = splitPointer(pointer);
  return keys
    .map((key) => {
      if (/^[A-Za-z_$][\w$]*$/.test(key)) return `${step}.${key}`;
      return `${step === '' ? '' : '?.'}[${/^(?:0|[1-9]\d*)$/.test(key) ? key : literal(key)}]`;
    })
    .join('');
}

/** Returns text from a server as a single-line comment. */
export function comment(text: string): string {
  return text.slice(0, 120).replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ');
}
