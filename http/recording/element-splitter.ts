/** An element of the list of calls, not yet parsed. */
export interface RawElement {
  readonly bytes: Buffer;
  /** The line of its first character, 1-based. */
  readonly line: number;
}

/** A document whose list of calls is its root, or `log.entries`. */
export type RecordingFormat = 'journal' | 'har';

/** A part of a recording that has more bytes than memory is meant for. */
export class TooLargeError extends Error {}

/** The most bytes of one call. */
const LARGEST_ELEMENT = 64 * 1_024 * 1_024;

/** The most bytes beside the list of calls, such as pages. */
const LARGEST_REST = 16 * 1_024 * 1_024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const LINE_FEED = 0x0a;

/** Longer names of members are cut: none of them is looked for. */
const LONGEST_NAME = 16;

/**
 * Finds the calls of a JSON document that arrives in chunks, and keeps only the incomplete one. It reads each byte
 * once and checks no syntax: the caller parses each call, and the rest of the document, in which the list is empty. If all
 * of these are JSON, the document is.
 */
export class ElementSplitter {
  format: RecordingFormat | undefined;
  #line = 1;
  #isInList = false;
  #isInString = false;
  #isEscaped = false;
  /** Open brackets: within the list, those of the element. */
  #depth = 0;
  /** The names of the members that lead to the current place, by depth. */
  readonly #names: string[] = [];
  /** The last string outside of the list, cut. */
  #string: number[] = [];
  readonly #rest: Buffer[] = [];
  #restSize = 0;
  readonly #pieces: Buffer[] = [];
  #pieceSize = 0;
  #firstLine = 1;
  #count = 0;
  #listDepth = 0;

  /** Returns the calls that end in a chunk, as long as its memory does not change. @throws TooLargeError */
  push(chunk: Buffer): RawElement[] {
    const elements: RawElement[] = [];
    let index = 0;
    while (index < chunk.length) {
      index = this.#isInList ? this.#readList(chunk, index, elements) : this.#readRest(chunk, index);
    }
    return elements;
  }

  /** The document without its calls, when all of it has arrived. */
  get rest(): Buffer {
    return Buffer.concat([...this.#rest, ...this.#pieces]);
  }

  /** Reads what is not in the list, up to its start or the end of the chunk. */
  #readRest(chunk: Buffer, start: number): number {
    for (let index = start; index < chunk.length; index += 1) {
      if (!this.#readRestByte(chunk[index] ?? 0)) continue;
      this.#keep(chunk.subarray(start, index + 1));
      this.#isInList = true;
      this.#firstLine = this.#line;
      return index + 1;
    }
    this.#keep(chunk.subarray(start));
    return chunk.length;
  }

  /** Returns whether the byte opens the list of calls. */
  #readRestByte(byte: number): boolean {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) this.#isInString = false;
      else if (this.#string.length < LONGEST_NAME) this.#string.push(byte);
      return false;
    }
    switch (byte) {
      case QUOTE:
        this.#isInString = true;
        this.#string = [];
        return false;
      case COLON:
        if (this.#depth <= 2) this.#names[this.#depth] = String.fromCharCode(...this.#string);
        return false;
      case OPEN_OBJECT:
      case OPEN_LIST:
        return this.#open(byte);
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        this.#depth -= 1;
        return false;
      case LINE_FEED:
        this.#line += 1;
        return false;
      default:
        return false;
    }
  }

  #open(byte: number): boolean {
    if (byte === OPEN_LIST && this.format === undefined) {
      if (this.#depth === 0 && this.#names.length === 0) this.format = 'journal';
      if (this.#depth === 2 && this.#names[1] === 'log' && this.#names[2] === 'entries') this.format = 'har';
      if (this.format !== undefined) return true;
    }
    this.#depth += 1;
    this.#names[this.#depth] = '';
    return false;
  }

  /** Reads the list up to its end or the end of the chunk. */
  #readList(chunk: Buffer, from: number, elements: RawElement[]): number {
    // Within the loop, local variables take half of the time of members.
    let [start, index, isInString, line] = [from, from, this.#isInString, this.#line];
    let depth = this.#listDepth;
    for (; index < chunk.length; index += 1) {
      if (isInString) {
        index = this.#endOfString(chunk, index);
        isInString = index === chunk.length;
        continue;
      }
      const byte = chunk[index];
      if (byte === QUOTE) isInString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
      else if (byte === LINE_FEED) line += 1;
      else if (depth > 0 && (byte === CLOSE_OBJECT || byte === CLOSE_LIST)) depth -= 1;
      else if (depth === 0 && (byte === COMMA || byte === CLOSE_LIST)) {
        this.#finish(chunk.subarray(start, index), byte === COMMA, elements);
        [start, this.#firstLine] = [index + 1, line];
        if (byte === COMMA) continue;
        [this.#isInList, this.#line, this.#isInString, this.#listDepth] = [false, line, false, 0];
        // The caller reads the bracket as a part of the rest.
        return index;
      }
    }
    this.#collect(chunk.subarray(start));
    [this.#isInString, this.#line, this.#listDepth] = [isInString, line, depth];
    return chunk.length;
  }

  /** The index of the closing quote, or the length of the chunk. */
  #endOfString(chunk: Buffer, start: number): number {
    let index = this.#isEscaped ? start + 1 : start;
    this.#isEscaped = false;
    for (; index < chunk.length; index += 1) {
      const byte = chunk[index];
      if (byte === QUOTE) return index;
      if (byte === BACKSLASH) {
        if (index + 1 === chunk.length) this.#isEscaped = true;
        index += 1;
      }
    }
    return chunk.length;
  }

  /** Copies the piece, because the caller may use the memory of the chunk again. */
  #collect(piece: Buffer): void {
    this.#pieces.push(Buffer.from(piece));
    this.#pieceSize += piece.length;
    if (this.#pieceSize > LARGEST_ELEMENT) throw tooLargeCall();
  }

  #finish(last: Buffer, hasNext: boolean, elements: RawElement[]): void {
    if (last.length > LARGEST_ELEMENT - this.#pieceSize) throw tooLargeCall();
    const bytes = this.#pieces.length === 0 ? last : Buffer.concat([...this.#pieces, last]);
    [this.#pieces.length, this.#pieceSize] = [0, 0];
    const start = bytes.findIndex((byte) => !isBlank(byte));
    if (start !== -1) elements.push({ bytes: bytes.subarray(start), line: this.#firstLine + countLines(bytes, start) });
    // In the rest, a list with a missing element is no JSON, and any other one is empty.
    else if (hasNext || this.#count > 0) this.#keep(MISSING_ELEMENT);
    this.#count += 1;
  }

  /** Copies the part, because it would keep its whole chunk in memory. */
  #keep(part: Buffer): void {
    this.#rest.push(Buffer.from(part));
    this.#restSize += part.length;
    if (this.#restSize > LARGEST_REST) throw new TooLargeError('it has more than 16 MB beside the list of calls');
  }
}

const MISSING_ELEMENT = Buffer.from(',');

function tooLargeCall(): TooLargeError {
  return new TooLargeError('a call in it has more than 64 MB');
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === LINE_FEED || byte === 0x0d || byte === 0x09;
}

function countLines(bytes: Buffer, end: number): number {
  let lines = 0;
  for (let index = 0; index < end; index += 1) if (bytes[index] === LINE_FEED) lines += 1;
  return lines;
}
