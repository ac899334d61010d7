import type { HeaderMap } from '../../http/messages.js';
import { constants, inflateRawSync } from 'node:zlib';

import { FrameError, FrameReader, OPCODES, type FrameLimits, type WebSocketFrame } from './frame-reader.js';

/** A message of one side of a WebSocket, or a control frame between or within messages. */
export interface SocketUnit {
  readonly kind: 'text' | 'binary' | 'control';
  /** The decompressed content; `undefined` if it is longer than the limit. */
  readonly bytes: Uint8Array | undefined;
  /** The bytes as sent. */
  readonly raw: readonly Uint8Array[];
}

/** How one side compresses its messages (RFC 7692). */
export interface Compression {
  /** Whether a message may refer to earlier ones. */
  readonly keepsContext: boolean;
}

/** The number of bytes that compressed data may refer back to. */
const WINDOW = 32 * 1_024;
/** The bytes that senders omit at the end of each message (RFC 7692, section 7.2.1). */
const FLUSH_END = Uint8Array.of(0x00, 0x00, 0xff, 0xff);

/** The bytes to which the messages of a chunk may expand: some, and more for each of their compressed bytes. */
const [EXPANDED, EXPANDED_A_BYTE] = [2_000_000, 100];

/** The estimated bytes of a frame without its payload, because a message may have any number of empty frames. */
const BYTES_A_FRAME = 100;

/** An incomplete message. */
interface OpenMessage {
  readonly kind: 'text' | 'binary';
  readonly isCompressed: boolean;
  readonly parts: Uint8Array[];
  readonly raw: Uint8Array[];
  size: number;
  isTooLong: boolean;
}

/** Reads the messages of one side from its bytes. */
export class MessageReader {
  readonly #frames: FrameReader;
  readonly #limits: FrameLimits;
  readonly #compression: Compression | undefined;
  #window: Uint8Array = new Uint8Array();
  #open: OpenMessage | undefined;
  /** The bytes to which further messages of the chunk may expand. */
  #room = 0;

  constructor(limits: FrameLimits, compression: Compression | undefined) {
    this.#frames = new FrameReader(limits);
    this.#limits = limits;
    this.#compression = compression;
  }

  /**
   * Yields the messages that are now complete.
   *
   * @throws FrameError if the bytes are not frames, or a message is too long
   */
  *read(chunk: Uint8Array): Generator<SocketUnit> {
    this.#room = EXPANDED;
    for (const frame of this.#frames.read(chunk)) {
      if (frame.opcode >= OPCODES.close) {
        if (frame.isCompressed) throw new FrameError(1002, 'A control frame is compressed.');
        yield { kind: 'control', bytes: frame.payload, raw: frame.raw };
        continue;
      }
      const message = this.#add(frame);
      if (!frame.isFinal) continue;
      this.#open = undefined;
      yield { kind: message.kind, bytes: this.#contentOf(message), raw: message.raw };
    }
  }

  #add({ opcode, isFinal, isCompressed, payload, raw }: WebSocketFrame): OpenMessage {
    if ((opcode === OPCODES.continuation) !== (this.#open !== undefined))
      throw new FrameError(1002, 'A frame is out of order.');
    if (isCompressed && (this.#compression === undefined || opcode === OPCODES.continuation))
      throw new FrameError(1002, 'A frame must not be compressed here.');
    const kind = opcode === OPCODES.text ? 'text' : 'binary';
    const message: OpenMessage = (this.#open ??= { kind, isCompressed, parts: [], raw: [], size: 0, isTooLong: false });
    message.size += (payload?.length ?? 0) + (isFinal ? 0 : BYTES_A_FRAME);
    message.isTooLong ||= payload === undefined || message.size > this.#limits.limit;
    if (message.isTooLong) {
      if (this.#limits.isStrict) throw new FrameError(1009, 'A message is longer than the limit.');
      message.parts.length = 0;
      message.raw.length = 0;
    } else {
      message.parts.push(payload ?? new Uint8Array());
      message.raw.push(...raw);
    }
    return message;
  }

  #contentOf({ isCompressed, isTooLong, parts }: OpenMessage): Uint8Array | undefined {
    if (!isCompressed) return isTooLong ? undefined : Buffer.concat(parts);
    // Later messages may refer to the unread one.
    if (isTooLong) throw new FrameError(1009, 'A compressed message is longer than the limit.');
    return this.#inflate(Buffer.concat([...parts, FLUSH_END]));
  }

  #inflate(bytes: Uint8Array): Uint8Array {
    this.#room += bytes.length * EXPANDED_A_BYTE;
    try {
      const content = inflateRawSync(bytes, {
        finishFlush: constants.Z_SYNC_FLUSH,
        maxOutputLength: Math.min(this.#limits.limit, this.#room),
        ...(this.#window.length === 0 ? {} : { dictionary: this.#window }),
      });
      this.#room -= content.length;
      if (this.#compression?.keepsContext === true)
        this.#window = Buffer.from(Buffer.concat([this.#window, content.subarray(-WINDOW)]).subarray(-WINDOW));
      return content;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
        throw new FrameError(1009, 'A compressed message is longer than the limit.');
      throw new FrameError(1002, 'A compressed message cannot be decompressed.');
    }
  }
}

/** The sides of a WebSocket. */
export type SocketSide = 'client' | 'server';

/** The negotiated extensions: the compression of each side, or the name of an unknown extension. */
export type AgreedExtensions =
  | { readonly ok: true; readonly compression: Readonly<Record<SocketSide, Compression | undefined>> }
  | { readonly ok: false; readonly name: string };

/** Reads `Sec-WebSocket-Extensions` of the server's response. Only compression (RFC 7692) is supported. */
export function readExtensions(headers: HeaderMap): AgreedExtensions {
  const agreed = [headers['sec-websocket-extensions'] ?? []]
    .flat()
    .flatMap((value) => value.split(','))
    .map((extension) => extension.split(';').map((part) => part.trim().toLowerCase()))
    .filter(([name]) => name !== '');
  const unknown = agreed.find(([name]) => name !== 'permessage-deflate');
  if (unknown !== undefined) return { ok: false, name: unknown[0] ?? '' };
  const [parameters] = agreed;
  const compressionOf = (side: SocketSide): Compression | undefined =>
    parameters && { keepsContext: !parameters.includes(`${side}_no_context_takeover`) };
  return { ok: true, compression: { client: compressionOf('client'), server: compressionOf('server') } };
}
