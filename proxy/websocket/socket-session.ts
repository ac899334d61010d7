import { START_BYTES } from '../wire/body-tap.js';
import type { ExchangeRecord } from '../exchange/exchange-record.js';
import type { RecordedMessage } from '../exchange/forwarded-exchange.js';
import { MessageCheck, type MessageRules } from './check-messages.js';
import { FrameError } from './frame-reader.js';
import { MessageReader, type SocketUnit } from './message-reader.js';
import type { AgreedExtensions, SocketSide } from './message-reader.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

/** The most messages of one connection that are kept. */
const MOST_MESSAGES = 10_000;
/** The estimated bytes of a message without its content. */
const BYTES_A_MESSAGE = 100;

export interface SessionOptions {
  readonly record: ExchangeRecord;
  readonly extensions: AgreedExtensions;
  /** `undefined` if the spec does not describe the messages. */
  readonly rules: MessageRules | undefined;
  /** The most bytes of a message that is read. */
  readonly limit: number;
  /** Whether messages are kept for a recording, in addition to the journal. */
  readonly keepsBodies: boolean;
  /** Whether messages that violate the spec or cannot be checked are refused. */
  readonly isStrict: boolean;
  /** Called when the record has changed. */
  readonly onChange: () => void;
}

/** The messages of one side that may pass, and the refusal of the next one, if any. */
export interface AdmittedBytes {
  readonly passed: readonly Uint8Array[];
  readonly refusal?: SocketRefusal;
}

/** Why a connection is closed: status and reason of the close frame to the sender of the refused message. */
export interface SocketRefusal {
  readonly status: number;
  readonly reason: string;
}

/** Reads the passing messages of one connection, checks them, and keeps them for journal and recording. */
export class SocketSession {
  readonly #options: SessionOptions;
  readonly #readers: Record<SocketSide, MessageReader | undefined>;
  readonly #check: MessageCheck | undefined;
  readonly #messages: RecordedMessage[] = [];
  #count = 0;
  #room: number;

  constructor(options: SessionOptions) {
    const { extensions, rules, record } = options;
    this.#options = options;
    this.#check = rules && new MessageCheck(rules);
    this.#room = options.keepsBodies ? options.limit : START_BYTES;
    this.#readers = { client: this.#openReader('client'), server: this.#openReader('server') };
    record.messages = this.#messages;
    if (!extensions.ok)
      record.addNote(`The messages were not read: the extension ${stringifyExactJson(extensions.name)} is not known.`);
  }

  /** Reads bytes that have already been passed on. */
  watch(side: SocketSide, chunk: Uint8Array): void {
    const reader = this.#readers[side];
    if (reader === undefined) return;
    try {
      for (const unit of reader.read(chunk)) this.#take(side, unit);
    } catch (error) {
      this.#stopReading(side, error);
    }
  }

  /** Reads bytes before they are passed on. Returns the complete messages that may pass, up to the first violation. */
  admit(side: SocketSide, chunk: Uint8Array): AdmittedBytes {
    const passed: Uint8Array[] = [];
    try {
      for (const unit of this.#readers[side]?.read(chunk) ?? []) {
        const [first] = this.#take(side, unit);
        if (first !== undefined)
          return {
            passed,
            refusal: { status: 1008, reason: `The message does not match the specification: ${first}` },
          };
        passed.push(...unit.raw);
      }
      return { passed };
    } catch (error) {
      this.#stopReading(side, error);
      const status = error instanceof FrameError ? error.status : 1011;
      return { passed, refusal: { status, reason: 'The message cannot be checked.' } };
    }
  }

  /** Called when the connection has ended. */
  finish(): void {
    const omitted = this.#count - this.#messages.length;
    if (omitted > 0) this.#options.record.addNote(`${omitted} messages were not kept.`);
  }

  #stopReading(side: SocketSide, error: unknown): void {
    this.#readers[side] = undefined;
    const why = error instanceof Error ? error.message : String(error);
    this.#options.record.addNote(`The messages of the ${side} were read only in part: ${why}`);
    this.#options.onChange();
  }

  #openReader(side: SocketSide): MessageReader | undefined {
    const { extensions, limit, isStrict } = this.#options;
    return extensions.ok ? new MessageReader({ limit, isStrict }, extensions.compression[side]) : undefined;
  }

  /** Keeps and checks a message. Returns descriptions of its violations. */
  #take(side: SocketSide, { kind, bytes }: SocketUnit): readonly string[] {
    if (kind === 'control') return [];
    const index = this.#count;
    this.#count += 1;
    this.#keep({ at: Date.now(), side, isText: kind === 'text', bytes });
    this.#options.onChange();
    if (this.#check === undefined) return [];
    if (bytes === undefined) {
      this.#options.record.addNote('A message was too long to be checked.');
      return [];
    }
    const violations = this.#check.check(side, bytes, index);
    this.#options.record.addViolations(violations);
    return violations.map(({ pointer, message }) => `${pointer} ${message}`);
  }

  /** Keeps only the first messages without gaps, so that each index in the list is the index in the connection. */
  #keep(message: Omit<RecordedMessage, 'bytes'> & { readonly bytes: Uint8Array | undefined }): void {
    const { bytes } = message;
    const size = (bytes?.length ?? Number.POSITIVE_INFINITY) + BYTES_A_MESSAGE;
    if (size > this.#room || this.#messages.length >= MOST_MESSAGES) this.#room = 0;
    if (bytes === undefined || this.#room === 0) return;
    this.#room -= size;
    this.#messages.push({ ...message, bytes });
  }
}
