import { START_BYTES } from '../wire/body-tap.js';
import type { ExchangeRecord } from '../exchange/exchange-record.js';
import type { RecordedMessage } from '../exchange/exchange.js';
import { MessageCheck, type MessageRules } from './check-messages.js';
import { FrameError } from './frame-reader.js';
import { MessageReader, type SocketUnit } from './message-reader.js';
import type { AgreedExtensions, SocketSide } from './read-extensions.js';

/** More messages of one connection are not kept. */
const MOST_MESSAGES = 10_000;
/** The size of a message without its content. Bytes. */
const BYTES_A_MESSAGE = 100;

export interface SessionOptions {
  readonly record: ExchangeRecord;
  readonly extensions: AgreedExtensions;
  /** Absent where the spec says nothing of the messages. */
  readonly rules: MessageRules | undefined;
  /** Longer messages are not read. Bytes. */
  readonly limit: number;
  /** Messages are kept for a recording, too, not for the journal alone. */
  readonly keepsBodies: boolean;
  /** No message passes that breaks the spec or cannot be checked. */
  readonly isStrict: boolean;
  /** There is something new in the record. */
  readonly onChange: () => void;
}

/** The messages of one side that may pass, and the reason if no more may. */
export interface AdmittedBytes {
  readonly passed: readonly Uint8Array[];
  readonly refusal?: SocketRefusal;
}

/** Why a connection ends: the status and the reason of the close frame to the side whose message it is. */
export interface SocketRefusal {
  readonly status: number;
  readonly reason: string;
}

/** Reads the messages of one connection as they go by: checks them, and keeps them for journal and recording. */
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
      record.addNote(`The messages were not read: the extension ${JSON.stringify(extensions.name)} is not known.`);
  }

  /** Reads what has passed already. */
  watch(side: SocketSide, chunk: Uint8Array): void {
    const reader = this.#readers[side];
    if (reader === undefined) return;
    try {
      for (const unit of reader.read(chunk)) this.#take(side, unit);
    } catch (error) {
      this.#readers[side] = undefined;
      this.#options.record.addNote(describeBreak(side, error));
      this.#options.onChange();
    }
  }

  /** Reads what has not passed yet, and gives what may: whole messages as they were sent, up to the first that breaks the spec. */
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
      this.#readers[side] = undefined;
      this.#options.record.addNote(describeBreak(side, error));
      this.#options.onChange();
      const status = error instanceof FrameError ? error.status : 1011;
      return { passed, refusal: { status, reason: 'The message cannot be checked.' } };
    }
  }

  /** The connection has ended. */
  finish(): void {
    const omitted = this.#count - this.#messages.length;
    if (omitted > 0) this.#options.record.addNote(`${omitted} messages were not kept.`);
  }

  #openReader(side: SocketSide): MessageReader | undefined {
    const { extensions, limit, isStrict } = this.#options;
    return extensions.ok ? new MessageReader({ limit, isStrict }, extensions.compression[side]) : undefined;
  }

  /** Describes the violations of a message. */
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

  /** Only the first messages are kept, so that the place of each in the list is that in the connection. */
  #keep(message: Omit<RecordedMessage, 'bytes'> & { readonly bytes: Uint8Array | undefined }): void {
    const { bytes } = message;
    const size = (bytes?.length ?? Number.POSITIVE_INFINITY) + BYTES_A_MESSAGE;
    if (size > this.#room || this.#messages.length >= MOST_MESSAGES) this.#room = 0;
    if (bytes === undefined || this.#room === 0) return;
    this.#room -= size;
    this.#messages.push({ ...message, bytes });
  }
}

function describeBreak(side: SocketSide, error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  return `The messages of the ${side} were read no further: ${why}`;
}
