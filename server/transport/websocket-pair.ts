import type { Socket } from '../handler-api.js';
import { MAX_MESSAGE_BYTES, type Message, MessageQueue } from './message-queue.js';

const [CONNECTING, OPEN, CLOSING, CLOSED] = [0, 1, 2, 3] as const;
/** The most bytes of a reason (RFC 6455, section 5.5). */
const MAX_REASON_BYTES = 123;
/** Statuses of a close (RFC 6455, section 7.4.1). */
const [NORMAL, NO_STATUS, ABNORMAL, TOO_BIG] = [1000, 1005, 1006, 1009] as const;

/** How a connection ends. `error` is set if it never opened or broke. */
interface Ending {
  readonly code: number;
  readonly reason: string;
  readonly error?: Error;
}

type Listener = ((event: Event) => void) | null;

/**
 * The client's end of a WebSocket to a mock in the same process. Like the platform's, it dispatches events in order,
 * after the call that causes them.
 */
export class MemorySocket extends EventTarget {
  static readonly CONNECTING: 0 = CONNECTING;
  static readonly OPEN: 1 = OPEN;
  static readonly CLOSING: 2 = CLOSING;
  static readonly CLOSED: 3 = CLOSED;
  readonly CONNECTING: 0 = CONNECTING;
  readonly OPEN: 1 = OPEN;
  readonly CLOSING: 2 = CLOSING;
  readonly CLOSED: 3 = CLOSED;

  readonly url: string;
  readonly extensions: string = '';
  protocol: string = '';
  binaryType: BinaryType = 'blob';
  onopen: Listener = null;
  onmessage: Listener = null;
  onerror: Listener = null;
  onclose: Listener = null;

  /** The mock's end of the connection. */
  readonly server: Socket;
  #state: 0 | 1 | 2 | 3 = CONNECTING;
  readonly #inbox: MessageQueue;
  #buffered = 0;
  /** Resolves when the pending blobs are read. */
  #reading: Promise<void> | undefined;

  constructor(url: string) {
    super();
    this.url = url;
    this.#inbox = new MessageQueue();
    this.server = {
      messages: this.#readInbox(),
      send: async (message) => this.#deliver(message),
      close: (code, reason) => this.#end({ code, reason }),
    };
  }

  get readyState(): number {
    return this.#state;
  }

  /** The bytes that the mock has not read yet. */
  get bufferedAmount(): number {
    return this.#buffered;
  }

  send(data: string | ArrayBufferLike | ArrayBufferView | Blob): void {
    if (this.#state === CONNECTING) throw new DOMException('The WebSocket is not open yet.', 'InvalidStateError');
    if (this.#state !== OPEN) return;
    if (data instanceof Blob || this.#reading !== undefined) this.#pushAfter(data);
    else this.#push(toMessage(data));
  }

  close(code?: number, reason: string = ''): void {
    if (code !== undefined && code !== NORMAL && !(code >= 3000 && code <= 4999))
      throw new DOMException('A client closes with 1000, or 3000 to 4999.', 'InvalidAccessError');
    if (Buffer.byteLength(reason) > MAX_REASON_BYTES)
      throw new DOMException(`A reason has at most ${MAX_REASON_BYTES} bytes.`, 'SyntaxError');
    if (this.#state === CONNECTING) this.fail(new Error('The WebSocket was closed before it was open.'));
    else this.#end({ code: code ?? NO_STATUS, reason });
  }

  /** Opens the connection. Returns `false` if the client has closed it in the meantime. */
  open(protocol: string): boolean {
    if (this.#state !== CONNECTING) return false;
    this.#state = OPEN;
    this.protocol = protocol;
    this.#emit(new Event('open'));
    return true;
  }

  /** Ends the connection with an error. */
  fail(error: Error): void {
    this.#end({ code: ABNORMAL, reason: '', error });
  }

  async *#readInbox(): AsyncGenerator<Message> {
    for await (const message of this.#inbox.read()) {
      this.#buffered -= sizeOf(message);
      yield message;
    }
  }

  #push(message: Message): void {
    const size = sizeOf(message);
    if (size > MAX_MESSAGE_BYTES) {
      this.#end({ code: TOO_BIG, reason: 'The message is too large.' });
      return;
    }
    this.#buffered += size;
    this.#inbox.push(message);
  }

  /** Sends data after all pending blobs have been read. */
  #pushAfter(data: string | ArrayBufferLike | ArrayBufferView | Blob): void {
    const message = data instanceof Blob ? data.arrayBuffer().then((bytes) => new Uint8Array(bytes)) : toMessage(data);
    const before = this.#reading;
    const read = async (): Promise<void> => {
      await before;
      this.#push(await message);
      if (this.#reading === reading) this.#reading = undefined;
    };
    const reading = read();
    this.#reading = reading;
  }

  #deliver(message: Message): void {
    if (this.#state !== OPEN) return;
    queueMicrotask(() => {
      if (this.#state !== CLOSED) this.#dispatch(new MessageEvent('message', { data: this.#toData(message) }));
    });
  }

  #toData(message: Message): unknown {
    if (typeof message === 'string') return message;
    const bytes = new Uint8Array(message);
    return this.binaryType === 'blob' ? new Blob([bytes]) : bytes.buffer;
  }

  #end(ending: Ending): void {
    if (this.#state >= CLOSING) return;
    this.#state = CLOSING;
    this.#inbox.end();
    queueMicrotask(() => {
      this.#state = CLOSED;
      if (ending.error !== undefined) this.#dispatch(new ErrorEvent(ending.error));
      this.#dispatch(new CloseEvent(ending));
    });
  }

  #emit(event: Event): void {
    queueMicrotask(() => this.#dispatch(event));
  }

  #dispatch(event: Event): void {
    const own = { open: this.onopen, message: this.onmessage, error: this.onerror, close: this.onclose }[event.type];
    if (typeof own === 'function') this.addEventListener(event.type, (one) => own.call(this, one), { once: true });
    this.dispatchEvent(event);
  }
}

/** Node 20 does not have these two classes. */
class CloseEvent extends Event {
  readonly code: number;
  readonly reason: string;
  readonly wasClean: boolean;

  constructor({ code, reason, error }: Ending) {
    super('close');
    this.code = code;
    this.reason = reason;
    this.wasClean = error === undefined;
  }
}

class ErrorEvent extends Event {
  readonly error: Error;
  readonly message: string;

  constructor(error: Error) {
    super('error');
    this.error = error;
    this.message = error.message;
  }
}

function toMessage(data: string | ArrayBufferLike | ArrayBufferView): Message {
  if (typeof data === 'string') return data;
  // Copied, because the client may reuse its buffer.
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice()
    : new Uint8Array(data.slice(0) as ArrayBuffer);
}

function sizeOf(message: Message): number {
  return typeof message === 'string' ? Buffer.byteLength(message) : message.length;
}
