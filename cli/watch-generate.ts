import path from 'node:path';

import type { GenerateResult } from '../generator/generate.js';
import { EXIT, type ExitStatus, type Io } from './io.js';
import { printError } from './print-error.js';
import { watchFiles } from './watch-files.js';

/** Where a watch runs. */
export interface WatchContext {
  readonly io: Io;
  /** As given on the command line. */
  readonly configFile: string | undefined;
}

/**
 * Runs once, then again whenever a file that a run read (or the configuration) changes, until the user stops it. A run
 * that fails is reported, and the old output stays.
 *
 * @throws InputError where the first run cannot start: there is then nothing to watch.
 */
export async function watchRuns(run: () => Promise<GenerateResult>, context: WatchContext): Promise<ExitStatus> {
  const { io } = context;
  const signal = io.stopSignal();
  let since = Date.now();
  let files = watchedFiles(await run(), context);
  while (!signal.aborted) {
    io.err(`specmill: watching ${files.size} files for changes\n`);
    if (!(await watchFiles({ files, since, signal }))) break;
    since = Date.now();
    files = await runAgain(run, context, files);
  }
  return EXIT.done;
}

async function runAgain(
  run: () => Promise<GenerateResult>,
  context: WatchContext,
  files: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  try {
    const result = await run();
    const isBroken = result.apis.some(({ status }) => status === 'failed');
    const now = watchedFiles(result, context);
    // A broken spec may not say any more which files it refers to.
    return isBroken ? new Set([...files, ...now]) : now;
  } catch (error) {
    printError(error, context.io, { isDebug: false, isJson: false });
    return files;
  }
}

function watchedFiles(
  { apis, configFile }: GenerateResult,
  { io, configFile: named }: WatchContext,
): ReadonlySet<string> {
  const config = configFile ?? (named === undefined ? undefined : path.resolve(io.cwd, named));
  const configs = config === undefined ? [] : [config];
  const inputs = apis.flatMap((api) => api.inputs).filter((file) => path.isAbsolute(file));
  return new Set([...inputs, ...configs]);
}
