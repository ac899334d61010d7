/** A part of a regular expression, as far as generating a text requires. */
export type PatternNode =
  | { readonly kind: 'text'; readonly text: string }
  /** One character, described by the source of its class, such as `[a-z]`, `\d` or `.`. */
  | { readonly kind: 'set'; readonly source: string }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly body: PatternNode; readonly min: number; readonly max: number }
  | { readonly kind: 'group'; readonly body: PatternNode; readonly keys: readonly string[] }
  | { readonly kind: 'back'; readonly key: string }
  /** Consume no character: anchors, word boundaries, lookarounds. */
  | { readonly kind: 'start' | 'end' }
  | { readonly kind: 'empty'; readonly look?: PatternNode };

const MAX_DEPTH = 100;

/** Parses a valid regular expression. Returns `undefined` if it contains an unsupported construct. */
export function parsePattern(source: string): PatternNode | undefined {
  try {
    const parser = new PatternParser(source);
    const node = parser.choice(0);
    return parser.isAtEnd ? node : undefined;
  } catch (error) {
    if (error instanceof UnknownSyntax) return undefined;
    throw error;
  }
}

class UnknownSyntax extends Error {}

const CONTROL: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', v: '\v', f: '\f', 0: '\0' };

class PatternParser {
  readonly #source: string;
  #at = 0;
  #groups = 0;

  constructor(source: string) {
    this.#source = source;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#source.length;
  }

  choice(depth: number): PatternNode {
    if (depth > MAX_DEPTH) throw new UnknownSyntax();
    const options = [this.#sequence(depth)];
    while (this.#take('|')) options.push(this.#sequence(depth));
    return options.length === 1 && options[0] !== undefined ? options[0] : { kind: 'choice', options };
  }

  #sequence(depth: number): PatternNode {
    const parts: PatternNode[] = [];
    while (!this.isAtEnd && !this.#isNext('|') && !this.#isNext(')')) parts.push(this.#quantified(depth));
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'sequence', parts };
  }

  #quantified(depth: number): PatternNode {
    let node = this.#atom(depth);
    for (let bounds = this.#quantifier(); bounds !== undefined; bounds = this.#quantifier()) {
      this.#take('?');
      node = { kind: 'repeat', body: node, ...bounds };
    }
    return node;
  }

  #quantifier(): { min: number; max: number } | undefined {
    if (this.#take('*')) return { min: 0, max: Infinity };
    if (this.#take('+')) return { min: 1, max: Infinity };
    if (this.#take('?')) return { min: 0, max: 1 };
    const match = this.#match(/\{(\d+)(,(\d*))?\}/y);
    if (match === undefined) return undefined;
    const min = Number(match[1]);
    if (match[2] === undefined) return { min, max: min };
    return { min, max: match[3] === '' ? Infinity : Number(match[3]) };
  }

  #atom(depth: number): PatternNode {
    if (this.#take('^')) return { kind: 'start' };
    if (this.#take('$')) return { kind: 'end' };
    if (this.#take('.')) return { kind: 'set', source: '.' };
    if (this.#isNext('(')) return this.#group(depth);
    if (this.#isNext('[')) return this.#class();
    if (this.#isNext('\\')) return this.#escape();
    const char = String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0);
    this.#at += char.length;
    return { kind: 'text', text: char };
  }

  #group(depth: number): PatternNode {
    const opening = this.#match(/\(\?(?:[:=!]|<[=!]|<([^>=!][^>]*)>)|\(/y);
    if (opening === undefined || (opening[0] === '(' && this.#isNext('?'))) throw new UnknownSyntax();
    const isCapture = opening[0] === '(' || opening[1] !== undefined;
    if (isCapture) this.#groups += 1;
    const keys = isCapture ? [String(this.#groups), ...(opening[1] === undefined ? [] : [opening[1]])] : [];
    const body = this.choice(depth + 1);
    if (!this.#take(')')) throw new UnknownSyntax();
    if (opening[0] === '(?:') return body;
    return isCapture ? { kind: 'group', body, keys } : { kind: 'empty', look: body };
  }

  #class(): PatternNode {
    const match = this.#match(/\[(?:\\[\s\S]|[^\]\\])*\]/y);
    if (match === undefined) throw new UnknownSyntax();
    return { kind: 'set', source: match[0] };
  }

  #escape(): PatternNode {
    if (this.#match(/\\[bB]/y) !== undefined) return { kind: 'empty' };
    const back = this.#match(/\\(?:([1-9]\d*)|k<([^>]+)>)/y);
    if (back !== undefined) return { kind: 'back', key: back[1] ?? back[2] ?? '' };
    const set = this.#match(/\\(?:[dDsSwW]|[pP]\{[^}]*\})/y);
    if (set !== undefined) return { kind: 'set', source: set[0] };
    const code = this.#match(/\\(?:u\{([0-9a-f]+)\}|u([0-9a-f]{4})|x([0-9a-f]{2}))/iy);
    if (code !== undefined) return { kind: 'text', text: fromCode(code[1] ?? code[2] ?? code[3] ?? '') };
    const control = this.#match(/\\c([a-z])/iy);
    if (control !== undefined)
      return { kind: 'text', text: String.fromCodePoint((control[1] ?? '').toUpperCase().charCodeAt(0) - 64) };
    const char = this.#match(/\\([\s\S])/y)?.[1];
    if (char === undefined) throw new UnknownSyntax();
    return { kind: 'text', text: CONTROL[char] ?? char };
  }

  #match(sticky: RegExp): RegExpExecArray | undefined {
    sticky.lastIndex = this.#at;
    const match = sticky.exec(this.#source);
    if (match === null) return undefined;
    this.#at += match[0].length;
    return match;
  }

  #isNext(char: string): boolean {
    return this.#source[this.#at] === char;
  }

  #take(char: string): boolean {
    if (!this.#isNext(char)) return false;
    this.#at += 1;
    return true;
  }
}

function fromCode(hex: string): string {
  const code = Number.parseInt(hex, 16);
  if (code > 0x10_ffff) throw new UnknownSyntax();
  return String.fromCodePoint(code);
}
