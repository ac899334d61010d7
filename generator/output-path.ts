import { lstatSync } from 'node:fs';
import path from 'node:path';

import { InputError } from '../model/diagnostics/input-error.js';
import { MANIFEST_FILE } from './manifest.js';

/** Turns paths of an output folder into paths on disk, and refuses every way out of the folder. */
export class OutputPaths {
  readonly #folder: string;
  readonly #checked = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * The absolute path of a file of the output.
   *
   * @throws InputError if the path leaves the folder, by its words or through a symbolic link.
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

  /** The output folder itself may be a link: that is its owner's choice. */
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

/** `a/b.ts`: no way up, no absolute path (of any system), no control character, no manifest. */
function isPlainPath(relative: string): boolean {
  const segments = relative.split('/');
  return (
    relative !== MANIFEST_FILE &&
    !/[\\:\u0000-\u001f\u007f]/.test(relative) &&
    segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..')
  );
}
