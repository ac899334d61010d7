/** What can be uploaded. The length of a stream must be given. */
export type UploadData = Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>;

/** The bytes of an upload, read piece by piece. */
export interface UploadSource {
  readonly size: number;
  /** The media type that the data itself tells. */
  readonly type: string;
  /**
   * The bytes from an offset on: as many as asked for, fewer at the end. Bytes before the offset are not asked for again.
   *
   * @throws TypeError where a stream has another length than it was given, or cannot go back that far.
   */
  readonly read: (offset: number, length: number) => Promise<Blob>;
}

/** @throws TypeError where the length of a stream is not given. */
export function openSource(data: UploadData, size: number | undefined): UploadSource {
  if (typeof data === 'object' && 'getReader' in data) {
    if (size === undefined) throw new TypeError('An upload of a stream needs its size in bytes.');
    return new StreamSource(data, size);
  }
  const blob = data instanceof Blob ? data : new Blob([data]);
  return {
    size: blob.size,
    type: blob.type,
    read: (offset, length) => Promise.resolve(blob.slice(offset, offset + length)),
  };
}

/** Keeps only what the service may not have yet: a stream cannot be read twice. */
class StreamSource implements UploadSource {
  readonly size: number;
  readonly type = '';
  readonly #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  #kept = new Blob();
  /** Where the kept bytes start. */
  #start = 0;

  constructor(stream: ReadableStream<Uint8Array<ArrayBuffer>>, size: number) {
    this.#reader = stream.getReader();
    this.size = size;
  }

  async read(offset: number, length: number): Promise<Blob> {
    if (offset < this.#start) throw new TypeError('A stream cannot be read again; upload a Blob to go back that far.');
    const wanted = Math.min(offset + length, this.size);
    while (this.#start + this.#kept.size < wanted) await this.#readMore();
    if (wanted === this.size) await this.#checkEnd();
    this.#kept = this.#kept.slice(offset - this.#start);
    this.#start = offset;
    return this.#kept.slice(0, wanted - offset);
  }

  async #readMore(): Promise<void> {
    const { done, value } = await this.#reader.read();
    if (done) throw this.#wrongLength('fewer');
    this.#kept = new Blob([this.#kept, value]);
  }

  async #checkEnd(): Promise<void> {
    if (this.#start + this.#kept.size > this.size) throw this.#wrongLength('more');
    const { done, value } = await this.#reader.read();
    if (!done && value.byteLength > 0) throw this.#wrongLength('more');
  }

  #wrongLength(how: string): TypeError {
    return new TypeError(`The stream has ${how} than the ${this.size} bytes that were announced.`);
  }
}
