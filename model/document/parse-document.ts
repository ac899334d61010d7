import type { Document, LineCounter, Parser } from 'yaml';

import { withoutByteOrderMark } from './json-text.js';
import { loadYaml } from './yaml-library.js';

/** Why a text could not be parsed, and where (1-based). */
interface SyntaxProblem {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

export type ParseResult =
  | { readonly ok: true; readonly value: unknown }
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
export function parseText(text: string): ParseResult {
  const clean = withoutByteOrderMark(text);
  if (/^\s*[[{]/.test(clean)) {
    try {
      return { ok: true, value: JSON.parse(clean) };
    } catch {
      // The flow style of YAML looks like JSON, so the YAML parser decides and reports the error.
    }
  }
  return parseYaml(clean);
}

function parseYaml(text: string): ParseResult {
  const lines = new (loadYaml().LineCounter)();
  const at = (message: string, offset: number): ParseResult => {
    const { line, col } = lines.linePos(offset);
    return { ok: false, problem: { message, line: Math.max(line, 1), column: Math.max(col, 1) } };
  };
  try {
    const [document, more] = composeDocuments(text, lines);
    const [error] = document?.errors ?? [];
    if (error !== undefined) return at(error.message, error.pos[0]);
    const twice = document === undefined ? undefined : findRepeatedKey(document);
    if (twice !== undefined) return at('Map keys must be unique', twice);
    if (more !== undefined) return at('there are several documents in it.', more.range[0]);
    return { ok: true, value: document?.toJS({ maxAliasCount: MAX_ALIASES }) };
  } catch (error) {
    if (error instanceof NestingError) return at(error.message, error.offset);
    if (error instanceof RangeError) return at('an anchor is repeated inside itself.', 0);
    // The library reports too many aliases as an exception without a place.
    return at(error instanceof Error ? error.message : String(error), 0);
  }
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
function composeDocuments(text: string, lines: LineCounter): Document.Parsed[] {
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
  const composer = new Composer({ lineCounter: lines, prettyErrors: false, uniqueKeys: false, merge: true });
  const documents: Document.Parsed[] = [];
  for (const document of composer.compose(tokens(), true, text.length)) {
    documents.push(document);
    if (documents.length > 1) break;
  }
  return documents;
}

/**
 * The offset of a key that its map already has. The library's own check compares each key with all others, which takes
 * minutes.
 */
function findRepeatedKey({ contents }: Document.Parsed): number | undefined {
  const { isMap, isScalar, isSeq } = loadYaml();
  const open: unknown[] = [contents];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (isSeq(node)) open.push(...node.items.filter((item) => item !== undefined));
    if (!isMap(node)) continue;
    const keys = new Set<unknown>();
    for (const { key, value } of node.items) {
      if (isScalar(key) && keys.has(key.value)) return key.range?.[0] ?? 0;
      if (isScalar(key)) keys.add(key.value);
      if (value !== null && value !== undefined) open.push(value);
    }
  }
  return undefined;
}
