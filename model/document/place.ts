import type { SourceLocation } from '../diagnostics/diagnostic.js';
import { appendPointer } from './pointer.js';

/**
 * A place in a document. Its pointer is built on first use: a document of 13 MB has some hundred thousand places, and
 * most never need a pointer.
 */
export class Place implements SourceLocation {
  readonly file: string;
  readonly #above: Place | string;
  /** The last step of the pointer; `undefined` if the place was made of a pointer. */
  readonly step: string | number | undefined;
  #pointer: string | undefined;

  /** Creates the place one step below another (or below a pointer); without a step, that place itself. */
  constructor(file: string, above: Place | string, step?: string | number) {
    this.file = file;
    this.#above = above;
    this.step = step;
  }

  get pointer(): string {
    if (this.#pointer === undefined) {
      const above = typeof this.#above === 'string' ? this.#above : this.#above.pointer;
      this.#pointer = this.step === undefined ? above : appendPointer(above, this.step);
    }
    return this.#pointer;
  }

  /** The place one step above, unless the place was made of a pointer. */
  get above(): Place | undefined {
    return typeof this.#above === 'string' ? undefined : this.#above;
  }

  /** The place as plain data. */
  get source(): SourceLocation {
    return { file: this.file, pointer: this.pointer };
  }
}
