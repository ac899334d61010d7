import type { Violation } from '../http/messages.js';
import type { DeprecatedUses } from '../http/observations/deprecated-uses.js';
import type { JournalDraft, JournalEntry } from '../http/journal/journal.js';
import type { ProxyReport, ReportedViolation } from '../reports/proxy/proxy-report.js';
import type { WrittenOverlay } from '../reports/written-overlay.js';
import { stringifyExactJson } from '../runtime/json-integers.js';

export type { ProxyReport, ReportedViolation } from '../reports/proxy/proxy-report.js';

/** The most different violations and notes, because a hostile or broken side could cause any number. */
const MOST_KINDS = 1_000;

interface Counted<Item> {
  readonly item: Item;
  count: number;
}

/** The parts of a call that are counted. */
type ReportedCall = Pick<JournalDraft, 'violations' | 'notes' | 'operationId' | 'status'>;

/** Groups the violations of a proxy by cause. */
export class ReportCollector {
  readonly #about: Pick<ProxyReport, 'api' | 'upstream'>;
  readonly #violations = new Map<string, Counted<Omit<ReportedViolation, 'count'>>>();
  readonly #notes = new Map<string, Counted<string>>();
  readonly #operations = new Map<string, { calls: number; readonly statuses: Record<string, number> }>();
  #calls = 0;
  #broken = 0;
  #omitted = 0;
  #overlay: WrittenOverlay | undefined;
  readonly #deprecated: DeprecatedUses;

  constructor(about: Pick<ProxyReport, 'api' | 'upstream'>, deprecated: DeprecatedUses) {
    this.#about = about;
    this.#deprecated = deprecated;
  }

  /** @param toEntry - makes the journal entry. Called only for violations, because most calls have none. */
  add({ violations, notes, operationId, status }: ReportedCall, toEntry: () => JournalEntry): void {
    this.#calls += 1;
    if (violations.length > 0) this.#addBroken(toEntry());
    for (const note of notes ?? []) if (!count(this.#notes, note, note)) this.#omitted += 1;
    if (operationId !== undefined) this.#addOperation(operationId, status);
  }

  noteOverlay(overlay: WrittenOverlay): WrittenOverlay {
    this.#overlay = overlay;
    return overlay;
  }

  report(): ProxyReport {
    const violations = [...this.#violations.values()].map(({ item, count: times }) => ({ ...item, count: times }));
    return {
      ...this.#about,
      calls: this.#calls,
      callsWithViolations: this.#broken,
      violations: violations.sort((one, other) => other.count - one.count),
      omitted: this.#omitted,
      notes: [...this.#notes.values()].map(({ item, count: times }) => ({ message: item, count: times })),
      operations: [...this.#operations].map(([operationId, seen]) => ({ operationId, ...seen })),
      deprecated: this.#deprecated.list(),
      ...(this.#overlay === undefined ? {} : { overlay: this.#overlay }),
    };
  }

  #addBroken(entry: JournalEntry): void {
    this.#broken += 1;
    for (const violation of entry.violations) this.#addViolation(violation, entry);
  }

  #addViolation({ in: place, pointer, message }: Violation, entry: JournalEntry): void {
    const { id, at, method, path, status, operationId } = entry;
    const general = pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*');
    // Without an operation, the path distinguishes the calls.
    const where = operationId ?? path.split('?', 1)[0] ?? '';
    const key = stringifyExactJson([where, method, status, place, general, message]);
    const reported = {
      direction: place === 'response' ? ('response' as const) : ('request' as const),
      ...(operationId === undefined ? {} : { operationId }),
      method,
      status,
      in: place,
      pointer: general,
      message,
      first: { id, at, method, path },
    };
    if (!count(this.#violations, key, reported)) this.#omitted += 1;
  }

  #addOperation(operationId: string, status: number): void {
    const seen = this.#operations.get(operationId) ?? { calls: 0, statuses: {} };
    seen.calls += 1;
    seen.statuses[status] = (seen.statuses[status] ?? 0) + 1;
    this.#operations.set(operationId, seen);
  }
}

/** Counts an item. Returns `false` if there is no room for a new one. */
function count<Item>(counted: Map<string, Counted<Item>>, key: string, item: Item): boolean {
  const known = counted.get(key);
  if (known !== undefined) known.count += 1;
  else if (counted.size < MOST_KINDS) counted.set(key, { item, count: 1 });
  else return false;
  return true;
}
