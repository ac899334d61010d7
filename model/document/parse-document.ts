import type { Document, LineCounter, Parser } from 'yaml';

import { parseExactJson, toExactNumber } from '../../runtime/json-integers.js';
import type { TextPosition } from '../diagnostics/locate.js';
import { withoutByteOrderMark } from './json-text.js';
import { parsePlainYaml } from './parse-plain-yaml.js';
import { appendPointer } from './pointer.js';
import { loadYaml } from './yaml-library.js';

/** Why a text could not be parsed, and where. */
export interface SyntaxProblem extends TextPosition {
  readonly message: string;
  /** JSON pointer to a key that its object already has; absent if the text is malformed. */
  readonly pointer?: string;
}

/** How numbers are read. */
export interface ParseNumbers {
  /** Whether an integer that a double would change becomes a `bigint`. Specs have doubles only. */
  readonly isExact?: boolean;
}

export type ParseResult =
  | { readonly ok: true; readonly value: unknown; readonly isJson: boolean }
  | { readonly ok: false; readonly problem: SyntaxProblem };

/**
 * Maximum nesting depth: far more than any document needs, and far too little to overflow the stack of a recursive
 * walk.
 */
export const MAX_NESTING = 500;
/** How often one anchor may be repeated; repetitions of nested anchors multiply. */
const MAX_ALIASES = 10_000;

/**
 * Parses JSON or YAML 1.2 (with the merge key `<<` of 1.1, which many documents use). Tries JSON first if the text
 * looks like it, because JSON.parse is far faster. Limits aliases, so that a small document cannot expand endlessly.
 */
export function parseText(text: string, { isExact = false }: ParseNumbers = {}): ParseResult {
  const clean = withoutByteOrderMark(text);
  if (/^\s*[[{]/.test(clean)) {
    try {
      return { ok: true, value: isExact ? parseExactJson(clean) : JSON.parse(clean), isJson: true };
    } catch {
      // The flow style of YAML looks like JSON, so the YAML parser decides and reports the error.
    }
  }
  const plain = parsePlainYaml(clean, isExact, MAX_NESTING);
  return plain === undefined ? parseYaml(clean, isExact) : { ok: true, value: plain.value, isJson: false };
}

/** Parses YAML with positions, for all that the fast parser leaves. */
function parseYaml(text: string, isExact: boolean): ParseResult {
  const lines = new (loadYaml().LineCounter)();
  const at = (message: string, offset: number, pointer?: string): ParseResult => {
    const { line, col } = lines.linePos(offset);
    const problem = { message, line: Math.max(line, 1), column: Math.max(col, 1) };
    return { ok: false, problem: pointer === undefined ? problem : { ...problem, pointer } };
  };
  try {
    const [document, more] = composeDocuments(text, lines, isExact);
    const [error] = document?.errors ?? [];
    if (error !== undefined) return at(error.message, error.pos[0]);
    const twice = document === undefined ? undefined : findRepeatedKey(document);
    if (twice !== undefined)
      return at(describeRepeatedKey(twice.key, lines.linePos(twice.first).line), twice.offset, twice.pointer);
    if (more !== undefined) return at('there are several documents in it.', more.range[0]);
    const numbers = isExact ? { reviver: shortenBigint } : {};
    return { ok: true, value: document?.toJS({ maxAliasCount: MAX_ALIASES, ...numbers }), isJson: false };
  } catch (error) {
    if (error instanceof NestingError) return at(error.message, error.offset);
    if (error instanceof RangeError) return at('an anchor is repeated inside itself.', 0);
    // The library reports too many aliases as an exception without a place.
    return at(error instanceof Error ? error.message : String(error), 0);
  }
}

/** Only integers that a double would change stay a `bigint`. */
function shortenBigint(_key: unknown, value: unknown): unknown {
  return typeof value === 'bigint' ? toExactNumber(String(value)) : value;
}

class NestingError extends Error {
  readonly offset: number;

  constructor(offset: number) {
    super(`it is nested deeper than ${MAX_NESTING} levels.`);
    this.offset = offset;
  }
}

/**
 * Returns the first two documents of a text. Does the same as the library's `parseDocument`, but limits nesting: the
 * composer recurses, and a stack overflow inside a regular expression would end the process.
 */
function composeDocuments(text: string, lines: LineCounter, intAsBigInt: boolean): Document.Parsed[] {
  const { Composer, Lexer, Parser: YamlParser } = loadYaml();
  const parser = new YamlParser(lines.addNewLine);
  lines.addNewLine(0);
  function* tokens(): ReturnType<Parser['parse']> {
    for (const lexeme of new Lexer().lex(text)) {
      yield* parser.next(lexeme);
      if (parser.stack.length > MAX_NESTING) throw new NestingError(parser.offset);
    }
    yield* parser.end();
  }
  const composer = new Composer({
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
    merge: true,
    intAsBigInt,
  });
  const documents: Document.Parsed[] = [];
  for (const document of composer.compose(tokens(), true, text.length)) {
    documents.push(document);
    if (documents.length > 1) break;
  }
  return documents;
}

/** The message about a key that its object has on an earlier line (1-based) too. */
export function describeRepeatedKey(key: string, line: number): string {
  return `The key ${JSON.stringify(key)} is not unique: its object already has it on line ${line}.`;
}

interface RepeatedKey {
  readonly key: string;
  /** The offset of the first one. */
  readonly first: number;
  readonly offset: number;
  readonly pointer: string;
}

/**
 * A key that its map already has. The library's own check compares each key with all others, which takes minutes.
 */
function findRepeatedKey({ contents }: Document.Parsed): RepeatedKey | undefined {
  const { isMap, isScalar, isSeq } = loadYaml();
  const open: (readonly [node: unknown, pointer: string])[] = [[contents, '']];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, pointer] = next;
    if (isSeq(node)) for (const [index, item] of node.items.entries()) open.push([item, appendPointer(pointer, index)]);
    if (!isMap(node)) continue;
    const offsets = new Map<unknown, number>();
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? String(key.value) : '';
      const place = appendPointer(pointer, name);
      const offset = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
      const first = isScalar(key) ? offsets.get(key.value) : undefined;
      if (first !== undefined) return { key: name, first, offset, pointer: place };
      if (isScalar(key)) offsets.set(key.value, offset);
      open.push([value, place]);
    }
  }
  return undefined;
}
