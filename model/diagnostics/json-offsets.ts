/** The position of a member or item in a JSON text: offsets of its key (of its value, for items) and of its value. */
export interface JsonOffset {
  readonly key: number;
  readonly value: number;
}

/**
 * The children of the object or array that starts at an offset, by name or index; none for other values. Reads without
 * recursion, creates no values, and stops at the requested child, because a full parse of 13 MB with positions would
 * take seconds. Finds the first of several children with the same name.
 */
export class JsonChildren {
  readonly #known = new Map<string, JsonOffset>();
  readonly #others: Iterator<readonly [name: string, child: JsonOffset]>;

  constructor(text: string, start: number) {
    this.#others = scanChildren(text, start);
  }

  /** @throws SyntaxError if the text before the child is not JSON, or, without such a child, if the value is not. */
  get(name: string): JsonOffset | undefined {
    let found = this.#known.get(name);
    while (found === undefined) {
      const next = this.#others.next();
      if (next.done === true) return undefined;
      const [other, child] = next.value;
      if (!this.#known.has(other)) this.#known.set(other, child);
      if (other === name) found = child;
    }
    return found;
  }
}

function* scanChildren(text: string, start: number): Generator<readonly [name: string, child: JsonOffset], void> {
  const open = skipSpace(text, start);
  const isObject = text[open] === '{';
  if (!isObject && text[open] !== '[') return;
  let at = skipSpace(text, open + 1);
  if (text[at] === (isObject ? '}' : ']')) return;
  for (let index = 0; ; index += 1) {
    const key = at;
    if (isObject) at = skipSpace(text, expectChar(text, skipSpace(text, skipString(text, at)), ':'));
    yield [isObject ? parseKey(text, key) : String(index), { key, value: at }];
    at = skipSpace(text, skipValue(text, at));
    if (text[at] !== ',') break;
    at = skipSpace(text, at + 1);
  }
  expectChar(text, at, isObject ? '}' : ']');
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

const QUOTE = 0x22;

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

/** Skips one value: counts brackets and skips strings. */
function skipValue(text: string, start: number): number {
  if (!'"[{'.includes(text.charAt(start))) return findEnd(text, start);
  let depth = 0;
  let at = start;
  do {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = skipString(text, at);
    else {
      if (code === 0x5b || code === 0x7b) depth += 1;
      else if (code === 0x5d || code === 0x7d) depth -= 1;
      at += 1;
    }
  } while (depth > 0 && at < text.length);
  return at;
}

function findEnd(text: string, start: number): number {
  END.lastIndex = start;
  return END.exec(text)?.index ?? text.length;
}
