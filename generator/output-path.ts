import { lstatSync } from 'node:fs';
import path from 'node:path';

import { InputError } from '../model/diagnostics/input-error.js';
import { MANIFEST_FILE } from './manifest.js';

/** Converts paths of an output folder to paths on disk, and refuses every path that leaves the folder. */
export class OutputPaths {
  readonly #folder: string;
  readonly #checked = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * The absolute path of a file of the output.
   *
   * @throws InputError if the path leaves the folder, by its segments or through a symbolic link.
   */
  resolve(relative: string): string {
    if (!isPlainPath(relative)) {
      throw new InputError(
        `An emitter gave the path ${JSON.stringify(relative)}, which is not a plain path inside the output folder.`,
      );
    }
    let place = this.#folder;
    for (const segment of relative.split('/')) {
      place = path.join(place, segment);
      this.#refuseLink(place);
    }
    return place;
  }

  /** Refuses symbolic links inside the output folder. The folder itself may be a link, because its owner chose it. */
  #refuseLink(place: string): void {
    if (this.#checked.has(place)) return;
    this.#checked.add(place);
    if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
      throw new InputError('The output folder has a symbolic link where a file should be written; remove it.', {
        file: place,
      });
    }
  }
}

/**
 * Whether a path is plain, such as `a/b.ts`: not upwards, not absolute (on any system), no control characters, not the
 * manifest.
 */
function isPlainPath(relative: string): boolean {
  const segments = relative.split('/');
  return (
    relative !== MANIFEST_FILE &&
    !/[\\:\u0000-\u001f\u007f]/.test(relative) &&
    segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..')
  );
}
