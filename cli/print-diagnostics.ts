import type { Diagnostic } from '../model/diagnostics/diagnostic.js';
import { type Io, toTerminalText } from './io.js';
import { formatPlace } from './format-place.js';

/** How many diagnostics of one API are printed. */
const SHOWN = 50;

/** A diagnostic on one line: `file:line:column pointer severity message`. */
function formatDiagnostic(diagnostic: Diagnostic, cwd: string): string {
  return `${formatPlace(diagnostic, cwd)}${diagnostic.severity} ${toTerminalText(diagnostic.message)}`;
}

/** Prints diagnostics on stderr, the worst first. Those that are merely worth knowing only with `withInfos`. */
export function printDiagnostics(
  diagnostics: readonly Diagnostic[],
  io: Io,
  { withInfos }: { readonly withInfos: boolean },
): void {
  const ranked = (['error', 'warning', 'info'] as const).flatMap((severity) =>
    diagnostics.filter((one) => one.severity === severity),
  );
  const shown = ranked.filter(({ severity }) => withInfos || severity !== 'info').slice(0, SHOWN);
  for (const diagnostic of shown) io.err(`${formatDiagnostic(diagnostic, io.cwd)}\n`);
  const hidden = diagnostics.length - shown.length;
  if (hidden > 0 && shown.length > 0) io.err(`… and ${hidden} more; --json lists them all\n`);
}
