/** One event of a `text/event-stream`. */
export interface ServerSentEvent {
  /** `message` where the stream does not name it. */
  readonly event: string;
  /** The lines of data, joined. */
  readonly data: string;
  /** The last id that the stream has given. */
  readonly id: string | undefined;
  /** How long to wait before connecting anew, in milliseconds, where the stream says so. */
  readonly retry: number | undefined;
  /** Whether the stream ended inside this event: then it may not be whole. */
  readonly partial: boolean;
  /** The event as it came, where it is partial; else empty. */
  readonly raw: string;
}

/** The connection broke off inside a stream, or an event in it cannot be read. */
export class BrokenStreamError extends Error {
  override readonly name: string = 'BrokenStreamError';
  /** What came of the event that is not whole, as text. */
  readonly partial: string;

  constructor(message: string, partial: string, options?: ErrorOptions) {
    super(message, options);
    this.partial = partial;
  }
}

/**
 * Reads events (WHATWG HTML, section 9.2.6), however the bytes are cut: lines end with CR, LF or both, characters may be
 * spread over chunks, comments are left out. An event that the stream ends in is given too, marked `partial`.
 *
 * @throws BrokenStreamError where the connection breaks off.
 */
export async function* readEvents(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  const parser = new EventParser();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw new BrokenStreamError('The stream broke off.', parser.raw, { cause });
      });
      if (done) break;
      yield* parser.push(value);
    }
    yield* parser.end();
  } finally {
    // Closes the connection where the reader stops early; where the stream is over, it changes nothing.
    reader.cancel().catch(() => undefined);
  }
}

class EventParser {
  /** The lines of the event that is not whole yet. */
  #lines: string[] = [];
  /** The line that is not whole yet. */
  #rest = '';
  #afterCr = false;
  #id: string | undefined;

  get raw(): string {
    return [...this.#lines, this.#rest].join('\n');
  }

  *push(chunk: string): Generator<ServerSentEvent> {
    const text = this.#afterCr && chunk.startsWith('\n') ? chunk.slice(1) : chunk;
    if (chunk !== '') this.#afterCr = chunk.endsWith('\r');
    const [first = '', ...lines] = text.split(/\r\n|\r|\n/);
    this.#rest += first;
    for (const line of lines) {
      yield* this.#endLine();
      this.#rest = line;
    }
  }

  *end(): Generator<ServerSentEvent> {
    const { raw } = this;
    if (this.#rest !== '') this.#lines.push(this.#rest);
    this.#rest = '';
    if (this.#lines.some((line) => line !== '' && !line.startsWith(':'))) yield this.#build(raw);
  }

  *#endLine(): Generator<ServerSentEvent> {
    if (this.#rest !== '') {
      this.#lines.push(this.#rest);
      return;
    }
    const event = this.#build('');
    // Without data there is no event.
    if (event.data !== '' || this.#lines.some((line) => /^data(:|$)/.test(line))) yield event;
    this.#lines = [];
  }

  #build(raw: string): ServerSentEvent {
    const fields = this.#lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
    });
    // Of each name the last one counts; an id with a null character is none.
    const last = new Map(fields.filter(([field, value]) => field !== 'id' || !value.includes('\0')));
    this.#id = last.get('id') ?? this.#id;
    const retry = last.get('retry');
    return {
      event: last.get('event') || 'message',
      data: fields.flatMap(([field, value]) => (field === 'data' ? [value] : [])).join('\n'),
      id: this.#id,
      retry: retry !== undefined && /^\d+$/.test(retry) ? Number(retry) : undefined,
      partial: raw !== '',
      raw,
    };
  }
}
