import { parseExactJson } from '../../runtime/json-integers.js';
import { appendPointer } from '../../model/document/pointer.js';
import { DecodeError } from './decode-error.js';

/** Deeper values would break the recursion of those that work with them. No API that we know comes near. */
const MAX_DEPTH = 512;
/** More objects and lists than this take longer to make than a request of a megabyte may take, unless the text is long for them, too. */
const MAX_PARTS = 100_000;
const CHARACTERS_A_PART = 16;

/**
 * Parses JSON from outside. A member named `__proto__` is an own member like any other, as the standard has it. Nesting
 * has an end, whole numbers beyond the precision of doubles are `bigint`, and a text must be encodable: a lone surrogate
 * is not (RFC 7493, section 2.1).
 *
 * @throws DecodeError
 */
export function parseJson(text: string): unknown {
  // What is shorter cannot be deeper.
  if (text.length > MAX_DEPTH) refuseShape(text);
  const value = parse(text);
  if (/\\ud[89a-f]/i.test(text)) refuseHalves(value, '');
  return value;
}

function parse(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    throw new DecodeError('must be JSON');
  }
}

function refuseHalves(value: unknown, pointer: string): void {
  if (typeof value === 'string' && /\p{Cs}/u.test(value))
    throw new DecodeError('must NOT have half a pair of surrogates', pointer);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const place = appendPointer(pointer, name);
    refuseHalves(name, place);
    refuseHalves(member, place);
  }
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [34, 92, 91, 93, 123, 125] as const;

function refuseShape(text: string): void {
  const mostParts = Math.max(MAX_PARTS, text.length / CHARACTERS_A_PART);
  let depth = 0;
  let parts = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      depth += 1;
      parts += 1;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1;
    if (parts > mostParts) throw new DecodeError(`must NOT have more than ${Math.floor(mostParts)} objects and lists`);
    if (depth > MAX_DEPTH) throw new DecodeError(`must NOT be nested deeper than ${MAX_DEPTH} levels`);
  }
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, index: number): boolean {
  let before = index - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (index - before) % 2 === 0;
}
