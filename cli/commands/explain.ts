import type { ExplainCommand } from '../../generated/options/types.js';
import { chooseApi } from '../choose-api.js';
import type { RunCommand } from '../command.js';
import { EXIT, printJson } from '../io.js';
import { printMap } from '../print-map.js';
import { pickOptions } from '../read-flags.js';

export const runExplain: RunCommand<ExplainCommand> = async (words, flags, io) => {
  const { explain } = await import('../../entry/specmill.js');
  const { name, spec } = chooseApi(words, flags.spec);
  const [part] = words.slice(flags.spec === undefined || words.length > 1 ? 1 : 0);
  const explanation = await explain(name, {
    ...pickOptions('ExplainOptions', flags),
    ...(spec === undefined ? {} : { spec }),
    ...(part === undefined ? {} : { part }),
    cwd: io.cwd,
  });
  if (flags.json === true) printJson(io, explanation);
  else printMap(explanation, io);
  return (explanation.problems ?? []).length > 0 ? EXIT.found : EXIT.done;
};
