import type { HandlerContext } from '../handler-api.js';

/** The state of the generator: four 32-bit numbers. */
export type RandomState = readonly [number, number, number, number];

/** How many numbers are thrown away at the start, so that similar seeds part. */
const WARM_UP = 12;

/** The random numbers of a sandbox (sfc32): the same seed and the same calls give the same values on every machine. */
export class SeededRandom implements SandboxRandom {
  #state: RandomState;

  constructor(seed: number) {
    this.#state = [seed | 0, Math.floor(seed / 2 ** 32) | 0, 0x9e37_79b9, 1];
    for (let turn = 0; turn < WARM_UP; turn += 1) this.number();
  }

  get state(): RandomState {
    return this.#state;
  }

  restore(state: RandomState): void {
    this.#state = state;
  }

  /** From 0 (included) to 1 (excluded). */
  number(): number {
    const [a, b, c, d] = this.#state;
    const sum = (((a + b) | 0) + d) | 0;
    this.#state = [b ^ (b >>> 9), (c + (c << 3)) | 0, (((c << 21) | (c >>> 11)) + sum) | 0, (d + 1) | 0];
    return (sum >>> 0) / 2 ** 32;
  }

  /** Both bounds included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.number() * (max - min + 1));
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.integer(0, 255));
  }

  /** A version 4 UUID. */
  uuid(): string {
    const bytes = [...this.bytes(16)];
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  }
}

type SandboxRandom = HandlerContext['random'];
