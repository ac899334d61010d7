import { parseExactJson, stringifyExactJson } from '../../runtime/json-integers.js';
import { isRecord } from '../../model/document/records.js';
import type { JournalRing } from '../../http/journal/journal.js';
import type { JournalBackend } from '../stores/replicated/state-backend.js';
import type { JournalDraft, JournalEntry } from './sandbox.js';
import type { SandboxEvents, Watching } from './sandbox-events.js';
import type { StateJournal } from './sandbox-state.js';

/** How often a sandbox with watchers is polled for changes of other processes. Milliseconds. */
const INTERVAL = 300;

export interface ReplicatedJournalParts {
  readonly name: string;
  /** The calls of this process. */
  readonly ring: JournalRing;
  /** Without shared journals, each process has its own. */
  readonly journals: JournalBackend | undefined;
  /** Applies the changes of other processes. */
  readonly sync: () => Promise<void>;
}

/** The calls of a sandbox in all processes, if the engine shares journals. */
export class ReplicatedJournal implements StateJournal {
  readonly #parts: ReplicatedJournalParts;

  constructor(parts: ReplicatedJournalParts) {
    this.#parts = parts;
  }

  add(draft: JournalDraft): void {
    const { name, ring, journals } = this.#parts;
    ring.add(draft);
    journals?.append(name, this.describe([draft])).catch(() => {});
  }

  async read({ violations = false }: { readonly violations?: boolean } = {}): Promise<readonly JournalEntry[]> {
    const { name, ring, journals } = this.#parts;
    if (journals === undefined) return ring.entries({ violations });
    const { first, entries } = await journals.read(name);
    const all = entries.flatMap((text, index) => readEntry(text, String(first + index)));
    return violations ? all.filter((entry) => entry.violations.length > 0) : all;
  }

  async clear(): Promise<void> {
    this.#parts.ring.clear();
    await this.#parts.journals?.clear(this.#parts.name);
  }

  /** Returns the texts of calls for a shared journal; none if there is no such journal. */
  describe(drafts: readonly JournalDraft[]): readonly string[] {
    const { ring, journals } = this.#parts;
    return journals === undefined ? [] : drafts.map((draft) => stringifyExactJson(ring.describe(draft, 0)));
  }

  /** Reports the changes of other processes as long as the sandbox has watchers. */
  watch(events: SandboxEvents): Watching {
    let timer: NodeJS.Timeout | undefined;
    let isStopped = false;
    let last: number | undefined;
    const look = async (): Promise<void> => {
      try {
        last = await this.#reportCalls(events, last);
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
  async #reportCalls(events: SandboxEvents, last: number | undefined): Promise<number> {
    const { name, journals, sync } = this.#parts;
    await sync();
    if (journals === undefined) return 0;
    const { first, entries } = await journals.read(name, last);
    for (const [index, text] of last === undefined ? [] : entries.entries())
      for (const entry of readEntry(text, String(first + index))) events.emit(() => ({ type: 'journal', entry }));
    return first + entries.length - 1;
  }
}

/** Other programs can write to a shared journal too: what is no entry is left out. */
function readEntry(text: string, id: string): readonly JournalEntry[] {
  try {
    const entry: unknown = parseExactJson(text);
    const isEntry = isRecord(entry) && typeof entry['status'] === 'number' && Array.isArray(entry['violations']);
    return isEntry ? [{ ...(entry as unknown as JournalEntry), id }] : [];
  } catch {
    return [];
  }
}
