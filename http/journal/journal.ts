import { parseExactJson } from '../../runtime/json-integers.js';
import { limitViolations } from '../errors/limit-violations.js';
import { type JournalBudget, type BudgetedCall, PROCESS_BUDGET, cutBody, sizeOfBody } from './journal-limits.js';
import {
  JOURNAL_LENGTH,
  type Journal,
  type JournalDraft,
  type JournalEntry,
  type JournalMessage,
  type JournalPlace,
  type JournalSocketMessage,
} from './journal-entry.js';
import type { BodyOrigin, Redact } from '../secrets/redaction.js';

export type { Journal, JournalDraft, JournalEntry, JournalMessage, JournalPlace };

export interface RecordedRequests {
  /** Returns the last 1,000 calls, oldest first; with `violations`, only those with violations. */
  (options?: { readonly violations?: boolean }): Promise<readonly JournalEntry[]>;
  clear(): Promise<void>;
}

/** The estimated bytes of a call without its bodies and path. Headers are mostly shared with earlier calls. */
const BYTES_A_CALL = 600;

export interface JournalOptions {
  /** Default: the budget shared by all journals of the process. */
  readonly budget?: JournalBudget;
  /** Called for each request. The entry is created when it is first read. */
  readonly onAdd?: (draft: JournalDraft, entry: () => JournalEntry) => void;
}

/** The functions of the journal that its slots share. */
interface SlotOwner {
  readonly drop: (slot: JournalSlot) => void;
  readonly replace: (slot: JournalSlot, draft: JournalDraft) => void;
  readonly toEntry: (slot: JournalSlot) => JournalEntry;
}

/** A call in the ring. A class, so that a thousand slots share their functions. */
class JournalSlot implements BudgetedCall, JournalPlace {
  readonly #owner: SlotOwner;
  readonly place: number;
  readonly number: number;
  draft: JournalDraft;
  size: number;
  older: BudgetedCall | undefined;
  newer: BudgetedCall | undefined;

  constructor(owner: SlotOwner, place: number, number: number, draft: JournalDraft) {
    this.#owner = owner;
    this.place = place;
    this.number = number;
    this.draft = draft;
    this.size = sizeOf(draft);
  }

  drop(): void {
    this.#owner.drop(this);
  }

  replace(draft: JournalDraft): void {
    this.#owner.replace(this, draft);
  }

  entry(): JournalEntry {
    return this.#owner.toEntry(this);
  }
}

/** The last calls of a sandbox. Most calls are never read, so work is deferred until they are. */
export class JournalRing implements Journal {
  #redact: Redact;
  readonly #budget: JournalBudget;
  readonly #onAdd: JournalOptions['onAdd'];
  readonly #owner: SlotOwner = {
    drop: (slot) => {
      if (this.#slots[slot.place] === slot) this.#slots[slot.place] = undefined;
    },
    replace: (slot, draft) => {
      slot.draft = cutDraft(draft);
      if (this.#slots[slot.place] !== slot) return;
      this.#budget.remove(slot);
      slot.size = sizeOf(draft);
      this.#budget.add(slot);
    },
    toEntry: (slot) => this.#toEntry(slot),
  };
  #slots: (JournalSlot | undefined)[] = [];
  #next = 0;
  #count = 0;

  constructor(redact: Redact, { budget = PROCESS_BUDGET, onAdd }: JournalOptions = {}) {
    this.#redact = redact;
    this.#budget = budget;
    this.#onAdd = onAdd;
  }

  add(draft: JournalDraft): JournalPlace {
    const slot = this.#fill(draft);
    this.#onAdd?.(draft, () => slot.entry());
    return slot;
  }

  #fill(draft: JournalDraft): JournalSlot {
    this.#count += 1;
    const slot = new JournalSlot(this.#owner, this.#next, this.#count, cutDraft(draft));
    this.#release(this.#slots[slot.place]);
    this.#slots[slot.place] = slot;
    this.#next = (slot.place + 1) % JOURNAL_LENGTH;
    this.#budget.add(slot);
    return slot;
  }

  entries(options: { readonly violations?: boolean } = {}): readonly JournalEntry[] {
    // Before the ring is full, the first slice is empty.
    const all = [...this.#slots.slice(this.#next), ...this.#slots.slice(0, this.#next)];
    return all.flatMap((slot) => {
      if (slot === undefined || (options.violations === true && slot.draft.violations.length === 0)) return [];
      return [this.#toEntry(slot)];
    });
  }

  /** Makes the entry of a call that is not in this journal. */
  describe(draft: JournalDraft, number: number): JournalEntry {
    return this.#toEntry({ draft: cutDraft(draft), number });
  }

  /** Removes all calls. Unused journals must be cleared too, because their calls count towards the shared budget. */
  clear(): void {
    for (const slot of this.#slots) this.#release(slot);
    this.#slots = [];
    this.#next = 0;
  }

  /** Clears the journal and restarts the numbers of its calls. */
  restart(): void {
    this.clear();
    this.#count = 0;
  }

  /** Redacts by the rules of another spec from now on. Earlier calls stay redacted by the rules before, too. */
  adopt(redact: Redact): void {
    // Copies the entries, because their bodies are redacted when they are read.
    const entries = this.entries().map((entry) => ({ ...entry }));
    this.clear();
    this.#redact = redact;
    this.#count -= entries.length;
    for (const entry of entries) this.#fill(entry);
  }

  #release(slot: JournalSlot | undefined): void {
    if (slot !== undefined) this.#budget.remove(slot);
  }

  #toEntry({ draft, number }: Pick<JournalSlot, 'draft' | 'number'>): JournalEntry {
    const { at, method, path, status, operationId, request, response, violations, notes, messages } = draft;
    const toMessage = (message: JournalMessage, side: BodyOrigin['side']): JournalEntry['request'] =>
      this.#toMessage(message, { operationId, side });
    return {
      id: String(number),
      at: typeof at === 'number' ? new Date(at).toISOString() : at,
      method,
      path: this.#redact.target(path),
      status,
      ...(operationId === undefined ? {} : { operationId }),
      // Lazy: redacting bodies is slow, and most observers never read them.
      get request() {
        return toMessage(request, 'request');
      },
      get response() {
        return toMessage(response, 'response');
      },
      violations,
      ...(notes === undefined ? {} : { notes }),
      ...(messages === undefined ? {} : { messages: messages.map((one) => this.#toSocketMessage(one, operationId)) }),
    };
  }

  #toSocketMessage(message: JournalSocketMessage, operationId: string | undefined): JournalSocketMessage {
    const side = message.from === 'client' ? 'request' : 'response';
    return { ...message, body: this.#redact.body(message.body, { operationId, side, headers: {} }) };
  }

  #toMessage(message: JournalMessage, origin: Omit<BodyOrigin, 'headers'>): JournalEntry['request'] {
    const { headers, body, json, lazy } = message;
    const parsed: unknown =
      lazy !== undefined ? cutBody(lazy.read()) : json === undefined ? body : parseExactJson(json);
    const shown = this.#redact.body(parsed, { ...origin, headers });
    return { headers: this.#redact.headers(headers), ...(shown === undefined ? {} : { body: shown }) };
  }
}

/** Truncates bodies at once, so that the rest is not kept in memory. */
function cutDraft(draft: JournalDraft): JournalDraft {
  const request = cutMessage(draft.request);
  const response = cutMessage(draft.response);
  const violations = draft.violations.length === 0 ? draft.violations : limitViolations(draft.violations);
  if (request === draft.request && response === draft.response && violations === draft.violations && !draft.failure)
    return draft;
  const { failure: _told, ...rest } = draft;
  return { ...rest, request, response, violations };
}

function cutMessage(message: JournalMessage): JournalMessage {
  const { headers, body, json } = message;
  if (message.lazy !== undefined) return message;
  if (json !== undefined) {
    const text = cutBody(json);
    return text === json ? message : { headers, body: text };
  }
  if (body === undefined) return message;
  const cut = cutBody(body);
  return cut === body ? message : { headers, body: cut };
}

function sizeOf({ path, request, response, violations, messages = [] }: JournalDraft): number {
  let size = BYTES_A_CALL + 2 * path.length;
  for (const { json, body, lazy } of [request, response]) size += lazy?.size ?? sizeOfBody(json ?? body);
  for (const { body } of messages) size += sizeOfBody(body) + 100;
  for (const { pointer, message } of violations.slice(0, 100)) size += 2 * (pointer.length + message.length) + 100;
  return size;
}
