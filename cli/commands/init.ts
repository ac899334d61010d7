import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { renderTemplate } from '../../generator/templates.js';
import { CONFIG_FILES } from '../../config/load-config.js';
import { InputError, systemCode } from '../../model/diagnostics/input-error.js';
import type { Command } from '../command.js';
import { EXIT, printJson } from '../io.js';

/** What is written: path -> template. */
const FILES = { 'specs/tasks/openapi.yaml': 'init-spec', 'specmill.config.ts': 'init-config' } as const;

/** `specmill init`. */
export const initCommand: Command = {
  name: 'init',
  summary: 'Write specmill.config.ts and a sample spec into the current project.',
  usage: '',
  arity: { least: 0, most: 0 },
  flags: {},
  examples: ['specmill init && specmill generate'],
  run: async (args, io) => {
    for (const file of [...CONFIG_FILES, ...Object.keys(FILES)])
      refuseExisting(path.join(io.cwd, file), existsSync(path.join(io.cwd, file)));
    for (const [file, template] of Object.entries(FILES))
      await writeNew(path.join(io.cwd, file), renderTemplate(template, {}));
    if (args.has('json')) printJson(io, { written: Object.keys(FILES) });
    else io.out(`Wrote ${Object.keys(FILES).join(' and ')}; "specmill generate" makes the code.\n`);
    return EXIT.done;
  },
};

async function writeNew(place: string, text: string): Promise<void> {
  await mkdir(path.dirname(place), { recursive: true });
  // `wx` refuses a file that came into being since we looked.
  await writeFile(place, text, { flag: 'wx' }).catch((error: unknown) => {
    refuseExisting(place, systemCode(error) === 'EEXIST');
    throw error;
  });
}

function refuseExisting(file: string, exists: boolean): void {
  if (exists) throw new InputError('This file is there already, and init overwrites nothing; move it first.', { file });
}
