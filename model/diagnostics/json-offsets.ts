/** The position of a member or item in a JSON text: offsets of its key (of its value, for items) and of its value. */
export interface JsonOffset {
  readonly key: number;
  readonly value: number;
}

/**
 * The children of the object or array that starts at an offset, by name or index; nothing for other values. A scan
 * without recursion that makes no values: a 13 MB document takes some 50 ms, where a parse that keeps positions would
 * take seconds.
 *
 * @throws SyntaxError if the text is not JSON.
 */
export function scanJsonChildren(text: string, start: number): Map<string, JsonOffset> {
  const children = new Map<string, JsonOffset>();
  const open = skipSpace(text, start);
  const isObject = text[open] === '{';
  if (!isObject && text[open] !== '[') return children;
  let at = skipSpace(text, open + 1);
  if (text[at] === (isObject ? '}' : ']')) return children;
  for (let index = 0; ; index += 1) {
    const key = at;
    if (isObject) at = skipSpace(text, expectChar(text, skipSpace(text, skipString(text, at)), ':'));
    const name = isObject ? parseKey(text, key) : String(index);
    children.set(name, { key, value: at });
    at = skipSpace(text, skipValue(text, at));
    if (text[at] !== ',') break;
    at = skipSpace(text, at + 1);
  }
  expectChar(text, at, isObject ? '}' : ']');
  return children;
}

/** The offset of the first character that is not white space. */
export function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
    at += 1;
  }
  return at;
}

function parseKey(text: string, start: number): string {
  return String(JSON.parse(text.slice(start, skipString(text, start))));
}

function expectChar(text: string, at: number, char: string): number {
  if (text[at] !== char) throw new SyntaxError(`Expected ${char} at offset ${at}`);
  return at + 1;
}

function skipString(text: string, start: number): number {
  expectChar(text, start, '"');
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) throw new SyntaxError(`The string at offset ${start} has no end`);
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === 0x5c) slashes += 1;
    at = quote + 1;
    if (slashes % 2 === 0) return at;
  }
}

/** The characters that end a number, a boolean or `null`. */
const END = /[,\]}\s]|$/g;
const STRUCTURE = /["[\]{}]|$/g;

/** Skips one value: brackets are counted, strings are jumped over, and all between is left to a regular expression. */
function skipValue(text: string, start: number): number {
  if (!'"[{'.includes(text.charAt(start))) return findFrom(END, text, start);
  let depth = 0;
  let at = start;
  do {
    at = findFrom(STRUCTURE, text, at);
    const char = text.charAt(at);
    if (char === '') return at;
    if (char === '"') at = skipString(text, at);
    else {
      depth += char === '{' || char === '[' ? 1 : -1;
      at += 1;
    }
  } while (depth > 0);
  return at;
}

function findFrom(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.exec(text)?.index ?? text.length;
}
