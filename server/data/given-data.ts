import type { InputPlace } from '../../model/diagnostics/input-error.js';
import { splitPointer } from '../../model/document/pointer.js';

/** Items for one collection, as a user gives them in a file or a request. */
export interface GivenCollection {
  /** The path of the collection, its last word, or a name that the behaviour of the mock defines. */
  readonly name: string;
  readonly items: readonly unknown[];
  /** Whether every value is text, as in CSV. Values are then read by the schema of their member. */
  readonly isText: boolean;
  /** Returns the JSON pointer of an item, or of the collection as a whole. */
  readonly pointerOf: (index?: number) => string;
  /** Returns the place of a JSON pointer in the file. Absent for a request. */
  readonly placeOf?: (pointer: string) => InputPlace;
}

/** Something is wrong with given items. Nothing was changed. */
export class DataProblem extends Error {
  override readonly name = 'DataProblem';
  /** JSON pointer (RFC 6901) into the given data. */
  readonly pointer: string;

  constructor(message: string, pointer: string) {
    super(message);
    this.pointer = pointer;
  }
}

/** The place of a pointer in a file whose items have a line each. */
export function placeInLines(file: string, pointer: string, lines: readonly number[]): InputPlace {
  const line = lines[Number(splitPointer(pointer)[0])];
  return { file, ...(line === undefined ? {} : { line }), pointer };
}
