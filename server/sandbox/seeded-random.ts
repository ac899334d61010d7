import { createHash } from 'node:crypto';

import { stringifyExactJson } from '../../runtime/json-integers.js';
import type { HandlerContext } from '../handler-api.js';

/** The state of the generator: four 32-bit numbers. */
export type RandomState = readonly [number, number, number, number];

/** How many numbers are discarded at the start, so that similar seeds diverge. */
const WARM_UP = 12;

/** The random numbers of a sandbox (sfc32): the same seed and the same calls give the same values on every machine. */
export class SeededRandom implements SandboxRandom {
  #a: number;
  #b: number;
  #c = 0x9e37_79b9 | 0;
  #d = 1;

  constructor(seed: number) {
    this.#a = seed | 0;
    this.#b = Math.floor(seed / 2 ** 32) | 0;
    for (let turn = 0; turn < WARM_UP; turn += 1) this.number();
  }

  get state(): RandomState {
    return [this.#a, this.#b, this.#c, this.#d];
  }

  restore(state: RandomState): void {
    [this.#a, this.#b, this.#c, this.#d] = state;
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  number(): number {
    const [b, c, d] = [this.#b, this.#c, this.#d];
    const sum = (((this.#a + b) | 0) + d) | 0;
    this.#a = b ^ (b >>> 9);
    this.#b = (c + (c << 3)) | 0;
    this.#c = (((c << 21) | (c >>> 11)) + sum) | 0;
    this.#d = (d + 1) | 0;
    return (sum >>> 0) / 2 ** 32;
  }

  /** Both bounds are inclusive. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.number() * (max - min + 1));
  }

  bytes(length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    for (let index = 0; index < length; index += 1) bytes[index] = this.integer(0, 255);
    return bytes;
  }

  /** A version 4 UUID. */
  uuid(): string {
    const bytes = this.bytes(16);
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    let text = '';
    for (const [index, byte] of bytes.entries()) {
      if (index === 4 || index === 6 || index === 8 || index === 10) text += '-';
      text += HEX[byte];
    }
    return text;
  }
}

const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

type SandboxRandom = HandlerContext['random'];

/**
 * Hashes values to a number from 0 to 2^32 - 1, for ids and choices that must be the same in every call. Pass
 * `context.options.seed` as the first value to get other numbers for each seed.
 */
export function numberOf(...values: readonly unknown[]): number {
  return createHash('sha256').update(stringifyExactJson(values)).digest().readUInt32BE(0);
}
