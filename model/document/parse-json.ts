import { withoutByteOrderMark } from './json-text.js';
import { MAX_NESTING, type ParseResult } from './parse-document.js';

/** Parses strict JSON (RFC 8259) with our own error messages, because those of `JSON.parse` differ between versions. */
export function parseJson(text: string): ParseResult {
  const clean = withoutByteOrderMark(text);
  try {
    return { ok: true, value: JSON.parse(clean) };
  } catch {
    const { offset, message } = new JsonScanner(clean).findProblem();
    const before = clean.slice(0, offset).split('\n');
    return { ok: false, problem: { message, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 } };
  }
}

interface Problem {
  readonly offset: number;
  readonly message: string;
}

const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const WORD = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
const SPACE = /[ \t\r\n]*/y;

/** Finds the first place at which a text stops being valid JSON. Counts brackets instead of recursing. */
class JsonScanner {
  readonly #text: string;
  readonly #open: ('}' | ']')[] = [];
  #offset = 0;
  #wanted: 'value' | 'name' | 'separator' = 'value';
  /** Whether the scanner is right after an opening bracket. */
  #isFirst = false;

  constructor(text: string) {
    this.#text = text;
  }

  findProblem(): Problem {
    for (;;) {
      this.#take(SPACE);
      const message = this.#wanted === 'separator' ? this.#readSeparator() : this.#readNext();
      if (message !== undefined) return { offset: this.#offset, message };
    }
  }

  /** Reads a comma or a closing bracket. Returns the error, if any. */
  #readSeparator(): string | undefined {
    const end = this.#open.at(-1);
    const char = this.#text[this.#offset];
    if (end === undefined) return `${this.#here()} follows the end of the value.`;
    if (char !== ',' && char !== end) return `a comma or ${end} is missing before ${this.#here()}.`;
    this.#offset += 1;
    if (char === end) this.#open.pop();
    else [this.#wanted, this.#isFirst] = [end === '}' ? 'name' : 'value', false];
    return undefined;
  }

  #readNext(): string | undefined {
    const end = this.#open.at(-1);
    if (end !== undefined && this.#text[this.#offset] === end) {
      if (!this.#isFirst) return `there is a comma too many before ${this.#here()}.`;
      this.#offset += 1;
      this.#open.pop();
      this.#wanted = 'separator';
      return undefined;
    }
    this.#isFirst = false;
    return this.#wanted === 'name' ? this.#readName() : this.#readValue();
  }

  #readName(): string | undefined {
    if (!this.#take(STRING)) return `the name of a member, in double quotes, must stand here, not ${this.#here()}.`;
    this.#take(SPACE);
    if (this.#text[this.#offset] !== ':') return `a colon must stand here, not ${this.#here()}.`;
    this.#offset += 1;
    this.#wanted = 'value';
    return undefined;
  }

  #readValue(): string | undefined {
    const char = this.#text[this.#offset];
    if (char !== '{' && char !== '[') {
      if (!this.#take(STRING) && !this.#take(WORD)) return `a value must stand here, not ${this.#here()}.`;
      this.#wanted = 'separator';
      return undefined;
    }
    if (this.#open.length >= MAX_NESTING) return `it is nested deeper than ${MAX_NESTING} levels.`;
    this.#offset += 1;
    this.#open.push(char === '{' ? '}' : ']');
    [this.#wanted, this.#isFirst] = [char === '{' ? 'name' : 'value', true];
    return undefined;
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#offset;
    const length = pattern.exec(this.#text)?.[0].length ?? 0;
    this.#offset += length;
    return length > 0;
  }

  /** Describes the text at the place, for a message. */
  #here(): string {
    const rest = this.#text.slice(this.#offset, this.#offset + 40);
    STRING.lastIndex = 0;
    if (rest === '') return 'the end of the file';
    if (/^\/[/*]|^#/.test(rest)) return 'a comment, which JSON does not have';
    if (rest.startsWith("'")) return 'a single quote';
    if (rest.startsWith('"'))
      return STRING.exec(rest)?.[0] ?? 'a string that does not end, or has a bare control character';
    return JSON.stringify(/^[\w.+-]+/.exec(rest)?.[0] ?? [...rest][0]);
  }
}
