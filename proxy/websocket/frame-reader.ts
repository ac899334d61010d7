/** A frame of a WebSocket (RFC 6455, section 5.2). */
export interface WebSocketFrame {
  readonly opcode: number;
  /** Whether it is the last frame of its message. */
  readonly isFinal: boolean;
  /** Whether the first reserved bit is set, which compression uses (RFC 7692, section 6). */
  readonly isCompressed: boolean;
  /** The unmasked payload; `undefined` if it is longer than the limit. */
  readonly payload: Uint8Array | undefined;
  /** The bytes as sent, without a payload that is longer than the limit. */
  readonly raw: readonly Uint8Array[];
}

/** A side has sent unreadable frames or a message beyond the limit. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
  /** The status of the close frame (RFC 6455, section 7.4.1). */
  readonly status: 1002 | 1009;

  constructor(status: FrameError['status'], message: string) {
    super(message);
    this.status = status;
  }
}

export const OPCODES = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
const KNOWN: ReadonlySet<number> = new Set(Object.values(OPCODES));
/** The most bytes of a control frame. */
const MOST_CONTROL = 125;

/** A frame whose payload is incomplete. */
interface OpenFrame extends Omit<WebSocketFrame, 'payload' | 'raw'> {
  readonly head: Uint8Array;
  readonly mask: Uint8Array | undefined;
  readonly size: number;
  readonly parts: Uint8Array[];
  left: number;
}

export interface FrameLimits {
  /** The most bytes of a payload that is kept. */
  readonly limit: number;
  /** Whether a longer payload is an error, even before it is read. */
  readonly isStrict: boolean;
}

/** Reads the frames of one side from chunks of any size. */
export class FrameReader {
  readonly #limits: FrameLimits;
  #head: Uint8Array = new Uint8Array();
  #open: OpenFrame | undefined;

  constructor(limits: FrameLimits) {
    this.#limits = limits;
  }

  /** Yields the frames that are now complete. @throws FrameError */
  *read(chunk: Uint8Array): Generator<WebSocketFrame> {
    let rest = chunk;
    while (rest.length > 0) {
      const frame = this.#open;
      const taken = Math.min(rest.length, frame?.left ?? headLength(this.#head) - this.#head.length);
      const part = rest.subarray(0, taken);
      rest = rest.subarray(taken);
      if (frame === undefined) this.#addHead(part);
      else {
        frame.left -= taken;
        if (frame.size <= this.#limits.limit) frame.parts.push(part);
      }
      if (this.#open?.left !== 0) continue;
      yield this.#close(this.#open);
      this.#open = undefined;
    }
  }

  #addHead(part: Uint8Array): void {
    const head = Buffer.concat([this.#head, part]);
    this.#head = head;
    if (head.length < headLength(head)) return;
    this.#head = new Uint8Array();
    this.#open = readHead(head);
    if (this.#limits.isStrict && this.#open.size > this.#limits.limit)
      throw new FrameError(1009, 'A message is longer than the limit.');
  }

  #close({ opcode, isFinal, isCompressed, head, mask, size, parts }: OpenFrame): WebSocketFrame {
    const payload = size > this.#limits.limit ? undefined : unmask(parts, mask);
    return { opcode, isFinal, isCompressed, payload, raw: [head, ...parts] };
  }
}

/** Returns the length of a head, as far as its bytes show. */
function headLength(head: Uint8Array): number {
  const second = head[1];
  if (second === undefined) return 2;
  const short = second & 0x7f;
  return 2 + (short === 126 ? 2 : short === 127 ? 8 : 0) + ((second & 0x80) === 0 ? 0 : 4);
}

function readHead(head: Buffer): OpenFrame {
  const [first, second] = [head.readUInt8(0), head.readUInt8(1)];
  const opcode = first & 0x0f;
  const isFinal = (first & 0x80) !== 0;
  const short = second & 0x7f;
  const size = short === 126 ? head.readUInt16BE(2) : short === 127 ? Number(head.readBigUInt64BE(2)) : short;
  if ((first & 0x30) !== 0) throw new FrameError(1002, 'A frame has reserved bits.');
  if (!KNOWN.has(opcode)) throw new FrameError(1002, `A frame has the unknown opcode ${opcode}.`);
  if (opcode >= OPCODES.close && (!isFinal || size > MOST_CONTROL))
    throw new FrameError(1002, 'A control frame is fragmented or longer than 125 bytes.');
  if (!Number.isSafeInteger(size)) throw new FrameError(1002, 'A frame is longer than 2^53 bytes.');
  const mask = (second & 0x80) === 0 ? undefined : head.subarray(head.length - 4);
  return { opcode, isFinal, isCompressed: (first & 0x40) !== 0, head, mask, size, parts: [], left: size };
}

function unmask(parts: readonly Uint8Array[], mask: Uint8Array | undefined): Uint8Array {
  const bytes = Buffer.concat(parts);
  if (mask === undefined) return bytes;
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = (bytes[index] ?? 0) ^ (mask[index & 3] ?? 0);
  return bytes;
}
