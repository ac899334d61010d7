import { lowerCaseNames } from '../../http/messages.js';
import type { Operation } from '../../model/api.js';
import { readPattern } from './choose-operations.js';

type Headers = Readonly<Record<string, string>>;

interface Entry {
  readonly pattern: string;
  readonly matches: (operation: Operation) => boolean;
  readonly headers: Headers;
  /** Tells the variables of printed requests apart: the headers of `tag:admin` are those of `admin-`. */
  readonly prefix: string;
}

/** The user's headers for some operations only, such as the credential of another role. */
export class OperationHeaders {
  readonly #operations: readonly Operation[];
  readonly entries: readonly Entry[];

  constructor(operations: readonly Operation[], entries: readonly Entry[] = []) {
    this.#operations = operations;
    this.entries = entries;
  }

  /**
   * Adds headers by pattern.
   *
   * @param place - what they are called in a message.
   * @throws InputError if a pattern is invalid, or matches no operation.
   */
  with(given: Readonly<Record<string, Headers>> = {}, place = 'headersFor'): OperationHeaders {
    let entries = this.entries;
    for (const [pattern, headers] of Object.entries(given)) {
      const known = entries.find((one) => one.pattern === pattern);
      const others = entries.filter((one) => one !== known);
      const matches = known?.matches ?? readPattern(pattern, this.#operations, place);
      const prefix = known?.prefix ?? unusedPrefix(pattern, new Set(others.map((one) => one.prefix)));
      const merged = { ...known?.headers, ...lowerCaseNames(headers) };
      entries = [...others, { pattern, matches, headers: merged, prefix }];
    }
    return new OperationHeaders(this.#operations, entries);
  }

  /** Later patterns win. */
  of(operation: Operation): Headers {
    const own = this.entries.filter(({ matches }) => matches(operation));
    return Object.fromEntries(own.flatMap(({ headers }) => Object.entries(headers)));
  }
}

function unusedPrefix(pattern: string, used: ReadonlySet<string>): string {
  const words = pattern.slice(pattern.indexOf(':') + 1).match(/[a-z\d]+/gi) ?? ['own'];
  const prefix = `${words.join('-')}-`;
  for (let number = 2; ; number += 1) {
    const numbered = number === 2 ? prefix : `${prefix}${number - 1}-`;
    if (!used.has(numbered)) return numbered;
  }
}
