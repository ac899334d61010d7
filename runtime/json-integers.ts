/** What `JSON.parse` would round: a whole number of so many digits may be one that no double holds. */
const MAY_BE_WIDE = /\d{16}/;
/** Longer numbers are doubles, as `JSON.parse` reads them: arithmetic with them would take long. */
const MAX_DIGITS = 1_000;

/**
 * Parses JSON. A whole number that no double holds, such as 9007199254740993, is a `bigint`; every other number is a
 * `number`.
 *
 * @throws SyntaxError
 */
export function parseExactJson(text: string): unknown {
  const rounded: unknown = JSON.parse(text);
  if (!MAY_BE_WIDE.test(text)) return rounded;
  const marked = markWideIntegers(text);
  // Both texts have the same structure: a text where the other has a number is the digits of that number.
  return marked === undefined ? rounded : restore(rounded, JSON.parse(marked));
}

const [QUOTE, MINUS, BACKSLASH] = [34, 45, 92] as const;
/** What a number of a valid text consists of. */
const NUMBER = /[\d.eE+-]+/y;

/** The same JSON with quotes around each whole number that no double holds; nothing where there is none. */
function markWideIntegers(text: string): string | undefined {
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
        marked += `${text.slice(copied, start)}"${text.slice(start, end)}"`;
        copied = end;
      }
      index = end - 1;
    }
  }
  return copied === 0 ? undefined : marked + text.slice(copied);
}

function isWide(digits: string): boolean {
  if (digits.length < 16 || digits.length > MAX_DIGITS || !/^\d+$/.test(digits)) return false;
  const value = Number(digits);
  return !Number.isFinite(value) || BigInt(value) !== BigInt(digits);
}

/** The index of the quote that ends a string. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, index: number): boolean {
  let before = index - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (index - before) % 2 === 0;
}

/** Puts the integers that have been marked into the value. Not recursive: JSON may be nested deeper than a call stack. */
function restore(rounded: unknown, marked: unknown): unknown {
  if (typeof rounded === 'number' && typeof marked === 'string') return BigInt(marked);
  const open: [unknown, unknown][] = [[rounded, marked]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    if (typeof pair[0] !== 'object' || pair[0] === null) continue;
    const [target, source] = pair as [Record<string, unknown>, Record<string, unknown>];
    for (const key of Object.keys(target)) {
      const [number, digits] = [target[key], source[key]];
      // The member is the value's own, so that one named `__proto__` is a member like any other.
      if (typeof number === 'number' && typeof digits === 'string') target[key] = BigInt(digits);
      else open.push([number, digits]);
    }
  }
  return rounded;
}

/** Writes a value as JSON, a `bigint` as a number. `undefined` where JSON has no such value. */
export function writeExactJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // What fails for another reason than a bigint, such as a cycle, fails here in the same way.
    JSON.stringify(value, (_name, member: unknown) => (typeof member === 'bigint' ? 0 : member));
    return write(value, '');
  }
}

function write(value: unknown, name: string): string | undefined {
  const shown = hasToJson(value) ? value.toJSON(name) : value;
  if (typeof shown === 'bigint') return String(shown);
  if (typeof shown !== 'object' || shown === null) return JSON.stringify(shown);
  if (Array.isArray(shown)) return `[${shown.map((item, index) => write(item, String(index)) ?? 'null').join(',')}]`;
  const members = Object.entries(shown).flatMap(([key, member]) => {
    const text = write(member, key);
    return text === undefined ? [] : [`${JSON.stringify(key)}:${text}`];
  });
  return `{${members.join(',')}}`;
}

function hasToJson(value: unknown): value is { toJSON(name: string): unknown } {
  return typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function';
}
