import { type FSWatcher, existsSync, statSync, watch } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import path from 'node:path';

/** Editors write a file in several steps; what follows within this time is one change. Milliseconds. */
const QUIET = 60;

export interface WatchRequest {
  /** Absolute paths. */
  readonly files: ReadonlySet<string>;
  /** Changes from this time on count, also those before the wait: when the last run began. Milliseconds of the epoch. */
  readonly since: number;
  readonly signal: AbortSignal;
}

/** File systems keep times coarsely, so a change may seem to be this much older. Milliseconds. */
const CLOCK_GRAIN = 10;

/**
 * Waits until one of the files changes and then nothing for a moment. Gives `false` when `signal` is aborted before.
 * Folders are watched, not files: many editors replace a file, and a watch would stay with the old one.
 */
export async function watchFiles({ files, since, signal }: WatchRequest): Promise<boolean> {
  const watchers: FSWatcher[] = [];
  const waiting = new AbortController();
  try {
    let lastChange = 0;
    await new Promise<void>((resolve) => {
      const changed = (): void => {
        lastChange = performance.now();
        resolve();
      };
      signal.addEventListener('abort', () => resolve(), { signal: waiting.signal });
      for (const [folder, names] of groupByFolder(files)) watchers.push(watchFolder(folder, names, changed));
      if (signal.aborted) resolve();
      if ([...files].some((file) => changeTime(file) > since - CLOCK_GRAIN)) changed();
    });
    while (!signal.aborted && performance.now() - lastChange < QUIET) await wait(QUIET);
    return !signal.aborted;
  } finally {
    // The signal lives as long as the process, and each change of a file is a wait of its own.
    waiting.abort();
    for (const watcher of watchers) watcher.close();
  }
}

function watchFolder(folder: string, names: ReadonlySet<string>, changed: () => void): FSWatcher {
  const watcher = watch(folder, (_event, name) => {
    if (name === null || names.has(name)) changed();
  });
  // The folder is gone: the next run reports that.
  watcher.on('error', changed);
  return watcher;
}

/** Folders that are not there are passed over: their files were never read. */
function groupByFolder(files: ReadonlySet<string>): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>();
  for (const file of files) {
    const folder = path.dirname(file);
    if (!existsSync(folder)) continue;
    const names = folders.get(folder) ?? new Set();
    folders.set(folder, names.add(path.basename(file)));
  }
  return folders;
}

/** When a file was last written or replaced; 0 if it does not exist. */
function changeTime(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.ctimeMs ?? 0;
}
