import type { CallOptions, ClientContext, OperationData, RequestValues } from './context.js';
import { startDeadline } from './deadline.js';
import { MalformedBodyError, NetworkError, TimeoutError } from './errors.js';
import { Inbox } from './inbox.js';
import { readPointer, writePointer } from './pointer.js';
import { buildRequest } from './request.js';

/** What a session needs of a WebSocket: that of the platform and the usual packages have it. */
export interface WebSocketLike {
  binaryType: string;
  send(data: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'open' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { readonly code: number; readonly reason: string }) => void): void;
}

/** The order of a session, as JSON pointers into its messages. */
export interface LivePlan {
  readonly operation: OperationData;
  /** The setup in the client's first message, and only there. */
  readonly setup: string;
  /** What the server says when the session is ready. */
  readonly ready: string;
  /** What the server says when it will close soon. */
  readonly goAway?: string;
  /** The handle in the server's messages, and where it goes in the client's first message of the next session. */
  readonly resumption?: { readonly handle: string; readonly resume: string };
}

/** How to open a session. The signal ends the session too; the timeout is for the time until it is ready. */
export interface LiveOptions extends CallOptions {
  /** In place of the platform's `WebSocket`. */
  readonly webSocket?: ((url: string) => WebSocketLike) | undefined;
}

/** What a session starts with. */
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
 * @throws SessionClosedError where the server closes instead, NetworkError where there is no connection, TimeoutError
 * where it takes too long, and the signal's reason where the signal ended it.
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
    const built = await buildRequest({ context, operation, request, options });
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
    // The address may hold a credential: it stays out of the message.
    throw new NetworkError(`${name} has no connection.`, { cause });
  }
}

interface SessionStart<Setup, ClientMessage, ServerMessage> extends LiveArguments<Setup> {
  readonly open: (next: LiveArguments<Setup>) => Promise<LiveSession<Setup, ClientMessage, ServerMessage>>;
}

/** A session that is ready. Loops over its messages can be left and begun anew; messages wait until they are read. */
export class LiveSession<Setup, ClientMessage, ServerMessage> implements AsyncIterable<ServerMessage> {
  /** Settled when the server is ready, or will never be. */
  readonly ready: Promise<void>;
  /** The last handle by which the session can be continued, if the setup asked for one. */
  handle: string | undefined;
  /** What the server said about closing soon: time to {@link resume}. */
  goAway: unknown;
  readonly #socket: WebSocketLike;
  readonly #plan: LivePlan;
  readonly #start: SessionStart<Setup, ClientMessage, ServerMessage>;
  readonly #inbox = new Inbox<ServerMessage>();
  #isOpen = true;
  #accept: () => void = () => undefined;
  #refuse: (error: Error) => void = () => undefined;

  /** Use the function of the operation instead. */
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
   * @throws TypeError where it holds another setup. SessionClosedError or NetworkError come from the loop over messages.
   */
  send(message: ClientMessage): void {
    if (readPointer(message, this.#plan.setup) !== undefined)
      throw new TypeError('A session has one setup, which was sent when it was opened.');
    if (!this.#isOpen) throw new NetworkError('The session is closed.');
    this.#socket.send(JSON.stringify(message));
  }

  /** Closes the session; messages that came already can still be read. */
  close(): void {
    this.end(undefined);
  }

  /** Ends the session with an error for whoever reads or waits; without one, its messages just end. */
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
   * @throws TypeError where the server gave no handle, and whatever opening throws.
   */
  async resume(): Promise<LiveSession<Setup, ClientMessage, ServerMessage>> {
    const { resumption, setup: place } = this.#plan;
    if (resumption === undefined || this.handle === undefined)
      throw new TypeError('The session cannot be continued: the server gave no handle.');
    const { open, setup, ...rest } = this.#start;
    const first = writePointer(writePointer({}, place, setup), resumption.resume, this.handle);
    const next = await open({ ...rest, setup: readPointer(first, place) as Setup });
    next.handle ??= this.handle;
    if (this.#isOpen) this.close();
    return next;
  }

  [Symbol.asyncIterator](): AsyncIterator<ServerMessage, undefined> {
    // Leaving a loop leaves the session open: the next turn is read by another loop.
    return { next: () => this.#inbox.next() };
  }

  #listen(): void {
    const { setup, operation } = this.#plan;
    const socket = this.#socket;
    let isConnected = false;
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('open', () => {
      isConnected = true;
      socket.send(JSON.stringify(writePointer({}, setup, this.#start.setup)));
    });
    socket.addEventListener('message', ({ data }) => this.#receive(data));
    socket.addEventListener('error', () => {
      if (!isConnected) this.end(new NetworkError(`${operation.name} has no connection.`));
    });
    socket.addEventListener('close', (event) => {
      const error = isConnected
        ? new SessionClosedError(event)
        : new NetworkError(`${operation.name} has no connection.`);
      if (this.#isOpen) this.#refuse(error);
      this.end(event.code === 1000 ? undefined : error);
    });
  }

  #receive(data: unknown): void {
    let message: unknown;
    try {
      message = JSON.parse(typeof data === 'string' ? data : new TextDecoder().decode(data as ArrayBuffer));
    } catch (cause) {
      this.end(new MalformedBodyError(`${this.#plan.operation.name} was sent a message that is no JSON.`, { cause }));
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
