/**
 * The security boundary between a document and generated text: every name and every text that comes from a document
 * passes through one of these functions before it is written into code, a comment, a command line or a path.
 */

import { showJson } from './exact-json.js';

const RESERVED_WORDS: ReadonlySet<string> = new Set(
  `abstract any arguments as asserts async await bigint boolean break case catch class const constructor continue
  debugger declare default delete do else enum eval export extends false finally for from function get global if
  implements import in infer instanceof interface is keyof let module namespace never new null number object of out
  override package private protected public readonly require return satisfies set static string super switch symbol
  this throw true try type typeof undefined unique unknown using var void while with yield`.split(/\s+/),
);

/** Names of the platform and of the output itself, which a generated type must not hide from the code beside it. */
const GLOBAL_TYPES: ReadonlySet<string> = new Set(
  `AbortSignal ApiError Array ArrayBuffer Blob Boolean Buffer Date Error Exclude File FormData Function HeaderValues Headers HttpStatus Map
  NetworkError Number Object Omit Partial Pick Promise Readonly ReadonlyArray ReadableStream Record RegExp Request Required Response Set StatusRange String Symbol
  TimeoutError URL URLSearchParams Uint8Array ValidationError ValidationFailure WebSocket`.split(/\s+/),
);

/** Splits `fooBar-baz qux_42` into `foo`, `Bar`, `baz`, `qux`, `42`; letters of any script stay letters. */
export function splitWords(text: string): string[] {
  const [camel, acronym, gap] = /^[\u0020-\u007e]*$/.test(text) ? ASCII_BOUNDS : UNICODE_BOUNDS;
  return text
    .normalize('NFC')
    .replaceAll(camel, '$1 $2')
    .replaceAll(acronym, '$1 $2')
    .split(gap)
    .filter((word) => word !== '');
}

type Bounds = readonly [camel: RegExp, acronym: RegExp, gap: RegExp];
const UNICODE_BOUNDS: Bounds = [/([\p{Ll}\p{N}])(\p{Lu})/gu, /(\p{Lu})(\p{Lu}\p{Ll})/gu, /[^\p{ID_Continue}$]+|_+/u];
/** The same for ASCII, of which nearly every name consists: Unicode classes take ten times as long. */
const ASCII_BOUNDS: Bounds = [/([a-z0-9])([A-Z])/g, /([A-Z])([A-Z][a-z])/g, /[^A-Za-z0-9$]+/];

/** A text with an upper-case first letter. */
export function upperFirst(word: string): string {
  const [first = '', ...rest] = word;
  return first.toUpperCase() + rest.join('');
}

/** A PascalCase identifier that is neither reserved nor a global type. `case file` -> `CaseFile`, `Error` -> `ErrorModel`. */
export function toTypeName(text: string): string {
  const name = splitWords(text).map(upperFirst).join('');
  const safe = /^[\p{ID_Start}$_]/u.test(name) ? name : `Schema${name}`;
  return GLOBAL_TYPES.has(safe) ? `${safe}Model` : safe;
}

/** A camelCase identifier that is not a reserved word. `Get case` -> `getCase`, `delete` -> `delete_`. */
export function toValueName(text: string): string {
  const [first = '', ...rest] = splitWords(text);
  const start = /^\p{Lu}+$/u.test(first) ? first.toLowerCase() : lowerFirst(first);
  const name = start + rest.map(upperFirst).join('');
  const safe = /^[\p{ID_Start}$_]/u.test(name) ? name : `operation${upperFirst(name)}`;
  return RESERVED_WORDS.has(safe) ? `${safe}_` : safe;
}

/** A text with a lower-case first letter. */
export function lowerFirst(word: string): string {
  const [first = '', ...rest] = word;
  return first.toLowerCase() + rest.join('');
}

/**
 * A kebab-case file name without an ending: only ASCII letters, digits and dashes, so it cannot lead out of a folder.
 */
export function toFileName(text: string): string {
  const name = splitWords(text)
    .map((word) => word.toLowerCase().replaceAll(/[^a-z0-9]/g, (char) => `u${char.codePointAt(0)?.toString(16)}`))
    .join('-');
  if (name === '') return 'unnamed';
  return WINDOWS_DEVICES.test(name) ? `${name}-file` : name.slice(0, 100);
}

/** Names of devices on Windows, whatever their extension. */
const WINDOWS_DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)$/;

/**
 * Allocates unique names: the second `Case` becomes `Case2`. With `fold`, names that differ only in letter case count
 * as equal.
 */
export class NameAllocator {
  readonly #taken = new Set<string>();
  readonly #fold: boolean;

  constructor(options: { readonly fold?: boolean; readonly taken?: Iterable<string> } = {}) {
    this.#fold = options.fold ?? false;
    for (const name of options.taken ?? []) this.#taken.add(this.#key(name));
  }

  /** Returns `name`, or `name2`, `name3`, … if it is taken. */
  take(name: string): string {
    let free = name;
    for (let count = 2; this.#taken.has(this.#key(free)); count += 1) free = `${name}${count}`;
    this.#taken.add(this.#key(free));
    return free;
  }

  #key(name: string): string {
    return this.#fold ? name.toLowerCase() : name;
  }
}

/** A JSON value (or text) as a JavaScript expression that is safe in any file: quotes, line separators and `</script` escaped. */
export function toLiteral(value: unknown): string {
  return toJsonLiteral(showJson(value, 'undefined'));
}

/** JSON on one line as a JavaScript expression; see {@link toLiteral}. */
export function toJsonLiteral(json: string): string {
  // After a backslash, the quote is part of a longer name.
  return escapeInCode(json).replaceAll(/(?<!\\)"__proto__":/g, '["__proto__"]:');
}

/** A text as a single-quoted string literal. */
export function toStringLiteral(text: string): string {
  if (/^[\w$ .,:;/+-]*$/.test(text)) return `'${text}'`;
  const inner = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`);
  return `'${escapeInCode(inner)}'`;
}

function escapeInCode(code: string): string {
  // Nearly every text is plain, and one test is five times as fast as five replacements.
  if (/^[\u0020-\u003b\u003d-\u007e]*$/.test(code)) return code;
  return code
    .replaceAll('</', String.raw`<\/`)
    .replaceAll('<!--', String.raw`\u003c!--`)
    .replaceAll(UNSHOWN, (char) => char.split('').map(unicodeEscape).join(''));
}

/** Characters that a terminal or page does not show: controls, and those that change the reading order. */
const UNSHOWN = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * A member name as written in an object type or literal: bare if possible, else quoted; computed for `__proto__` in
 * literals.
 */
export function toPropertyKey(name: string): string {
  if (name === '__proto__') return toStringLiteral(name);
  // Tests ASCII first: Unicode classes take ten times as long, and nearly every name is plain.
  const isBare = /^[A-Za-z$_][\w$]*$/.test(name) || /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name);
  return isBare ? name : toStringLiteral(name);
}

/** An access to a member: `.name` or `['na me']`. */
export function toMemberAccess(name: string): string {
  const key = toPropertyKey(name);
  return key === name ? `.${name}` : `[${key}]`;
}

/**
 * Text that is safe inside a block comment: it cannot end the comment, and no character in it changes the reading
 * order. Callers must not remove characters from the result: one between `*` and `/` keeps the comment open.
 */
export function toCommentText(text: string): string {
  if (/^[\u0020-\u007e\n]*$/.test(text) && !text.includes('*/')) return text;
  return text
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2066-\u2069\uFEFF]/g, '')
    .replaceAll('*/', String.raw`*\/`);
}

/** Text that is safe in a comment that ends with its line, in a program or in a shell. */
export function toLineComment(text: string): string {
  return text.replaceAll(UNSHOWN, ' ');
}

/** Text that is safe between backticks in a block comment, on one line. */
export function toCommentCode(text: string): string {
  return toCommentText(text.replaceAll(/[`\r\n\u2028\u2029]/g, ''));
}

/**
 * Escapes `@` at the start of a line or after a brace, where it would be a tag or (`@ts-ignore`) a compiler directive.
 */
export function escapeTags(text: string): string {
  if (!text.includes('@')) return text;
  return text.replaceAll('@', (at, index: number) => (beginsTag(text, index) ? String.raw`\@` : at));
}

function beginsTag(text: string, index: number): boolean {
  if (text[index - 1] === '{') return true;
  let before = index - 1;
  while (before >= 0 && /[^\S\r\n\u2028\u2029]|\*/.test(text.charAt(before))) before -= 1;
  return before < 0 || /[\r\n\u2028\u2029]/.test(text.charAt(before));
}

/** Text that is safe in a Markdown page: no HTML, no links, no code fences, on one line. */
export function toMarkdownText(text: string): string {
  return toCommentText(text)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_{}[\]<>()#|!~]/g, (char) => `\\${char}`);
}

/**
 * Quotes a text as one literal word of a shell (bash, zsh, ksh). Characters that cannot be shown are written as bytes,
 * so the locale does not matter.
 */
export function toShellWord(text: string): string {
  const quoted = text.replaceAll("'", String.raw`'\''`);
  if (quoted.search(UNSHOWN) === -1) return `'${quoted}'`;
  const escaped = text.replaceAll(/[\\']/g, String.raw`\$&`).replaceAll(UNSHOWN, octalBytes);
  return `$'${escaped}'`;
}

/** {@link toShellWord} for a text that is not a plain word. */
export function toShellArgument(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : toShellWord(text);
}

function octalBytes(char: string): string {
  const bytes = [...new TextEncoder().encode(char)];
  return bytes.map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
