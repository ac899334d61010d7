import path from 'node:path';

import type { CommonFlags, EmittersCommand } from '../../generated/options/types.js';
import { ejectProduct } from '../../generator/emitter-kit/eject-product.js';
import { PRODUCTS, loadProduct } from '../../generator/emitter-kit/products.js';
import { suggestName } from '../../model/diagnostics/closest-name.js';
import { countOf } from '../../reports/counts.js';
import type { RunCommand } from '../command.js';
import { EXIT, type Io, printJson, toJsonText, toTerminalText } from '../io.js';
import { UsageError } from '../usage-error.js';
import { writeNew } from '../write-new.js';

export const runEmitters: RunCommand<EmittersCommand> = async ([action, name], flags, io) => {
  if (action === undefined) {
    if (flags.out !== undefined)
      throw new UsageError('--out needs the action "eject": specmill emitters eject <name> --out <folder>.');
    await list(flags, io);
  } else if (action !== 'eject')
    throw new UsageError(
      `There is no action ${toTerminalText(action)} of "specmill emitters".${suggestName(action, ['eject'])}`,
    );
  else await eject(name, flags, io);
  return EXIT.done;
};

async function list({ json }: EmittersCommand & CommonFlags, io: Io): Promise<void> {
  const emitters = await Promise.all(
    Object.entries(PRODUCTS).map(async ([name, { summary }]) => {
      const { options = {} } = await loadProduct(name);
      return { name, summary, options };
    }),
  );
  if (json === true) {
    printJson(io, emitters);
    return;
  }
  const lines = emitters.flatMap(({ name, summary, options }) => [
    `${name}: ${summary}`,
    ...Object.entries(options).map(([option, { description }]) => `  ${option}: ${description ?? ''}`),
  ]);
  io.out([...lines, '', 'Name one in "emitters" of an API in the configuration, or with --only.', ''].join('\n'));
}

async function eject(name: string | undefined, flags: EmittersCommand & CommonFlags, io: Io): Promise<void> {
  const known = Object.keys(PRODUCTS);
  if (name === undefined || !Object.hasOwn(PRODUCTS, name))
    throw new UsageError(
      name === undefined
        ? `Missing the name of the emitter: ${known.join(', ')}.`
        : `There is no built-in emitter ${toTerminalText(name)}.${suggestName(name, known) || ` There are ${known.join(', ')}.`}`,
    );
  const { out = `emitters/${name}` } = flags;
  const { main, files } = ejectProduct(name);
  const written = new Map([...files].map(([file, text]) => [path.join(out, file), text]));
  await writeNew(new Map([...written].map(([file, text]) => [path.resolve(io.cwd, file), text])), 'eject');
  const entry = entryOf(path.join(out, main));
  if (flags.json === true) {
    printJson(io, { written: [...written.keys()], emitter: entry });
    return;
  }
  io.out(
    [
      `Wrote ${countOf(files.size, 'file')} to ${toTerminalText(out)}.`,
      `In the configuration, write its path in place of "${name}" (a path is relative to the configuration):`,
      `  emitters: [${toJsonText(entry)}]`,
      '',
    ].join('\n'),
  );
}

/** A file as a configuration in the working directory names it. */
function entryOf(file: string): string {
  const portable = file.replaceAll('\\', '/');
  return path.isAbsolute(file) || portable.startsWith('../') ? portable : `./${portable}`;
}
