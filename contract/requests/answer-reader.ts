import type { AnswerHeaders } from '../types.js';

/** What stands before the body of an answer. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: AnswerHeaders;
}

/** A server wrote what HTTP/1.1 does not allow. */
export class MalformedAnswer extends Error {
  override readonly name = 'MalformedAnswer';
}

/** Bytes that a head, a trailer or the line of a chunk may take. */
const MAX_HEAD = 65_536;
const EMPTY = Buffer.alloc(0);
const LINE_END = '\r\n';

/** What comes next: `counted`, `chunk` and `open` are bytes of the body, of which `open` goes on until the connection ends. */
type Step = 'head' | 'counted' | 'chunk size' | 'chunk' | 'chunk end' | 'trailer' | 'open' | 'done';

/**
 * Reads one answer of HTTP/1.1 (RFC 9112) as its bytes come, in pieces of any size. It is strict: what two readers could
 * understand differently is an error.
 */
export class AnswerReader {
  readonly #method: string;
  readonly #chunks: Buffer[] = [];
  #step: Step = 'head';
  /** Bytes of a line that is not there in full yet. */
  #rest: Buffer = EMPTY;
  /** Bytes that are still to come of the body or the chunk. */
  #left = 0;
  #isKept = true;
  #head: AnswerHead | undefined;
  /** Bytes of the body so far. */
  size = 0;

  constructor(method: string) {
    this.#method = method;
  }

  /** Once it is there in full. */
  get head(): AnswerHead | undefined {
    return this.#head;
  }

  get body(): Buffer {
    const [only = EMPTY] = this.#chunks;
    return this.#chunks.length > 1 ? Buffer.concat(this.#chunks) : only;
  }

  get isDone(): boolean {
    return this.#step === 'done';
  }

  /** Whether the connection can carry another request after this answer. */
  get isKept(): boolean {
    return this.#isKept;
  }

  /**
   * Takes in what has come.
   *
   * @throws MalformedAnswer
   */
  push(bytes: Buffer): void {
    let open = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    this.#rest = EMPTY;
    while (open.length > 0 && this.#step !== 'done') {
      const left = this.#take(open);
      if (left === undefined) {
        if (open.length > MAX_HEAD) throw new MalformedAnswer('a head has no end');
        this.#rest = open;
        return;
      }
      open = left;
    }
    // Nobody has asked for more: whose answer it is cannot be known.
    if (open.length > 0) this.#isKept = false;
  }

  /**
   * The connection has ended, which some answers do too.
   *
   * @throws MalformedAnswer where something is missing.
   */
  end(): void {
    this.#isKept = false;
    if (this.#step === 'open') this.#step = 'done';
    if (this.#step !== 'done') throw new MalformedAnswer('the connection ended before the answer did');
  }

  /** Takes one step and gives the bytes after it; `undefined` where a line is not there in full. */
  #take(bytes: Buffer): Buffer | undefined {
    switch (this.#step) {
      case 'head':
        return this.#takeUntil(bytes, '\r\n\r\n', (text) => this.#beginBody(text));
      case 'counted':
        return this.#takeBody(bytes, 'done');
      case 'chunk':
        return this.#takeBody(bytes, 'chunk end');
      case 'chunk size':
        return this.#takeUntil(bytes, LINE_END, (text) => this.#beginChunk(text));
      case 'chunk end':
        return this.#takeUntil(bytes, LINE_END, (text) => {
          if (text !== '') throw new MalformedAnswer('a chunk is longer than it says');
          this.#step = 'chunk size';
        });
      case 'trailer':
        return this.#takeUntil(bytes, LINE_END, (text) => {
          if (text === '') this.#step = 'done';
          else readField(text);
        });
      default:
        this.#keep(bytes);
        return EMPTY;
    }
  }

  #takeUntil(bytes: Buffer, mark: string, read: (text: string) => void): Buffer | undefined {
    const end = bytes.indexOf(mark, 0, 'latin1');
    if (end === -1) return undefined;
    read(bytes.toString('latin1', 0, end));
    return bytes.subarray(end + mark.length);
  }

  #takeBody(bytes: Buffer, next: Step): Buffer {
    const own = bytes.subarray(0, this.#left);
    this.#keep(own);
    this.#left -= own.length;
    if (this.#left === 0) this.#step = next;
    return bytes.subarray(own.length);
  }

  #keep(bytes: Buffer): void {
    this.#chunks.push(bytes);
    this.size += bytes.length;
  }

  #beginBody(text: string): void {
    const { version, status, headers } = readHead(text);
    // What comes before the answer itself, such as 103 Early Hints.
    if (status < 200 && status !== 101) return;
    this.#head = { status, headers };
    const connection = (headers.get('connection') ?? '').toLowerCase().split(/[\t ]*,[\t ]*/);
    this.#isKept =
      status !== 101 && !connection.includes('close') && (version === '1' || connection.includes('keep-alive'));
    const [coding, length] = [headers.get('transfer-encoding'), headers.get('content-length')];
    if (coding !== null && length !== null) throw new MalformedAnswer('the length of the body is said twice');
    if (length !== null && !/^\d{1,15}$/.test(length)) throw new MalformedAnswer('the length of the body is no number');
    if (this.#method === 'HEAD' || status === 101 || status === 204 || status === 304) this.#step = 'done';
    else if (coding !== null) this.#step = /(?:^|[\t ,])chunked$/i.test(coding) ? 'chunk size' : 'open';
    else if (length === null) this.#step = 'open';
    else {
      this.#left = Number(length);
      this.#step = this.#left === 0 ? 'done' : 'counted';
    }
  }

  #beginChunk(text: string): void {
    const size = /^([\da-f]{1,12})[\t ]*(?:;.*)?$/i.exec(text)?.[1];
    if (size === undefined) throw new MalformedAnswer('the size of a chunk is no number');
    this.#left = Number.parseInt(size, 16);
    this.#step = this.#left === 0 ? 'trailer' : 'chunk';
  }
}

interface Head extends AnswerHead {
  /** The second number of the version. */
  readonly version: string;
}

function readHead(text: string): Head {
  const [first = '', ...fields] = text.split(LINE_END);
  const [, version, status] = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [\t\u0020-\u007e\u0080-\u00ff]*)?$/.exec(first) ?? [];
  if (version === undefined || status === undefined) throw new MalformedAnswer('the first line is no status line');
  const values = new Map<string, string>();
  for (const field of fields) {
    const [name, value] = readField(field);
    const known = values.get(name);
    values.set(name, known === undefined ? value : `${known}, ${value}`);
  }
  return { version, status: Number(status), headers: headersFrom(values) };
}

const FIELD = /^([!#$%&'*+.^_`|~\w-]+):[\t ]*([\t\u0020-\u007e\u0080-\u00ff]*)$/;

function readField(line: string): readonly [string, string] {
  const [, name, value] = FIELD.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new MalformedAnswer('a line of the head is no header');
  return [name.toLowerCase(), value.trimEnd()];
}

/** Cheaper than `Headers` of the platform, which checks what is known to be right and can be changed. */
function headersFrom(values: ReadonlyMap<string, string>): AnswerHeaders {
  return {
    get: (name) => values.get(name.toLowerCase()) ?? null,
    has: (name) => values.has(name.toLowerCase()),
  };
}

/** The headers of an answer that never came. */
export const NO_HEADERS: AnswerHeaders = headersFrom(new Map());
