import type { DiffReport, ReportedChange } from './diff-report.js';
import { quoteAll } from '../quote-text.js';
import { type ReportStyle, groupByLevel, showPlace, showReach, summarise } from './labels.js';

/**
 * Renders a diff as Markdown for a pull request comment. Text from a spec is printed as code, so that markup and
 * mentions have no effect.
 */
export function diffToMarkdown(diff: DiffReport, style: ReportStyle): string {
  return [
    `**${summarise(diff).replace('--all', '`--all`')}.**`,
    ...groupByLevel(diff).flatMap(({ heading, changes }) => [
      '',
      `### ${heading}`,
      '',
      ...changes.map((change) => describeChange(change, style)),
    ]),
    ...(diff.notes.length === 0 ? [] : ['', ...diff.notes.map((note) => withCode(note))]),
    '',
  ].join('\n');
}

function describeChange(change: ReportedChange, style: ReportStyle): string {
  const [place, oldPlace] = [change.new, change.old].map((position) => toCode(showPlace(position, style)));
  const facts = [toCode(change.kind), showReach(change, toCode), `${place}, was ${oldPlace}`];
  return `- ${withCode(change.message)}<br>${facts.join(' · ')}`;
}

/** Formats the JSON strings in a message, which contain all text from a spec, as code. */
function withCode(message: string): string {
  return message.replaceAll(/"((?:[^"\\]|\\[^]?)*)("?)/g, (whole, inner: string, end: string) =>
    end === '' ? whole : codeSpan(inner),
  );
}

function toCode(text: string): string {
  return codeSpan(quoteAll(text).slice(1, -1));
}

/** Returns the content of a JSON string as a code span. Its fence is longer than any run of backticks in the text. */
function codeSpan(escaped: string): string {
  const text = escaped.replaceAll(/\\(["\\])/g, '$1');
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  // Markdown removes one space at both ends, so one is added if the text needs its own.
  const pad = text === '' || /^[` ]|[` ]$/.test(text) ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}
