/** Chunks from this size on are kept as they are. */
const LARGE = 1_024;
/** The bytes of small chunks that are copied together. */
const BLOCK = 16_384;

/**
 * Collects the chunks of a body. Copies small chunks together, because a chunk that is kept takes some 250 bytes of memory
 * besides its own, and a peer may send each byte as a chunk.
 */
export class ByteCollector {
  #parts: Uint8Array[] = [];
  #block: Buffer | undefined;
  /** The bytes of the block that are in use. */
  #used = 0;
  #size = 0;

  /** The bytes of all chunks. */
  get size(): number {
    return this.#size;
  }

  add(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#size += chunk.length;
    if (chunk.length >= LARGE || this.#size === chunk.length) {
      this.#closeBlock();
      this.#parts.push(chunk);
      return;
    }
    if (this.#used + chunk.length > BLOCK) this.#closeBlock();
    this.#block ??= Buffer.allocUnsafeSlow(BLOCK);
    this.#block.set(chunk, this.#used);
    this.#used += chunk.length;
  }

  /** Returns the bytes in few parts. */
  parts(): readonly Uint8Array[] {
    this.#closeBlock();
    return this.#parts;
  }

  /** Returns the bytes as one part: without copying if there was one chunk. */
  joined(): Uint8Array {
    const [first, ...others] = this.parts();
    if (first !== undefined && others.length === 0) return first;
    const all = Buffer.concat(this.#parts);
    this.#parts = [all];
    return all;
  }

  /** Copies the used bytes of the block, so that its rest takes no memory. */
  #closeBlock(): void {
    if (this.#block === undefined || this.#used === 0) return;
    this.#parts.push(Buffer.from(this.#block.subarray(0, this.#used)));
    this.#used = 0;
  }
}
