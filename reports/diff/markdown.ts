import type { DiffReport, ReportedChange, Level, Position } from './diff-report.js';
import { quoteAll } from '../quote-text.js';
import { LEVELS, type ReportStyle, showReach, summarise } from './labels.js';

const HEADINGS: Readonly<Record<Level, string>> = { breaking: 'Breaking', risky: 'Risky', safe: 'Safe' };

/**
 * A diff as Markdown, for the comment of a pull request. Texts of a spec are printed as code, where neither
 * markup nor mentions of people mean anything.
 */
export function diffToMarkdown(diff: DiffReport, style: ReportStyle): string {
  const parts = LEVELS.flatMap((level) => describeLevel(diff, level, style));
  return [
    `**${summarise(diff).replace('--all', '`--all`')}.**`,
    ...parts,
    ...(diff.notes.length === 0 ? [] : ['', ...diff.notes.map((note) => withCode(note))]),
    '',
  ].join('\n');
}

function describeLevel({ changes }: DiffReport, level: Level, style: ReportStyle): string[] {
  const own = changes.filter((change) => change.level === level);
  return own.length === 0 ? [] : ['', `### ${HEADINGS[level]}`, '', ...own.map((one) => describeChange(one, style))];
}

function describeChange(change: ReportedChange, { showFile }: ReportStyle): string {
  const show = ({ file, line, column }: Position): string => toCode(`${showFile(file)}:${line}:${column}`);
  const facts = [toCode(change.kind), showReach(change, toCode), `${show(change.new)}, was ${show(change.old)}`];
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
