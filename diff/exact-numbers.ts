import type { SourceFile } from '../model/api.js';
import { toExactNumber } from '../runtime/json-integers.js';
import type { SpecLocation } from './location.js';
import { createLocationResolver, type LocationResolver } from './resolve-locations.js';

/**
 * Reads integers beyond 2^53 from the text of a spec. Specs are read as doubles, so 9007199254740992 and
 * 9007199254740993 are the same number elsewhere.
 */
export class ExactNumbers {
  readonly #files: readonly SourceFile[];
  readonly #resolve: LocationResolver;
  readonly #lines = new Map<string, readonly string[]>();
  /** The integers that may be rounded, in the order of the text. */
  readonly wide: readonly string[];

  constructor(files: readonly SourceFile[]) {
    this.#files = files;
    this.#resolve = createLocationResolver(files);
    this.wide = files.flatMap(({ text }) => findWide(text));
  }

  get hasWide(): boolean {
    return this.wide.length > 0;
  }

  /** A number with all digits of the text at its location: a `bigint` if a double would change them. */
  at(value: number, location: SpecLocation): number | bigint {
    if (!this.hasWide || !Number.isInteger(value) || Number.isSafeInteger(value)) return value;
    const { file, line, column } = this.#resolve(location);
    const digits = /^[-+]?\d+(?![\w.])/.exec(this.#linesOf(file)[line - 1]?.slice(column - 1) ?? '')?.[0];
    const exact = digits === undefined ? value : toExactNumber(digits);
    return Number(exact) === value ? exact : value;
  }

  #linesOf(file: string): readonly string[] {
    const known = this.#lines.get(file) ?? this.#files.find(({ path }) => path === file)?.text.split(/\r?\n/) ?? [];
    this.#lines.set(file, known);
    return known;
  }
}

function findWide(text: string): string[] {
  return (text.match(/\d{16,}/g) ?? []).filter((digits) => !Number.isSafeInteger(Number(digits)));
}
