import type { JournalBackend } from '../stores/replicated/state-backend.js';
import type { JournalEntry } from './sandbox.js';
import type { SandboxEvents, Watching } from './sandbox-events.js';

/** How often a sandbox with watchers is polled for changes of other processes. Milliseconds. */
const INTERVAL = 300;

export interface SharedWatchOptions {
  readonly name: string;
  readonly events: SandboxEvents;
  readonly journals: JournalBackend | undefined;
  /** Applies the changes of other processes. */
  readonly sync: () => Promise<void>;
}

/** Reports the changes of other processes to a sandbox while it has watchers. */
export function watchShared(options: SharedWatchOptions): Watching {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let last: number | undefined;
  const look = async (): Promise<void> => {
    try {
      last = await reportCalls(options, last);
    } catch {
      // If the state is unreachable, the next round tries again.
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
 * Reports the calls after the call `last`.
 *
 * @param last - the number of a call; `undefined` if all calls until now are known.
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
