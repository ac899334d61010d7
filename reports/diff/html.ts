import { renderTemplate } from '../html-page.js';
import type { DiffReport } from './diff-report.js';
import { type ReportStyle, groupByLevel, showPlace, showReach, summarise } from './labels.js';

/** Renders a diff as a self-contained HTML page. */
export function diffToHtml(diff: DiffReport, style: ReportStyle): string {
  const name = ({ file, title, version }: DiffReport['old']): string => `${title} ${version} (${style.showFile(file)})`;
  return renderTemplate('diff-page.hbs', {
    old: name(diff.old),
    new: name(diff.new),
    summary: `${summarise(diff)}.`,
    isBroken: diff.counts.breaking > 0,
    notes: diff.notes,
    groups: groupByLevel(diff).map((group) => ({
      ...group,
      changes: group.changes.map((change) => ({
        message: change.message,
        kind: change.kind,
        reach: showReach(change),
        place: showPlace(change.new, style),
        oldPlace: showPlace(change.old, style),
      })),
    })),
  });
}
