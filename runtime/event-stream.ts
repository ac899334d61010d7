import type { CallOptions, RequestValues } from './context.js';
import { ApiError, type HeaderValues, MalformedBodyError, NetworkError, TimeoutError } from './errors.js';
import { readPointer, wait } from './helpers.js';

/** How the stream of an operation is read. */
export interface StreamPlan {
  /** Name of the function. */
  readonly name: string;
  /** The name of the operation in the API description, if it differs. */
  readonly id?: string;
  /** Query values that make the server respond with a stream. */
  readonly query?: object;
  /** JSON pointers into an event: to the error, and to its status. */
  readonly error?: { readonly pointer: string; readonly status?: string };
  /** Data that marks the end of the stream and is not a message. */
  readonly end?: string;
  /** Documented failures. */
  readonly failures?: readonly (number | string)[];
  /** Reads a message. Default: `JSON.parse`. */
  readonly parse?: (text: string) => unknown;
}

/** Options of one stream. */
export interface StreamOptions extends CallOptions {
  /** Called with each event before its message is parsed: its name, id and retry time. */
  readonly onEvent?: ((event: ServerSentEvent) => void) | undefined;
  /** Reconnects after a break and continues after the last event, using `Last-Event-ID`. Default: `false`. */
  readonly reconnect?: boolean | ReconnectPolicy | undefined;
  /** Data that marks the end of the stream and is not a message, such as `[DONE]`. Default: as the API description says. */
  readonly end?: string | undefined;
}

/** How a broken stream is reconnected. */
export interface ReconnectPolicy {
  /** Maximum number of consecutive breaks without an event. Default: 5. */
  readonly attempts?: number | undefined;
  /** Milliseconds before the first attempt, unless the stream sets another delay with `retry`. Default: 1000. */
  readonly delay?: number | undefined;
  /** The longest wait in milliseconds. Default: 30 s. */
  readonly maxDelay?: number | undefined;
  /** Also reconnects when the server ends the stream, as browsers do. Default: `false`. */
  readonly afterEnd?: boolean | undefined;
}

/** The request and the options of a stream. */
export interface StreamArguments<Request> {
  readonly request: Request | undefined;
  readonly options: StreamOptions | undefined;
}

interface StreamResponse {
  readonly status: number;
  readonly data: unknown;
  readonly headers: HeaderValues;
  readonly response: Response;
}

/**
 * Reads the messages of a stream of server-sent events. The call is made when the first message is requested; leaving
 * the loop aborts it. A last event that lacks its final empty line is cut off, and is dropped (WHATWG HTML, section
 * 9.2.6), or sent again if the stream reconnects.
 *
 * @throws ApiError if the server refuses the call, or sends an error in the stream.
 * @throws BrokenStreamError if the stream breaks or a message cannot be parsed; `partial` is the text that was received
 * of it.
 */
export async function* streamMessages<Request extends RequestValues, Message>(
  call: (request: Request, options: CallOptions) => Promise<StreamResponse>,
  plan: StreamPlan,
  { request, options = {} }: StreamArguments<Request>,
): AsyncGenerator<Message, void, undefined> {
  const query = plan.query === undefined ? request : { ...request, query: { ...request?.query, ...plan.query } };
  const policy = options.reconnect === true ? {} : options.reconnect || undefined;
  const end = options.end ?? plan.end;
  const known: Connection = { failures: 0 };
  for (;;) {
    try {
      const response = await connect(() => call(query as Request, streamOptions(options, known.id)), plan);
      for await (const event of readEvents(response.body, (retry) => (known.retry = retry))) {
        if (event.partial && policy !== undefined) throw new BrokenStreamError('The stream broke off.', event.raw);
        if (event.partial) return;
        known.failures = 0;
        known.id = event.id ?? known.id;
        options.onEvent?.(event);
        if (end !== undefined && event.data === end) return;
        yield readMessage(event, plan, response) as Message;
      }
      if (policy?.afterEnd !== true) return;
    } catch (error) {
      if (error instanceof BrokenStreamError && options.signal?.aborted) throw options.signal.reason;
      known.failures += 1;
      if (policy === undefined || !isBreak(error) || known.failures > (policy.attempts ?? 5)) throw error;
    }
    await wait(chooseDelay(known, policy ?? {}), {}, options.signal);
  }
}

/** The state that a stream needs to reconnect. */
interface Connection {
  /** Breaks since the last event. */
  failures: number;
  id?: string | undefined;
  retry?: number | undefined;
}

function streamOptions(
  { reconnect: _reconnect, end: _end, ...options }: StreamOptions,
  id: string | undefined,
): CallOptions {
  const last = id === undefined || id === '' ? {} : { 'last-event-id': id };
  return { ...options, headers: { accept: 'text/event-stream', ...options.headers, ...last } };
}

/** Makes the call; its data must be a stream. */
async function connect(
  call: () => Promise<StreamResponse>,
  { name }: StreamPlan,
): Promise<StreamResponse & { readonly body: ReadableStream<Uint8Array> }> {
  const response = await call();
  // An iterable of items has not read anything from the body yet.
  const body = isItems(response.data) ? response.response.body : response.data;
  if (!isStream(body)) throw new MalformedBodyError(`${name} responded ${response.status} without a stream of events.`);
  return { ...response, body };
}

/** Whether the connection broke, rather than its data being malformed. */
function isBreak(error: unknown): boolean {
  if (error instanceof BrokenStreamError) return !(error.cause instanceof SyntaxError);
  return error instanceof NetworkError || error instanceof TimeoutError;
}

/** Milliseconds until the next attempt: doubled with each consecutive break, minus a random part of up to half. */
function chooseDelay({ failures, retry }: Connection, { delay = 1000, maxDelay = 30_000 }: ReconnectPolicy): number {
  return Math.min((retry ?? delay) * 2 ** Math.max(0, failures - 1), maxDelay) * (1 - Math.random() / 2);
}

function isStream(value: unknown): value is ReadableStream<Uint8Array> {
  return typeof value === 'object' && value !== null && 'getReader' in value;
}

function isItems(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value && !isStream(value);
}

function readMessage(event: ServerSentEvent, plan: StreamPlan, { status, headers }: StreamResponse): unknown {
  let message: unknown;
  try {
    message = (plan.parse ?? JSON.parse)(event.data);
  } catch (cause) {
    throw new BrokenStreamError('An event of the stream is not JSON.', event.data, { cause });
  }
  if (plan.error === undefined || readPointer(message, plan.error.pointer) === undefined) return message;
  const code = readPointer(message, plan.error.status ?? '');
  const failure = typeof code === 'number' ? code : status;
  const documented = [failure, `${Math.floor(failure / 100)}XX`, 'default'].some((key) => plan.failures?.includes(key));
  throw new ApiError(plan, { status: failure, body: message, headers, documented });
}

/** One event of a `text/event-stream`. */
export interface ServerSentEvent {
  /** `message` if the stream does not name the event. */
  readonly event: string;
  /** The lines of data, joined. */
  readonly data: string;
  /** The last id that the stream has sent so far. */
  readonly id: string | undefined;
  /** How long to wait before reconnecting, in milliseconds, if the event says so. */
  readonly retry: number | undefined;
  /** Whether the stream ended inside this event, so that it may be incomplete. */
  readonly partial: boolean;
  /** The text of the event if it is partial, else empty. */
  readonly raw: string;
}

/** The connection broke inside a stream, or an event could not be parsed. */
export class BrokenStreamError extends Error {
  override readonly name: string = 'BrokenStreamError';
  /** The text that was received of the incomplete event. */
  readonly partial: string;

  constructor(message: string, partial: string, options?: ErrorOptions) {
    super(message, options);
    this.partial = partial;
  }
}

/**
 * Parses events (WHATWG HTML, section 9.2.6). Lines end with CR, LF or both; characters may be split between chunks;
 * comments are skipped. If the stream ends inside an event, that event is marked `partial`.
 *
 * @param onRetry - called with each time that the stream sets for reconnecting, also in a block without data.
 * @throws BrokenStreamError if the connection breaks.
 */
export async function* readEvents(
  stream: ReadableStream<Uint8Array>,
  onRetry?: (milliseconds: number) => void,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const reader = stream.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, unknown>).getReader();
  const parser = new EventParser(onRetry);
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
    // Closes the connection if the reader stops early; no effect at the end of the stream.
    reader.cancel().catch(() => undefined);
  }
}

/** Without carriage returns, a text is split much faster. */
function splitLines(text: string): string[] {
  return text.includes('\r') ? text.split(/\r\n|\r|\n/) : text.split('\n');
}

/** Splits text into events, wherever its chunks are cut. */
export class EventParser {
  /** The lines of the unfinished event. */
  #lines: string[] = [];
  /** The unfinished line. */
  #rest = '';
  #afterCr = false;
  #id: string | undefined;
  readonly #onRetry: ((milliseconds: number) => void) | undefined;

  constructor(onRetry?: (milliseconds: number) => void) {
    this.#onRetry = onRetry;
  }

  get raw(): string {
    return [...this.#lines, this.#rest].join('\n');
  }

  push(chunk: string): ServerSentEvent[] {
    const text = this.#afterCr && chunk.startsWith('\n') ? chunk.slice(1) : chunk;
    if (chunk !== '') this.#afterCr = chunk.endsWith('\r');
    const lines = splitLines(text);
    // Only joined, since many chunks may belong to one line.
    lines[0] = this.#rest + (lines[0] ?? '');
    this.#rest = lines.pop() ?? '';
    const events: ServerSentEvent[] = [];
    for (const line of lines) {
      if (line !== '') this.#lines.push(line);
      else if (this.#lines.length > 0) {
        const { event, hasData } = this.#build('');
        // An event without data is not dispatched.
        if (hasData) events.push(event);
        this.#lines = [];
      }
    }
    return events;
  }

  end(): ServerSentEvent[] {
    const { raw } = this;
    if (this.#rest !== '') this.#lines.push(this.#rest);
    this.#rest = '';
    const isBegun = this.#lines.some((line) => !line.startsWith(':'));
    return isBegun ? [this.#build(raw).event] : [];
  }

  /** The last field of each name wins, except `data`. */
  #build(raw: string): { readonly event: ServerSentEvent; readonly hasData: boolean } {
    const data: string[] = [];
    let [event, retry]: [string, number | undefined] = ['', undefined];
    for (const line of this.#lines) {
      const colon = line.indexOf(':');
      // A comment.
      if (colon === 0) continue;
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1));
      if (field === 'data') data.push(value);
      else if (field === 'event') event = value;
      else if (field === 'id' && !value.includes('\0')) this.#id = value;
      else if (field === 'retry' && /^\d+$/.test(value)) retry = Number(value);
    }
    if (retry !== undefined) this.#onRetry?.(retry);
    const found = { event: event || 'message', data: data.join('\n'), id: this.#id, retry, partial: raw !== '', raw };
    return { event: found, hasData: data.length > 0 };
  }
}
