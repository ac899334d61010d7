import { workflowCommand } from '../workflow-command.js';
import { renderPageTemplate } from '../html-page.js';
import { writeJunit } from '../junit-xml.js';
import { codeSpan, toCode } from '../markdown.js';
import type { DiffReport, ReportedChange, Level } from './diff-report.js';
import { describeTraffic, showAffected } from './affected-calls.js';
import { type ReportStyle, groupByLevel, showPlace, showReach, summarise } from './labels.js';

/**
 * Returns a diff as lines for a terminal, breaking changes first. Operation paths and file names are not escaped; the
 * caller must escape them.
 */
export function diffToText(diff: DiffReport, style: ReportStyle): string[] {
  const groups = groupByLevel(diff).flatMap(({ heading, changes }) => [
    heading.toUpperCase(),
    ...changes.flatMap((change) => describeInText(change, style)),
    '',
  ]);
  return [...groups, `${summarise(diff)}.`, ...describeTraffic(diff), ...diff.notes];
}

function describeInText(change: ReportedChange, style: ReportStyle): string[] {
  return [
    `  ${change.message}`,
    `    ${change.kind} · ${showReach(change)}`,
    ...showAffected(change).map((line) => `    ${line}`),
    `    ${showPlace(change.new, style)}  was ${showPlace(change.old, style)}`,
  ];
}

/**
 * Renders a diff as Markdown for a pull request comment. Text from a spec is printed as code, so that markup and
 * mentions have no effect.
 */
export function diffToMarkdown(diff: DiffReport, style: ReportStyle): string {
  return [
    `**${summarise(diff).replace('--all', '`--all`')}.**`,
    ...describeTraffic(diff).flatMap((line) => ['', line]),
    ...groupByLevel(diff).flatMap(({ heading, changes }) => [
      '',
      `### ${heading}`,
      '',
      ...changes.map((change) => describeInMarkdown(change, style)),
    ]),
    ...(diff.notes.length === 0 ? [] : ['', ...diff.notes.map((note) => withCode(note))]),
    '',
  ].join('\n');
}

function describeInMarkdown(change: ReportedChange, style: ReportStyle): string {
  const [place, oldPlace] = [change.new, change.old].map((position) => toCode(showPlace(position, style)));
  const facts = [
    toCode(change.kind),
    showReach(change, toCode),
    ...showAffected(change, toCode),
    `${place}, was ${oldPlace}`,
  ];
  return `- ${withCode(change.message)}<br>${facts.join(' · ')}`;
}

/** Formats the JSON strings in a message, which contain all text from a spec, as code. */
function withCode(message: string): string {
  return message.replaceAll(/"((?:[^"\\]|\\[^]?)*)("?)/g, (whole, inner: string, end: string) =>
    end === '' ? whole : codeSpan(inner),
  );
}

interface JunitStyle extends ReportStyle {
  readonly failing: readonly Level[];
  /** Whether only changes that affect a recorded call fail. */
  readonly onlyAffected: boolean;
}

/** Renders a diff as JUnit XML: a case for each change, which fails if its level is among `failing`. */
export function diffToJunit(diff: DiffReport, style: JunitStyle): string {
  const cases = diff.changes.map((change) => {
    const name = `${change.kind}: ${change.message}`;
    const isAccepted = style.onlyAffected && change.traffic?.calls === 0;
    if (isAccepted || !style.failing.includes(change.level)) return { name };
    const places = `${showPlace(change.new, style)}, was ${showPlace(change.old, style)}`;
    const text = [change.message, showReach(change), ...showAffected(change), places].join('\n');
    return { name, failure: { type: change.level, message: change.message, text } };
  });
  return writeJunit({
    package: 'specmill diff',
    name: diff.new.title,
    startedAt: '1970-01-01T00:00:00Z',
    durationMs: 0,
    properties: { old: style.showFile(diff.old.file), new: style.showFile(diff.new.file) },
    cases: cases.length === 0 ? [{ name: 'no changes' }] : cases,
    output: [`${summarise(diff)}.`, ...describeTraffic(diff), ...diff.notes],
  });
}

/** Renders a diff as a self-contained HTML page. */
export function diffToHtml(diff: DiffReport, style: ReportStyle): string {
  const name = ({ file, title, version }: DiffReport['old']): string => `${title} ${version} (${style.showFile(file)})`;
  return renderPageTemplate('diff-page.hbs', {
    old: name(diff.old),
    new: name(diff.new),
    summary: `${summarise(diff)}.`,
    isBroken: diff.counts.breaking > 0,
    notes: [...describeTraffic(diff), ...diff.notes],
    groups: groupByLevel(diff).map((group) => ({
      ...group,
      changes: group.changes.map((change) => ({
        message: change.message,
        kind: change.kind,
        reach: [showReach(change), ...showAffected(change)].join(' · '),
        place: showPlace(change.new, style),
        oldPlace: showPlace(change.old, style),
      })),
    })),
  });
}

const COMMANDS: Readonly<Record<Level, string>> = { breaking: 'error', risky: 'warning', safe: 'notice' };

/**
 * Returns a diff as GitHub workflow commands, one per line, each at its place in the new spec if that is a file of the
 * repository.
 */
export function diffToGithub(diff: DiffReport, style: ReportStyle): string[] {
  const annotations = diff.changes.map((change) => annotate(change, style));
  return [...annotations, `${summarise(diff)}.`, ...describeTraffic(diff), ...diff.notes].map((line) =>
    line.replaceAll(/[\r\n]+/g, ' '),
  );
}

function annotate(change: ReportedChange, { showFile }: ReportStyle): string {
  const file = showFile(change.new.file);
  const isFile = !/^[a-z][a-z0-9+.-]*:\/\//i.test(file) && !file.includes(':');
  const place = isFile ? { file, line: String(change.new.line), col: String(change.new.column) } : {};
  const title = `${change.level} change: ${change.kind}`;
  const facts = [showReach(change), ...showAffected(change)];
  return workflowCommand(COMMANDS[change.level], { ...place, title }, `${change.message} (${facts.join('; ')})`);
}
