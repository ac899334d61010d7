import { type Socket, connect as connectPlain, isIP } from 'node:net';
import { connect as connectSecure } from 'node:tls';

import { type AnswerHead, AnswerReader, type MalformedAnswer } from './answer-reader.js';
import { AnswerLate, MAX_ANSWER, MAX_STREAM, MAX_STREAM_MS, isEndless } from './transport.js';

/** An answer as it came. */
export interface RawAnswer extends AnswerHead {
  readonly body: Buffer;
  /** The body is a beginning: the rest was not waited for. */
  readonly isCut: boolean;
}

/** A request in bytes. */
export interface RawRequest {
  readonly method: string;
  readonly bytes: Buffer;
  /** Milliseconds. */
  readonly timeLimitMs: number;
}

/** A request that is under way. */
interface Pending {
  readonly reader: AnswerReader;
  readonly resolve: (answer: RawAnswer) => void;
  readonly reject: (error: Error) => void;
  readonly limit: NodeJS.Timeout;
  /** Ends the reading of a stream that may have no end. */
  streamEnd?: NodeJS.Timeout;
}

/** One socket, with one request after another on it. */
export class Connection {
  readonly #socket: Socket;
  #pending: Pending | undefined;
  #isOpen = true;
  /** Something of an answer to the last request has come. */
  #hasAnswered = false;

  constructor({ protocol, hostname, port }: URL) {
    const host = hostname.replace(/^\[|\]$/g, '');
    this.#socket =
      protocol === 'https:'
        ? connectSecure({
            host,
            port: Number(port === '' ? 443 : port),
            servername: isIP(host) === 0 ? host : '',
            ALPNProtocols: ['http/1.1'],
          })
        : connectPlain({ host, port: Number(port === '' ? 80 : port) });
    this.#socket
      .setNoDelay(true)
      .on('data', (bytes) => this.#take(bytes))
      .on('end', () => this.#end())
      .on('error', (error) => this.#fail(error))
      .on('close', () => this.#fail(new Error('the connection was closed')));
  }

  /** Whether it can carry another request. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether something of an answer to the last request has come. */
  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  /** Sends a request and reads the answer. Rejects where none comes, none in time, or none that is HTTP. */
  async send({ method, bytes, timeLimitMs }: RawRequest): Promise<RawAnswer> {
    this.#hasAnswered = false;
    return new Promise((resolve, reject) => {
      // What has come while this process was busy is read before the answer counts as late.
      const limit = setTimeout(() => setImmediate(() => this.#giveUp(pending)), timeLimitMs);
      const pending: Pending = { reader: new AnswerReader(method), resolve, reject, limit };
      this.#pending = pending;
      this.#socket.write(bytes);
    });
  }

  close(): void {
    this.#isOpen = false;
    this.#socket.destroy();
  }

  #giveUp(pending: Pending): void {
    if (this.#pending === pending) this.#fail(new AnswerLate());
  }

  #take(bytes: Buffer): void {
    const pending = this.#pending;
    // An answer to nothing.
    if (pending === undefined) return this.close();
    this.#hasAnswered = true;
    const { reader } = pending;
    try {
      reader.push(bytes);
    } catch (error) {
      return this.#fail(error as MalformedAnswer);
    }
    if (reader.isDone) return this.#settle(pending, false);
    const isStream = isEndless(reader.head?.headers.get('content-type'));
    if (reader.size > (isStream ? MAX_STREAM : MAX_ANSWER)) return this.#settle(pending, isStream);
    if (isStream) pending.streamEnd ??= setTimeout(() => this.#settle(pending, true), MAX_STREAM_MS);
  }

  #end(): void {
    const pending = this.#pending;
    if (pending === undefined) return this.close();
    try {
      pending.reader.end();
      this.#settle(pending, false);
    } catch (error) {
      this.#fail(error as MalformedAnswer);
    }
  }

  #settle(pending: Pending, isCut: boolean): void {
    const { reader, resolve } = pending;
    if (!reader.isDone || !reader.isKept) this.close();
    this.#forget(pending);
    if (reader.head !== undefined) resolve({ ...reader.head, body: reader.body, isCut });
  }

  #fail(error: Error): void {
    this.close();
    const pending = this.#pending;
    if (pending === undefined) return;
    this.#forget(pending);
    pending.reject(error);
  }

  #forget({ limit, streamEnd }: Pending): void {
    this.#pending = undefined;
    clearTimeout(limit);
    clearTimeout(streamEnd);
  }
}
