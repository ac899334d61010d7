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

/** Skips one value: brackets are counted, strings are jumped over. */
function skipValue(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const char = text.charCodeAt(at);
    if (char === 0x22) at = skipString(text, at);
    else {
      if (char === 0x7b || char === 0x5b) depth += 1;
      else if (char === 0x7d || char === 0x5d) {
        if (depth === 0) return at;
        depth -= 1;
      } else if (char === 0x2c && depth === 0) return at;
      at += 1;
    }
    if (depth === 0 && at > start && isClosed(text, start, at)) return at;
  }
  return at;
}

/** Whether the value that began at `start` is a string, object or array that has just ended before `at`. */
function isClosed(text: string, start: number, at: number): boolean {
  const first = text.charCodeAt(start);
  const last = text.charCodeAt(at - 1);
  return (first === 0x22 && last === 0x22) || (first === 0x7b && last === 0x7d) || (first === 0x5b && last === 0x5d);
}
