import { workflowCommand } from '../workflow-command.js';
import type { DiffReport, Level, ReportedChange } from './diff-report.js';
import { type ReportStyle, showReach, summarise } from './labels.js';

const COMMANDS: Readonly<Record<Level, string>> = { breaking: 'error', risky: 'warning', safe: 'notice' };

/**
 * Returns a diff as GitHub workflow commands, one per line, each at its place in the new spec if that is a file of the
 * repository.
 */
export function diffToGithub(diff: DiffReport, style: ReportStyle): string[] {
  return [...diff.changes.map((change) => annotate(change, style)), `${summarise(diff)}.`, ...diff.notes].map((line) =>
    line.replaceAll(/[\r\n]+/g, ' '),
  );
}

function annotate(change: ReportedChange, { showFile }: ReportStyle): string {
  const file = showFile(change.new.file);
  const isFile = !/^[a-z][a-z0-9+.-]*:\/\//i.test(file) && !file.includes(':');
  const place = isFile ? { file, line: String(change.new.line), col: String(change.new.column) } : {};
  const title = `${change.level} change: ${change.kind}`;
  return workflowCommand(COMMANDS[change.level], { ...place, title }, `${change.message} (${showReach(change)})`);
}
