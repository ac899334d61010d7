import { quoteAll } from './quote-text.js';
import { toShownText } from './strip-controls.js';

/** Returns any text as a code span: markup, mentions and control characters in it have no effect. */
export function toCode(text: string): string {
  return codeSpan(quoteAll(text).slice(1, -1));
}

/** Returns the content of a JSON string as a code span. Its fence is longer than any run of backticks in the text. */
export function codeSpan(escaped: string): string {
  const text = escaped.replaceAll(/\\(["\\])/g, '$1');
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  // Markdown removes one space at both ends, so one is added if the text needs its own.
  const pad = text === '' || /^[` ]|[` ]$/.test(text) ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}

/** Returns lines as a code block, with a fence that is longer than any run of backticks in them. */
export function codeBlock(lines: readonly string[], language: string): string[] {
  const text = lines.map((line) => toShownText(line));
  const longest = Math.max(2, ...[...text.join('\n').matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, ...text, fence];
}
