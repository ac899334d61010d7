import { LineCounter, parseDocument as parseYaml } from 'yaml';

/** Why a text could not be parsed, and where (1-based). */
export interface SyntaxProblem {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

export type ParseResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: SyntaxProblem };

/** How often one anchor may be repeated, those inside others multiplied. */
const MAX_ALIASES = 10_000;

/**
 * Parses JSON or YAML 1.2 (with the merge key `<<` of 1.1, which documents in the world use). JSON is tried first where
 * the text looks like it, since JSON.parse is far quicker. Aliases are limited, so that a small document cannot expand
 * without end.
 */
export function parseText(text: string): ParseResult {
  const clean = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (/^\s*[[{]/.test(clean)) {
    try {
      return { ok: true, value: JSON.parse(clean) };
    } catch {
      // YAML's flow style looks like JSON: let the YAML parser have the last word, and say where it fails.
    }
  }
  return parseYamlText(clean);
}

function parseYamlText(text: string): ParseResult {
  const lines = new LineCounter();
  try {
    const document = parseYaml(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true, merge: true });
    const [error] = document.errors;
    if (error === undefined) return { ok: true, value: document.toJS({ maxAliasCount: MAX_ALIASES }) };
    const { line, col } = lines.linePos(error.pos[0]);
    return { ok: false, problem: { message: error.message, line, column: col } };
  } catch (error) {
    // The parser recurses: a document that is nested some thousand levels deep overflows the stack.
    const message = error instanceof RangeError ? 'it is nested too deeply' : messageOf(error);
    return { ok: false, problem: { message, line: 1, column: 1 } };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
