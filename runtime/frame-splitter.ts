import { type ParseBudget, ITEM, PART } from './parse-budget.js';

/** How the items of a stream are separated. */
export type Framing = 'event-stream' | 'json-lines' | 'json-seq' | 'multipart';

/** One item of a stream, or the bytes between items. */
export interface Frame {
  /** The received bytes, including delimiters. */
  readonly bytes: Uint8Array;
  /** The bytes without delimiters; absent if the frame contains no item, such as an empty line. */
  readonly content: Uint8Array | undefined;
}

/** Limits and parameters of a {@link FrameSplitter}. */
export interface FrameOptions {
  /** The boundary of a multipart body. */
  readonly boundary?: string | undefined;
  /** Maximum bytes of an item; the splitter gives up at a longer one. Default: no limit. */
  readonly maxBytes?: number | undefined;
  /** The budget of a body that is split as a whole. */
  readonly budget?: ParseBudget | undefined;
}

const [LINE_FEED, CARRIAGE_RETURN, RECORD_SEPARATOR] = [10, 13, 0x1e] as const;

/**
 * Returns the index after the item that starts at 0, or -1 if its end has not arrived. Bytes before `from` have been
 * searched already.
 */
type FindEnd = (bytes: Uint8Array, from: number) => number;

/** The rules of a framing. */
interface FramingRules {
  readonly findEnd: FindEnd;
  readonly contentOf: (bytes: Uint8Array) => Uint8Array;
  /** The content of a last item without closing delimiter; `undefined` if the framing requires one. */
  readonly lastOf: (bytes: Uint8Array) => Uint8Array | undefined;
}

/**
 * Splits the bytes of a stream into its items, wherever chunks are cut: server-sent events, JSON Lines, JSON text
 * sequences (RFC 7464) or multipart (RFC 2046). No byte is lost: the frames and {@link rest} together are the received
 * bytes.
 */
export class FrameSplitter {
  readonly #rules: FramingRules;
  readonly #maxBytes: number;
  readonly #budget: ParseBudget | undefined;
  readonly #cost: number;
  #buffer = new Uint8Array(1024);
  #length = 0;
  #searched = 0;

  constructor(framing: Framing, { boundary = '', maxBytes = Number.POSITIVE_INFINITY, budget }: FrameOptions = {}) {
    this.#rules = framing === 'multipart' ? multipartRules(boundary) : RULES[framing]();
    this.#maxBytes = maxBytes;
    this.#budget = budget;
    this.#cost = framing === 'multipart' ? PART.cost : ITEM.cost;
  }

  /** Whether an item exceeded the limit, so that nothing more is split. */
  get hasGivenUp(): boolean {
    return this.#length > this.#maxBytes;
  }

  /** The bytes of the unfinished item. */
  get pending(): Uint8Array {
    return this.#buffer.slice(0, this.#length);
  }

  /** Returns the frames that this chunk completes. @throws BudgetError if the whole body has too many */
  push(chunk: Uint8Array): Frame[] {
    this.#append(chunk);
    const frames: Frame[] = [];
    let start = 0;
    for (;;) {
      const open = this.#buffer.subarray(start, this.#length);
      const end = this.#rules.findEnd(open, this.#searched);
      if (end < 0) break;
      this.#budget?.spend(this.#cost);
      const bytes = open.slice(0, end);
      frames.push({ bytes, content: toContent(this.#rules.contentOf(bytes)) });
      start += end;
      this.#searched = 0;
    }
    this.#buffer.copyWithin(0, start, this.#length);
    this.#length -= start;
    this.#searched = this.#length;
    return frames;
  }

  /** Returns the rest after the last item as the final item, and clears it. */
  end(): Frame[] {
    const bytes = this.rest();
    return bytes.length === 0 ? [] : [{ bytes, content: toContent(this.#rules.lastOf(bytes)) }];
  }

  /** Returns the rest after the last item, and clears it. */
  rest(): Uint8Array {
    const bytes = this.pending;
    this.#length = 0;
    this.#searched = 0;
    return bytes;
  }

  /** Doubles the buffer when it is full, so that many small chunks take linear time. */
  #append(chunk: Uint8Array): void {
    const length = this.#length + chunk.length;
    if (length > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(length, this.#buffer.length * 2));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#buffer.set(chunk, this.#length);
    this.#length = length;
  }
}

function toContent(content: Uint8Array | undefined): Uint8Array | undefined {
  return content === undefined || content.length === 0 ? undefined : content;
}

const RULES: Readonly<Record<Exclude<Framing, 'multipart'>, () => FramingRules>> = {
  'event-stream': () => ({ findEnd: findEventEnd, contentOf: eventIn, lastOf: eventIn }),
  'json-lines': () => ({
    findEnd: (bytes, from) => bytes.indexOf(LINE_FEED, from) + 1 || -1,
    contentOf: trim,
    lastOf: trim,
  }),
  'json-seq': () => ({ findEnd: createRecordEnd(), contentOf: trim, lastOf: trim }),
};

function isLineEnd(byte: number | undefined): boolean {
  return byte === LINE_FEED || byte === CARRIAGE_RETURN;
}

/** Removes line ends, spaces and record separators around JSON. */
function trim(bytes: Uint8Array): Uint8Array {
  const isBlank = (byte: number | undefined): boolean =>
    isLineEnd(byte) || byte === RECORD_SEPARATOR || byte === 32 || byte === 9;
  let [start, end] = [0, bytes.length];
  while (start < end && isBlank(bytes[start])) start += 1;
  while (end > start && isBlank(bytes[end - 1])) end -= 1;
  return bytes.subarray(start, end);
}

/**
 * An event ends with an empty line; lines end with CR, LF or both. Line ends before an event are one frame without
 * content, however many they are; a LF that belongs to the CR of the last event may be among them.
 */
function findEventEnd(bytes: Uint8Array, from: number): number {
  let blank = 0;
  while (isLineEnd(bytes[blank])) blank += 1;
  if (blank > 0) return blank;
  for (let index = Math.max(from, 1); index < bytes.length; index += 1) {
    const before = bytes[index - 1];
    if (!isLineEnd(bytes[index]) || !isLineEnd(before)) continue;
    if (bytes[index] !== LINE_FEED || before !== CARRIAGE_RETURN) return index + 1;
  }
  return -1;
}

function eventIn(bytes: Uint8Array): Uint8Array {
  return isLineEnd(bytes[0]) ? bytes.subarray(0, 0) : bytes;
}

/**
 * A record ends where the next one begins, or at a line feed if the text before it is JSON. The text is parsed again
 * only after it has doubled in length, so that the time stays linear.
 */
function createRecordEnd(): FindEnd {
  let tried = 0;
  const ends = (end: number): number => {
    tried = 0;
    return end;
  };
  return (bytes, from) => {
    const next = bytes.indexOf(RECORD_SEPARATOR, Math.max(from, 1));
    if (next > 0) return ends(next);
    const isOpen = bytes.length === 0 || bytes[bytes.length - 1] !== LINE_FEED || bytes.length < tried * 2;
    if (isOpen) return -1;
    if (isJson(bytes)) return ends(bytes.length);
    tried = bytes.length;
    return -1;
  };
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder().decode(trim(bytes)));
    return true;
  } catch {
    return false;
  }
}

/** A part ends at the next delimiter. Bytes before the first delimiter belong to no part. */
function multipartRules(boundary: string): FramingRules {
  const delimiter = new TextEncoder().encode(`\r\n--${boundary}`);
  let parts = -1;
  const contentOf = (bytes: Uint8Array): Uint8Array => {
    parts += 1;
    const lineEnd = bytes.indexOf(LINE_FEED);
    return parts === 0 || lineEnd < 0
      ? new Uint8Array()
      : bytes.subarray(lineEnd + 1, Math.max(lineEnd + 1, bytes.length - delimiter.length));
  };
  return {
    findEnd: (bytes, from) => {
      // The first delimiter may be at the start, without a line end before it.
      const first = parts < 0 && from < delimiter.length ? startsWith(bytes, delimiter.subarray(2), 0) : false;
      if (first) return delimiter.length - 2;
      return findBytes(bytes, delimiter, Math.max(0, from - delimiter.length)) + delimiter.length;
    },
    contentOf,
    lastOf: () => undefined,
  };
}

function startsWith(bytes: Uint8Array, wanted: Uint8Array, at: number): boolean {
  return bytes.length >= at + wanted.length && wanted.every((byte, index) => bytes[at + index] === byte);
}

/**
 * Returns the index of the wanted bytes. If they are absent, the index is so low that it stays negative after adding
 * their length.
 */
function findBytes(bytes: Uint8Array, wanted: Uint8Array, from: number): number {
  const [first = 0] = wanted;
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1))
    if (startsWith(bytes, wanted, at)) return at;
  return -wanted.length - 1;
}
