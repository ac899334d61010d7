import type { SuggestedCorrection } from '../resources/suggest-corrections.js';
import { stringifyExactJson } from '../runtime/json-integers.js';
import { toTerminalText } from './io.js';

/** How comments and entries are written in a language. */
interface Notation {
  readonly comment: '//' | '#';
  /** What ends an entry. */
  readonly end: ',' | '';
}

/** The lines of `resources` for suggested corrections, each after the reasons. JSON values are the same in YAML. */
export function correctionLines(
  corrections: readonly SuggestedCorrection[],
  { comment, end }: Notation,
): readonly string[] {
  return corrections.flatMap(({ path, correction, reasons }) => [
    ...reasons.map((reason) => `${comment} ${toTerminalText(`${path}: ${reason}`)}`),
    `${literal(path)}: ${literal(correction)}${end}`,
  ]);
}

/** A value as code on one line, with characters escaped that could end a comment. */
export function literal(value: unknown): string {
  return toTerminalText(stringifyExactJson(value));
}
