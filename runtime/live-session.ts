import { buildRequest, startDeadline } from './client.js';
import type { CallOptions, ClientContext, OperationData, RequestValues } from './context.js';
import { MalformedBodyError, NetworkError, TimeoutError } from './errors.js';
import { Fifo } from './fifo.js';
import { readPointer, writePointer } from './helpers.js';

/** The part of the WebSocket interface that a session uses. */
export interface WebSocketLike {
  binaryType: string;
  send(data: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'open' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { readonly code: number; readonly reason: string }) => void): void;
}

/** The protocol of a session, as JSON pointers into its messages. */
export interface LivePlan {
  readonly operation: OperationData;
  /** The setup, in the client's first message only. */
  readonly setup: string;
  /** In a message of the server: the session is ready. */
  readonly ready: string;
  /** In a message of the server: it will close soon. */
  readonly goAway?: string;
  /** The handle in messages of the server, and its place in the first message of the next session. */
  readonly resumption?: { readonly handle: string; readonly resume: string };
  /** Replaces `JSON.parse` and `JSON.stringify`. */
  readonly parse?: (text: string) => unknown;
  readonly stringify?: (value: unknown) => string;
}

/** Options of a session. The signal also ends the session; the timeout limits the time until it is ready. */
export interface LiveOptions extends CallOptions {
  /** Replaces the `WebSocket` of the platform. */
  readonly webSocket?: ((url: string) => WebSocketLike) | undefined;
}

/** The setup, the request and the options of a session. */
export interface LiveArguments<Setup> {
  readonly setup: Setup;
  readonly request?: RequestValues | undefined;
  readonly options: LiveOptions | undefined;
}

/** The server closed the session. */
export class SessionClosedError extends Error {
  override readonly name: string = 'SessionClosedError';
  /** As in RFC 6455, section 7.4. */
  readonly code: number;
  readonly reason: string;

  constructor({ code, reason }: { readonly code: number; readonly reason: string }) {
    super(`The server closed the session with ${code}${reason === '' ? '' : `: ${reason}`}`);
    this.code = code;
    this.reason = reason;
  }
}

/**
 * Opens a session: connects, sends the setup and waits until the server is ready.
 *
 * @throws SessionClosedError if the server closes instead, NetworkError if there is no connection, TimeoutError if it takes
 * too long, and the reason of the signal if the signal aborted it.
 */
export async function openLiveSession<Setup, ClientMessage, ServerMessage>(
  context: ClientContext,
  plan: LivePlan,
  given: LiveArguments<Setup>,
): Promise<LiveSession<Setup, ClientMessage, ServerMessage>> {
  const { request = {}, options = {} } = given;
  const { operation } = plan;
  const deadline = startDeadline(options.timeout ?? context.timeout, options.signal);
  try {
    const built = await buildRequest({ context, operation, request, options, init: {}, signal: undefined });
    const { url } = (await context.onRequest?.(built)) ?? built;
    const socket = connect(url.replace(/^http/, 'ws'), options, operation.name);
    const session = new LiveSession<Setup, ClientMessage, ServerMessage>(socket, plan, {
      ...given,
      open: (next) => openLiveSession(context, plan, next),
    });
    const stop = (): void =>
      session.end(
        options.signal?.aborted
          ? (options.signal.reason as Error)
          : new TimeoutError(`${operation.name} was not ready in time.`),
      );
    if (deadline.signal?.aborted) stop();
    else deadline.signal?.addEventListener('abort', stop, { once: true });
    await session.ready;
    return session;
  } finally {
    deadline.clear();
  }
}

function connect(url: string, { webSocket }: LiveOptions, name: string): WebSocketLike {
  try {
    return webSocket?.(url) ?? new WebSocket(url);
  } catch (cause) {
    // The address may contain a credential, so the message does not repeat it.
    throw new NetworkError(`${name} could not connect.`, { cause });
  }
}

interface SessionStart<Setup, ClientMessage, ServerMessage> extends LiveArguments<Setup> {
  readonly open: (next: LiveArguments<Setup>) => Promise<LiveSession<Setup, ClientMessage, ServerMessage>>;
}

/** An open session. A loop over its messages can be left and started again; messages are kept until they are read. */
export class LiveSession<Setup, ClientMessage, ServerMessage> implements AsyncIterable<ServerMessage> {
  /** Resolves when the server is ready; rejects if it never will be. */
  readonly ready: Promise<void>;
  /** The last handle to resume the session with, if the setup requested one. */
  handle: string | undefined;
  /** The notice of the server that it will close soon: call {@link resume}. */
  goAway: unknown;
  readonly #socket: WebSocketLike;
  readonly #plan: LivePlan;
  readonly #start: SessionStart<Setup, ClientMessage, ServerMessage>;
  readonly #inbox = new Inbox<ServerMessage>();
  #isOpen = true;
  #accept: () => void = () => undefined;
  #refuse: (error: Error) => void = () => undefined;

  /** Use the generated function instead. */
  constructor(socket: WebSocketLike, plan: LivePlan, start: SessionStart<Setup, ClientMessage, ServerMessage>) {
    this.#socket = socket;
    this.#plan = plan;
    this.#start = start;
    this.ready = new Promise((resolve, reject) => {
      this.#accept = resolve;
      this.#refuse = reject;
    });
    this.#listen();
  }

  /**
   * Sends a message.
   *
   * @throws TypeError if it contains another setup. The loop over messages throws SessionClosedError and NetworkError.
   */
  send(message: ClientMessage): void {
    if (readPointer(message, this.#plan.setup) !== undefined)
      throw new TypeError('A session has one setup, which was sent when it was opened.');
    if (!this.#isOpen) throw new NetworkError('The session is closed.');
    this.#socket.send((this.#plan.stringify ?? JSON.stringify)(message));
  }

  /** Closes the session; messages that were received can still be read. */
  close(): void {
    this.end(undefined);
  }

  /** Ends the session. An error is thrown to all readers; without one, the messages just end. */
  end(error: Error | undefined): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#inbox.end(error);
    this.#refuse(error ?? new NetworkError('The session was closed before it was ready.'));
    this.#socket.close(1000);
  }

  /**
   * Opens a new session that continues this one, and closes this one.
   *
   * @throws TypeError if the server sent no handle, and everything that opening throws.
   */
  async resume(): Promise<LiveSession<Setup, ClientMessage, ServerMessage>> {
    const { resumption, setup: place } = this.#plan;
    if (resumption === undefined || this.handle === undefined)
      throw new TypeError('The session cannot be resumed: the server sent no handle.');
    const { open, setup, ...rest } = this.#start;
    const first = writePointer(writePointer({}, place, setup), resumption.resume, this.handle);
    const next = await open({ ...rest, setup: readPointer(first, place) as Setup });
    next.handle ??= this.handle;
    if (this.#isOpen) this.close();
    return next;
  }

  [Symbol.asyncIterator](): AsyncIterator<ServerMessage, undefined> {
    // Leaving a loop keeps the session open, so that another loop can read the next turn.
    return { next: () => this.#inbox.next() };
  }

  #listen(): void {
    const { setup, operation } = this.#plan;
    const socket = this.#socket;
    let isConnected = false;
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('open', () => {
      isConnected = true;
      socket.send((this.#plan.stringify ?? JSON.stringify)(writePointer({}, setup, this.#start.setup)));
    });
    socket.addEventListener('message', ({ data }) => this.#receive(data));
    socket.addEventListener('error', () => {
      if (!isConnected) this.end(new NetworkError(`${operation.name} could not connect.`));
    });
    socket.addEventListener('close', (event) => {
      const error = isConnected
        ? new SessionClosedError(event)
        : new NetworkError(`${operation.name} could not connect.`);
      if (this.#isOpen) this.#refuse(error);
      this.end(event.code === 1000 ? undefined : error);
    });
  }

  #receive(data: unknown): void {
    let message: unknown;
    try {
      const text = typeof data === 'string' ? data : new TextDecoder().decode(data as ArrayBuffer);
      message = (this.#plan.parse ?? JSON.parse)(text);
    } catch (cause) {
      this.end(new MalformedBodyError(`${this.#plan.operation.name} received a message that is not JSON.`, { cause }));
      return;
    }
    this.#note(message);
    if (readPointer(message, this.#plan.ready) === undefined) this.#inbox.push(message as ServerMessage);
    else this.#accept();
  }

  #note(message: unknown): void {
    const { resumption, goAway } = this.#plan;
    const handle = resumption && readPointer(message, resumption.handle);
    if (typeof handle === 'string' && handle !== '') this.handle = handle;
    if (goAway !== undefined) this.goAway = readPointer(message, goAway) ?? this.goAway;
  }
}

/** Messages that were received but not read yet. */
export class Inbox<Message> {
  readonly #messages = new Fifo<Message>();
  readonly #waiting: (() => void)[] = [];
  #end: { readonly error: Error | undefined } | undefined;

  push(message: Message): void {
    if (this.#end !== undefined) return;
    this.#messages.push(message);
    this.#wake();
  }

  /** Ends the messages. An error is thrown to all readers. */
  end(error?: Error): void {
    this.#end ??= { error };
    this.#wake();
  }

  /** Returns the next message; messages received before the end come first. */
  async next(): Promise<IteratorResult<Message, undefined>> {
    for (;;) {
      if (this.#messages.length > 0) return { done: false, value: this.#messages.shift() as Message };
      if (this.#end?.error !== undefined) throw this.#end.error;
      if (this.#end !== undefined) return { done: true, value: undefined };
      await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    }
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
