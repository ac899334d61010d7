import { renderTemplate } from '../html-page.js';
import type { DiffReport, Level, Position } from './diff-report.js';
import { LEVELS, type ReportStyle, showReach, summarise } from './labels.js';

const HEADINGS: Readonly<Record<Level, string>> = { breaking: 'Breaking', risky: 'Risky', safe: 'Safe' };

/** A diff as one HTML page that needs nothing else. */
export function diffToHtml(diff: DiffReport, { showFile }: ReportStyle): string {
  const show = ({ file, line, column }: Position): string => `${showFile(file)}:${line}:${column}`;
  const name = ({ file, title, version }: DiffReport['old']): string => `${title} ${version} (${showFile(file)})`;
  return renderTemplate('diff-page.hbs', {
    old: name(diff.old),
    new: name(diff.new),
    summary: `${summarise(diff)}.`,
    isBroken: diff.counts.breaking > 0,
    notes: diff.notes,
    groups: LEVELS.flatMap((level) => {
      const changes = diff.changes.filter((change) => change.level === level);
      if (changes.length === 0) return [];
      const entries = changes.map((change) => ({
        message: change.message,
        kind: change.kind,
        reach: showReach(change, (operation) => operation),
        place: show(change.new),
        oldPlace: show(change.old),
      }));
      return [{ level, heading: HEADINGS[level], changes: entries }];
    }),
  });
}
