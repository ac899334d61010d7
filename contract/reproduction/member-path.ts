import { splitPointer } from '../../model/document/pointer.js';
import { toLiteral } from '../../model/identifiers.js';

/** The code that reads a JSON pointer: `.items[0].id`. */
export function memberPath(pointer: string, step: '' | '?' = ''): string {
  const keys = splitPointer(pointer);
  return keys
    .map((key) => {
      if (/^[A-Za-z_$][\w$]*$/.test(key)) return `${step}.${key}`;
      return `${step === '' ? '' : '?.'}[${/^(?:0|[1-9]\d*)$/.test(key) ? key : toLiteral(key)}]`;
    })
    .join('');
}
