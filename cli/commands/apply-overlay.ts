import path from 'node:path';

import type { ApplyOverlayCommand } from '../../generated/options/types.js';
import { SpecError } from '../../model/diagnostics/spec-error.js';
import { resolveAddress } from '../../model/document/address.js';
import type { RunCommand } from '../command.js';
import { EXIT, printJson } from '../io.js';
import { printDiagnostics } from '../print-diagnostics.js';
import { writeReport } from '../report-files.js';

export const runApplyOverlay: RunCommand<ApplyOverlayCommand> = async (words, { out, json }, io) => {
  const { applyOverlayFiles } = await import('../../model/overlay/apply-to-file.js');
  const [spec = '', ...overlays] = words.map((word) => resolveAddress(io.cwd, word));
  const { text, diagnostics } = await applyOverlayFiles(spec, overlays);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  // A spec with only some of the changes would be neither the old one nor the new one.
  if (errors.length > 0) throw new SpecError(errors);
  printDiagnostics(diagnostics, io, { withInfos: false });
  const file = out === undefined ? undefined : path.resolve(io.cwd, out);
  if (file !== undefined) await writeReport({ kind: 'json', file }, text);
  if (json === true) printJson(io, { ...(file === undefined ? { text } : { file }), diagnostics });
  else if (file === undefined) io.out(text);
  return EXIT.done;
};
