import type { Journal, JournalEntry } from '../seams/sandbox.js';
import { cutBody } from './cut-body.js';
import type { Redact } from './redaction.js';

/** How many calls are kept. */
const KEPT = 1_000;

/** The last calls of a sandbox. */
export class JournalRing implements Journal {
  readonly #redact: Redact;
  #entries: JournalEntry[] = [];
  #next = 0;
  #count = 0;

  constructor(redact: Redact) {
    this.#redact = redact;
  }

  add(entry: Omit<JournalEntry, 'id'>): void {
    this.#count += 1;
    this.#entries[this.#next] = {
      id: String(this.#count),
      ...entry,
      path: this.#redact.target(entry.path),
      request: this.#cutPart({ ...entry.request, headers: this.#redact.headers(entry.request.headers) }),
      response: this.#cutPart({ ...entry.response, headers: this.#redact.headers(entry.response.headers) }),
    };
    this.#next = (this.#next + 1) % KEPT;
  }

  entries(options: { readonly violations?: boolean } = {}): readonly JournalEntry[] {
    const all = [...this.#entries.slice(this.#next), ...this.#entries.slice(0, this.#next)];
    // Before the ring is full there is nothing after the next place, so the first slice is empty.
    return options.violations === true ? all.filter(({ violations }) => violations.length > 0) : all;
  }

  clear(): void {
    this.#entries = [];
    this.#next = 0;
  }

  #cutPart(part: JournalEntry['request']): JournalEntry['request'] {
    return part.body === undefined ? part : { ...part, body: cutBody(part.body) };
  }
}
