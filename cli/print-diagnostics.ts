import type { Diagnostic } from '../model/diagnostics/diagnostic.js';
import { type Io, toTerminalText } from './io.js';
import { formatPlace } from './format-place.js';

/** The most diagnostics of one API that are printed. */
const SHOWN = 50;

/** The most diagnostics of one code that are printed. */
const SHOWN_PER_CODE = 5;

/** A diagnostic on one line: `file:line:column pointer severity message [code]`. */
function formatDiagnostic(diagnostic: Diagnostic, cwd: string): string {
  const { severity, message, code } = diagnostic;
  return `${formatPlace(diagnostic, cwd)}${severity} ${toTerminalText(message)} [${code}]`;
}

/**
 * Prints diagnostics on stderr, the most severe first. Of each code, only the first five warnings or infos are printed,
 * and infos only with `withInfos`.
 */
export function printDiagnostics(
  diagnostics: readonly Diagnostic[],
  io: Io,
  { withInfos }: { readonly withInfos: boolean },
): void {
  const ranked = (['error', 'warning', 'info'] as const).flatMap((severity) =>
    diagnostics.filter((one) => one.severity === severity && (withInfos || severity !== 'info')),
  );
  const counts = new Map<string, number>();
  const folded = new Map<string, number>();
  let shown = 0;
  for (const diagnostic of ranked) {
    const { code, severity } = diagnostic;
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    if (shown >= SHOWN || (severity !== 'error' && count > SHOWN_PER_CODE)) {
      folded.set(code, (folded.get(code) ?? 0) + 1);
      continue;
    }
    shown += 1;
    io.err(`${formatDiagnostic(diagnostic, io.cwd)}\n`);
  }
  if (folded.size === 0) return;
  const parts = [...folded].map(([code, count]) => `${count} more [${code}]`);
  io.err(`… and ${parts.join(', ')}; --json lists them all\n`);
}
