import { toShownText } from './strip-controls.js';

/** Quotes text as a JSON string. Escapes characters that could move a cursor, hide text or change its direction. */
export function quoteAll(text: string): string {
  return toShownText(JSON.stringify(text));
}

/** Writes a report as JSON that shows no character which a terminal or an editor would obey instead of showing it. */
export function writeJsonReport(report: object): string {
  // The characters occur only in strings, where an escape means the same.
  return `${toShownText(JSON.stringify(report, undefined, 2))}\n`;
}
