import type { DiffReport, ReportedChange } from './diff-report.js';
import { quoteAll } from '../quote-text.js';
import { type ReportStyle, groupByLevel, showPlace, showReach, summarise } from './labels.js';

/**
 * A diff as Markdown, for the comment of a pull request. Texts of a spec are printed as code, where neither
 * markup nor mentions of people mean anything.
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

/** A message with its JSON strings, which hold all that comes from a spec, as code. */
function withCode(message: string): string {
  return message.replaceAll(/"((?:[^"\\]|\\[^]?)*)("?)/g, (whole, inner: string, end: string) =>
    end === '' ? whole : codeSpan(inner),
  );
}

function toCode(text: string): string {
  return codeSpan(quoteAll(text).slice(1, -1));
}

/** A code span of what a JSON string holds. Its fence is longer than any run of backticks in it. */
function codeSpan(escaped: string): string {
  const text = escaped.replaceAll(/\\(["\\])/g, '$1');
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  // A space at both ends is taken off again, so one may be put there, and must where there is one already.
  const pad = text === '' || /^[` ]|[` ]$/.test(text) ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}
