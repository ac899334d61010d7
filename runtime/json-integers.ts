/** `JSON.parse` may change the digits of integers that are at least this long. */
const MAY_BE_WIDE = /\d{16}/;
/** Longer integers stay doubles, because arithmetic with them would be slow. */
const MAX_DIGITS = 1_000;

/**
 * Parses JSON. An integer whose digits a `number` would change, such as 9007199254740993, becomes a `bigint`; every
 * other number is a `number`.
 *
 * @param onWide - called for each `bigint` before it is made, and may throw.
 * @throws SyntaxError
 */
export function parseExactJson(text: string, onWide?: () => void): unknown {
  const rounded: unknown = JSON.parse(text);
  if (!MAY_BE_WIDE.test(text)) return rounded;
  const marked = markWideIntegers(text, onWide);
  // Both texts have the same structure. A string in place of a number contains the digits of that number.
  return marked === undefined ? rounded : restore(rounded, JSON.parse(marked));
}

const QUOTE = 34;
const MINUS = 45;
const BACKSLASH = 92;
/** The characters of a number in valid JSON. */
const NUMBER = /[\d.eE+-]+/y;

/** Puts quotes around each integer that would lose digits; returns `undefined` if there is none. */
function markWideIntegers(text: string, onWide: (() => void) | undefined): string | undefined {
  let marked = '';
  let copied = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code >= 48 && code <= 57) {
      NUMBER.lastIndex = index;
      const digits = NUMBER.exec(text)?.[0] ?? '';
      const start = text.charCodeAt(index - 1) === MINUS ? index - 1 : index;
      const end = index + digits.length;
      if (isWide(digits)) {
        onWide?.();
        marked += `${text.slice(copied, start)}"${text.slice(start, end)}"`;
        copied = end;
      }
      index = end - 1;
    }
  }
  return copied === 0 ? undefined : marked + text.slice(copied);
}

/** Reads a decimal number. An integer whose digits a double would change becomes a `bigint`. */
export function toExactNumber(text: string): number | bigint {
  if (!/^[+-]?\d+$/.test(text)) return Number(text);
  const digits = text.replace(/^[+-]?0*/, '');
  if (!isWide(digits)) return Number(text);
  return text.startsWith('-') ? -BigInt(digits) : BigInt(digits);
}

function isWide(digits: string): boolean {
  return (
    digits.length >= 16 && digits.length <= MAX_DIGITS && /^\d+$/.test(digits) && String(Number(digits)) !== digits
  );
}

/** The index of the quote that ends a string; the length of the text if there is none. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, index: number): boolean {
  let before = index - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (index - before) % 2 === 0;
}

/** Replaces the marked integers in the value. Not recursive: JSON may be nested deeper than a call stack. */
function restore(rounded: unknown, marked: unknown): unknown {
  if (typeof rounded === 'number' && typeof marked === 'string') return BigInt(marked);
  const open: [unknown, unknown][] = [[rounded, marked]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    if (typeof pair[0] !== 'object' || pair[0] === null) continue;
    const [target, source] = pair as [Record<string, unknown>, Record<string, unknown>];
    for (const key of Object.keys(target)) {
      const [number, digits] = [target[key], source[key]];
      // `JSON.parse` defines own members, so assigning `__proto__` does not change the prototype.
      if (typeof number === 'number' && typeof digits === 'string') target[key] = BigInt(digits);
      else open.push([number, digits]);
    }
  }
  return rounded;
}

/**
 * Writes a value as JSON, and a `bigint` as its digits. A value that JSON lacks, such as `undefined`, becomes `null`.
 */
export function stringifyExactJson(value: unknown, space?: number): string {
  try {
    const text: string | undefined = JSON.stringify(value, undefined, space);
    return text ?? 'null';
  } catch {
    // The mark is random, so no text in the value contains it. Errors that are not due to a bigint, such as a cycle,
    // are thrown again.
    const mark = `${crypto.getRandomValues(new Uint32Array(4)).join('-')}:`;
    const replace = (_name: string, member: unknown): unknown =>
      typeof member === 'bigint' ? `${mark}${member}` : member;
    return JSON.stringify(value, replace, space).replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1');
  }
}

/** Sets a member of a record; defines it if an assignment would reach the prototype. */
export function setMember<T>(record: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__')
    Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
  else record[key] = value;
}
