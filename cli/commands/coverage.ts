import type { CoverageCommand } from '../../generated/options/types.js';
import { chooseTarget } from '../choose-api.js';
import type { RunCommand } from '../command.js';
import { EXIT, printJson } from '../io.js';
import { pickOptions } from '../read-flags.js';

export const runCoverage: RunCommand<CoverageCommand> = async (words, flags, io) => {
  const { measureCoverage, toCoverageText } = await import('../../entry/contract.js');
  const report = await measureCoverage({
    ...pickOptions('CoverageOptions', flags),
    ...chooseTarget(words, flags.spec),
    cwd: io.cwd,
  });
  if (flags.json === true) printJson(io, report);
  else for (const line of toCoverageText(report)) io.out(`${line}\n`);
  return EXIT.done;
};
