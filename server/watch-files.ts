import { type FSWatcher, existsSync, statSync, watch } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import path from 'node:path';

/** Editors write a file in several steps. Events within this time count as one change. Milliseconds. */
const QUIET = 60;

export interface WatchRequest {
  /** Absolute paths. */
  readonly files: ReadonlySet<string>;
  /** Start of the last run, in milliseconds since 1970. Changes since then count even if they precede the wait. */
  readonly since: number;
  readonly signal: AbortSignal;
  /** Whether waiting lets the process end. Default: false. */
  readonly isIdle?: boolean;
}

/** File systems round times, so a change may seem older by this much. Milliseconds. */
const CLOCK_RESOLUTION = 10;

/**
 * Waits until one of the files changes and then stays unchanged for a moment. Returns `false` if `signal` is aborted
 * first. Watches folders instead of files: many editors replace a file, and a watcher would keep the old one.
 */
export async function watchFiles({ files, since, signal, isIdle = false }: WatchRequest): Promise<boolean> {
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
      if (isIdle) watchers.forEach((watcher) => watcher.unref());
      if (signal.aborted) resolve();
      if ([...files].some((file) => changeTime(file) > since - CLOCK_RESOLUTION)) changed();
    });
    while (!signal.aborted && performance.now() - lastChange < QUIET) await wait(QUIET);
    return !signal.aborted;
  } finally {
    // The signal lives as long as the process, so the listener must be removed after each wait.
    waiting.abort();
    for (const watcher of watchers) watcher.close();
  }
}

function watchFolder(folder: string, names: ReadonlySet<string>, changed: () => void): FSWatcher {
  const watcher = watch(folder, (_event, name) => {
    if (name === null || names.has(name)) changed();
  });
  // The folder was deleted: the next run reports that.
  watcher.on('error', changed);
  return watcher;
}

/** Skips missing folders: their files were never read. */
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
