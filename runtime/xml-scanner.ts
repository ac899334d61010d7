import { ParseBudget, ATTRIBUTE, ELEMENT, ENTITY, MEMBER, OBJECT } from './parse-budget.js';

/** A text is not XML, or not the documented kind of document. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
}

const MALFORMED = 'must be well-formed XML without a document type';
const NAME = /^[\p{L}_:][\p{L}\p{N}_:.-]*$/u;
const MAX_NAME = 1_000;

/** The empty map of most elements, which is never changed. */
export const NONE: Map<string, never> = new Map<string, never>();

/** Reads the pieces of a document from left to right, each character once. Counts them in a budget. */
export class XmlScanner {
  readonly text: string;
  readonly budget: ParseBudget;
  /** The index of the next character. */
  at: number;

  constructor(text: string) {
    this.text = text;
    this.budget = new ParseBudget(text.length, [ELEMENT, ATTRIBUTE, ENTITY, OBJECT, MEMBER]);
    this.at = text.startsWith('\ufeff') ? 1 : 0;
  }

  /** Whether the rest begins with a text. */
  sees(start: string): boolean {
    return this.text.startsWith(start, this.at);
  }

  /** Reads the text up to the next markup; `undefined` at the end. */
  readText(): string | undefined {
    if (this.at >= this.text.length) return undefined;
    const mark = this.text.indexOf('<', this.at);
    const end = mark === -1 ? this.text.length : mark;
    const text = this.#decode(this.text.slice(this.at, end));
    this.at = end;
    return text;
  }

  /** Continues after `end`, and returns the text before it. */
  skipTo(end: string, from: number): string {
    this.budget.spend(1);
    const start = this.at + from;
    const found = this.text.indexOf(end, start);
    if (found === -1) throw new XmlError(MALFORMED);
    this.at = found + end.length;
    return this.text.slice(start, found);
  }

  expect(character: string): void {
    if (this.text[this.at] !== character) throw new XmlError(MALFORMED);
    this.at += 1;
  }

  readAttributes(): ReadonlyMap<string, string> {
    let attributes: Map<string, string> | undefined;
    for (;;) {
      const isApart = this.skipBlanks();
      const next = this.text[this.at];
      if (next === '>' || next === '/') return attributes ?? NONE;
      if (!isApart) throw new XmlError(MALFORMED);
      this.budget.spend(ATTRIBUTE.cost);
      const name = this.readName();
      attributes ??= new Map();
      if (attributes.has(name)) throw new XmlError('must have each attribute once');
      attributes.set(name, this.#readValue());
    }
  }

  #readValue(): string {
    this.skipBlanks();
    this.expect('=');
    this.skipBlanks();
    const quote = this.text[this.at];
    if (quote !== '"' && quote !== "'") throw new XmlError(MALFORMED);
    const value = this.skipTo(quote, 1);
    if (value.includes('<')) throw new XmlError(MALFORMED);
    return this.#decode(value);
  }

  /** A regular expression would find all entities of the text before the first one is decoded. */
  #decode(text: string): string {
    let [decoded, from] = ['', 0];
    for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', from)) {
      this.budget.spend(ENTITY.cost);
      const end = text.indexOf(';', at);
      decoded += text.slice(from, at) + decodeEntity(text.slice(at + 1, end === -1 ? at + 1 : end));
      from = end + 1;
    }
    return decoded + text.slice(from);
  }

  readName(): string {
    const start = this.at;
    while (this.at - start <= MAX_NAME && !endsName(this.text.charCodeAt(this.at))) this.at += 1;
    const name = this.text.slice(start, this.at);
    if (name.length > MAX_NAME || !NAME.test(name)) throw new XmlError(MALFORMED);
    return name;
  }

  /** Whether there was space. */
  skipBlanks(): boolean {
    const start = this.at;
    while (isBlank(this.text.charCodeAt(this.at))) this.at += 1;
    return this.at > start;
  }
}

/** Space, tab, line feed or carriage return. */
function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13;
}

/** Whether a character cannot be part of a name: space, `/`, `>`, `<`, `=`, or the end of the text. */
function endsName(code: number): boolean {
  return isBlank(code) || code === 47 || code === 62 || code === 60 || code === 61 || Number.isNaN(code);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const CODE = /^#(?:[0-9]{1,7}|x[0-9a-f]{1,6})$/i;

/** @throws XmlError for an entity that XML does not define by itself */
function decodeEntity(name: string): string {
  const known = Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined;
  if (known !== undefined) return known;
  const code = CODE.test(name) ? Number(`0${name.slice(1)}`) : 0;
  if (code > 0 && code <= 0x10ffff) return String.fromCodePoint(code);
  throw new XmlError('must have no entities but the five of XML');
}
