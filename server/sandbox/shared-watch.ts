import type { JournalBackend } from '../stores/replicated/state-backend.js';
import type { JournalEntry } from './sandbox.js';
import type { SandboxEvents, Watching } from './sandbox-events.js';

/** How often a sandbox with watchers is asked for what other processes have done. Milliseconds. */
const INTERVAL = 300;

export interface SharedWatchOptions {
  readonly name: string;
  readonly events: SandboxEvents;
  readonly journals: JournalBackend | undefined;
  /** Takes over what other processes have changed. */
  readonly sync: () => Promise<void>;
}

/** Reports what other processes do to a sandbox, as long as it has watchers. */
export function watchShared(options: SharedWatchOptions): Watching {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let last: number | undefined;
  const look = async (): Promise<void> => {
    try {
      last = await reportCalls(options, last);
    } catch {
      // A state that cannot be reached now is asked for again.
    }
    if (!isStopped) timer = setTimeout(() => void look(), INTERVAL).unref();
  };
  const stop = (): void => {
    isStopped = true;
    clearTimeout(timer);
  };
  return { ready: look(), stop };
}

/**
 * Reports the calls after one.
 *
 * @param last - the number of that call; `undefined`: all calls until now are known.
 * @returns the number of the last call.
 */
async function reportCalls(
  { name, journals, events, sync }: SharedWatchOptions,
  last: number | undefined,
): Promise<number> {
  await sync();
  if (journals === undefined) return 0;
  const { first, entries } = await journals.read(name, last);
  for (const [index, text] of last === undefined ? [] : entries.entries())
    events.emit(() => ({
      type: 'journal',
      entry: { ...(JSON.parse(text) as JournalEntry), id: String(first + index) },
    }));
  return first + entries.length - 1;
}
