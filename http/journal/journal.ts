import type { Journal, JournalDraft, JournalEntry, JournalMessage } from '../../server/sandbox/sandbox.js';
import { cutBody } from './truncate-body.js';
import type { Redact } from './redaction.js';

/** How many calls are kept. */
const KEPT = 1_000;

/** The last calls of a sandbox. Calls are many and readers few, so what can wait is done for the reader. */
export class JournalRing implements Journal {
  readonly #redact: Redact;
  readonly #onAdd: (read: () => JournalEntry) => void;
  #kept: JournalDraft[] = [];
  #next = 0;
  #count = 0;

  /** `onAdd` is called after each call; what it is given reads the entry. */
  constructor(redact: Redact, onAdd: (read: () => JournalEntry) => void = () => {}) {
    this.#redact = redact;
    this.#onAdd = onAdd;
  }

  add(draft: JournalDraft): void {
    this.#count += 1;
    const request = cutMessage(draft.request);
    const response = cutMessage(draft.response);
    const isCut = request !== draft.request || response !== draft.response;
    const kept = isCut ? { ...draft, request, response } : draft;
    this.#kept[this.#next] = kept;
    this.#next = (this.#next + 1) % KEPT;
    const count = this.#count;
    this.#onAdd(() => this.#toEntry(kept, count));
  }

  entries(options: { readonly violations?: boolean } = {}): readonly JournalEntry[] {
    // Before the ring is full there is nothing after the next place, so the first slice is empty.
    const all = [...this.#kept.slice(this.#next), ...this.#kept.slice(0, this.#next)];
    const first = this.#count - all.length + 1;
    return all.flatMap((draft, index) =>
      options.violations === true && draft.violations.length === 0 ? [] : [this.#toEntry(draft, first + index)],
    );
  }

  /** The call that was added last. */
  last(): JournalEntry | undefined {
    const draft = this.#kept[(this.#next + KEPT - 1) % KEPT];
    return draft === undefined ? undefined : this.#toEntry(draft, this.#count);
  }

  clear(): void {
    this.#kept = [];
    this.#next = 0;
  }

  #toEntry(draft: JournalDraft, count: number): JournalEntry {
    const { at, method, path, status, operationId, request, response, violations, notes } = draft;
    return {
      id: String(count),
      at: typeof at === 'number' ? new Date(at).toISOString() : at,
      method,
      path: this.#redact.target(path),
      status,
      ...(operationId === undefined ? {} : { operationId }),
      request: this.#toMessage(request),
      response: this.#toMessage(response),
      violations,
      ...(notes === undefined ? {} : { notes }),
    };
  }

  #toMessage({ headers, body, json }: JournalMessage): JournalEntry['request'] {
    const shown: unknown = json === undefined ? body : JSON.parse(json);
    return { headers: this.#redact.headers(headers), ...(shown === undefined ? {} : { body: shown }) };
  }
}

/** At once: what is cut off need not be kept. */
function cutMessage(message: JournalMessage): JournalMessage {
  const { headers, body, json } = message;
  if (json !== undefined) {
    const text = cutBody(json);
    return text === json ? message : { headers, body: text };
  }
  if (body === undefined) return message;
  const cut = cutBody(body);
  return cut === body ? message : { headers, body: cut };
}
