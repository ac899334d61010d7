import type { Journal, JournalDraft, JournalEntry } from '../seams/sandbox.js';
import { cutBody } from './cut-body.js';
import type { Redact } from './redaction.js';

/** How many calls are kept. */
const KEPT = 1_000;

interface Kept {
  readonly count: number;
  readonly draft: JournalDraft;
}

/** The last calls of a sandbox. Calls are many and readers few, so what can wait is done for the reader. */
export class JournalRing implements Journal {
  readonly #redact: Redact;
  #kept: Kept[] = [];
  #next = 0;
  #count = 0;

  constructor(redact: Redact) {
    this.#redact = redact;
  }

  add(draft: JournalDraft): void {
    this.#count += 1;
    const request = cutPart(draft.request);
    const response = cutPart(draft.response);
    const isCut = request !== draft.request || response !== draft.response;
    this.#kept[this.#next] = { count: this.#count, draft: isCut ? { ...draft, request, response } : draft };
    this.#next = (this.#next + 1) % KEPT;
  }

  entries(options: { readonly violations?: boolean } = {}): readonly JournalEntry[] {
    const all = [...this.#kept.slice(this.#next), ...this.#kept.slice(0, this.#next)];
    // Before the ring is full there is nothing after the next place, so the first slice is empty.
    const wanted = options.violations === true ? all.filter(({ draft }) => draft.violations.length > 0) : all;
    return wanted.map((kept) => this.#toEntry(kept));
  }

  /** The call that was added last. */
  last(): JournalEntry | undefined {
    const kept = this.#kept[(this.#next + KEPT - 1) % KEPT];
    return kept === undefined ? undefined : this.#toEntry(kept);
  }

  clear(): void {
    this.#kept = [];
    this.#next = 0;
  }

  #toEntry({ count, draft }: Kept): JournalEntry {
    const { at, path, request, response } = draft;
    return {
      id: String(count),
      ...draft,
      at: typeof at === 'number' ? new Date(at).toISOString() : at,
      path: this.#redact.target(path),
      request: { ...request, headers: this.#redact.headers(request.headers) },
      response: { ...response, headers: this.#redact.headers(response.headers) },
    };
  }
}

/** At once: what is cut off need not be kept. */
function cutPart(part: JournalEntry['request']): JournalEntry['request'] {
  if (part.body === undefined) return part;
  const body = cutBody(part.body);
  return body === part.body ? part : { ...part, body };
}
