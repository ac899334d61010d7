import { writeJunit } from '../junit-xml.js';
import type { DiffReport, Level } from './diff-report.js';
import { type ReportStyle, showPlace, showReach, summarise } from './labels.js';

/** Renders a diff as JUnit XML: a case for each change, which fails if its level is among `failing`. */
export function diffToJunit(diff: DiffReport, style: ReportStyle & { readonly failing: readonly Level[] }): string {
  const cases = diff.changes.map((change) => {
    const name = `${change.kind}: ${change.message}`;
    if (!style.failing.includes(change.level)) return { name };
    const places = `${showPlace(change.new, style)}, was ${showPlace(change.old, style)}`;
    const text = [change.message, showReach(change), places].join('\n');
    return { name, failure: { type: change.level, message: change.message, text } };
  });
  return writeJunit({
    package: 'specmill diff',
    name: diff.new.title,
    startedAt: '1970-01-01T00:00:00Z',
    durationMs: 0,
    properties: { old: style.showFile(diff.old.file), new: style.showFile(diff.new.file) },
    cases: cases.length === 0 ? [{ name: 'no changes' }] : cases,
    output: [`${summarise(diff)}.`, ...diff.notes],
  });
}
