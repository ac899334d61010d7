import { parseExactJson, stringifyExactJson } from '../../runtime/json-integers.js';

/** The most characters of a body that the journal keeps. */
const KEPT = 64 * 1_024;

/** Returns the body that the journal keeps: bytes as their size, and longer text or JSON cut off. */
export function cutBody(body: unknown): unknown {
  if (typeof body === 'string') return body.length > KEPT ? startOf(body) : body;
  if (isBytes(body)) return sizeOf(body);
  if (typeof body !== 'object' || body === null || measure(body, KEPT) >= 0) return body;
  const text = writeStart(body);
  return text.length > KEPT ? startOf(text) : parseExactJson(text);
}

/** Writes the JSON of a value, but only its start if it is longer than the limit. */
function writeStart(body: unknown): string {
  let text = '';
  const write = (value: unknown): void => {
    if (text.length > KEPT) return;
    if (typeof value === 'string') text += stringifyExactJson(value.length > KEPT ? value.slice(0, KEPT) : value);
    else if (isBytes(value)) text += stringifyExactJson(sizeOf(value));
    else if (typeof value !== 'object' || value === null) text += stringifyExactJson(value ?? null);
    else if (Array.isArray(value)) writeAll('[', value.length, (index) => write(value[index]), ']');
    else if ('toJSON' in value && typeof value.toJSON === 'function') write((value.toJSON as () => unknown)());
    else {
      const members = value as Readonly<Record<string, unknown>>;
      const names = Object.keys(value).filter((name) => members[name] !== undefined);
      writeAll(
        '{',
        names.length,
        (index) => {
          const name = names[index] ?? '';
          text += `${stringifyExactJson(name)}:`;
          write(members[name]);
        },
        '}',
      );
    }
  };
  const writeAll = (open: string, count: number, writeOne: (index: number) => void, close: string): void => {
    text += open;
    for (let index = 0; index < count && text.length <= KEPT; index += 1) {
      if (index > 0) text += ',';
      writeOne(index);
    }
    text += close;
  };
  write(body);
  return text;
}

/** Estimates the bytes of a body in the journal: two for each character, and more for each part of a value. */
export function sizeOfBody(body: unknown): number {
  if (typeof body === 'string') return 2 * Math.min(body.length, KEPT);
  if (isBytes(body)) return 100;
  return 4 * (KEPT - Math.max(0, measure(body ?? null, KEPT)));
}

/** Copies the start of a text through bytes, because a slice would keep the whole text in memory. */
function startOf(text: string): string {
  return Buffer.from(text.slice(0, KEPT), 'utf16le').toString('utf16le');
}

/** Estimates the rest of the budget after a value. Stops when it is negative. */
function measure(value: unknown, budget: number): number {
  if (typeof value === 'string') return budget - value.length - 2;
  if (typeof value !== 'object' || value === null) return budget - 4;
  // Bytes are replaced by their size, so the value must be copied.
  if (isBytes(value)) return -1;
  let left = budget - 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index += 1) left = measure(value[index], left - 1);
    return left;
  }
  for (const key of Object.keys(value)) {
    if (left < 0) return left;
    left = measure((value as Readonly<Record<string, unknown>>)[key], left - key.length - 4);
  }
  return left;
}

/** Whether a value is bytes; files of a form are bytes too. */
function isBytes(value: unknown): value is Uint8Array | Blob {
  return value instanceof Uint8Array || value instanceof Blob;
}

function sizeOf(bytes: Uint8Array | Blob): object {
  return { $bytes: { size: bytes instanceof Blob ? bytes.size : bytes.byteLength } };
}

/** A call in a journal, as the budget sees it. */
export interface BudgetedCall {
  /** Estimated bytes. */
  readonly size: number;
  readonly drop: () => void;
  /** The neighbours in the budget, which alone sets them. */
  older: BudgetedCall | undefined;
  newer: BudgetedCall | undefined;
}

/** The most bytes that all journals of a process keep together. */
const JOURNAL_BYTES: number = 64 * 1_024 * 1_024;

/** The share that remains when the oldest calls are dropped; below 1, so that not every call drops some. */
const LEFT_AFTER = 0.9;

/** Limits several journals together: beyond the limit, the oldest calls of all journals are dropped. */
export class JournalBudget {
  readonly #limit: number;
  // A linked list: adding each call to a set and removing it again takes 0.6 µs, 3 % of a GET.
  #oldest: BudgetedCall | undefined;
  #newest: BudgetedCall | undefined;
  #bytes = 0;

  constructor(limit: number = JOURNAL_BYTES) {
    this.#limit = limit;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(call: BudgetedCall): void {
    call.older = this.#newest;
    if (this.#newest === undefined) this.#oldest = call;
    else this.#newest.newer = call;
    this.#newest = call;
    this.#bytes += call.size;
    if (this.#bytes > this.#limit) this.#dropOldest();
  }

  #dropOldest(): void {
    while (this.#oldest !== undefined && this.#bytes > this.#limit * LEFT_AFTER) {
      const oldest = this.#oldest;
      this.remove(oldest);
      oldest.drop();
    }
  }

  /** Notes that a journal has dropped a call itself. */
  remove(call: BudgetedCall): void {
    const { older, newer } = call;
    if (older === undefined && this.#oldest !== call) return;
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
    call.older = undefined;
    call.newer = undefined;
    this.#bytes -= call.size;
  }
}

/** The budget of this process. */
export const PROCESS_BUDGET: JournalBudget = new JournalBudget();
