/** A part of a request that cannot be read: reported as a violation at `pointer`. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
  /** JSON pointer into the part that is read. */
  readonly pointer: string;
  /** Set where another status says it better than that of a violation. */
  readonly status: number | undefined;

  constructor(message: string, pointer = '', status?: number) {
    super(message);
    this.pointer = pointer;
    this.status = status;
  }
}
