import { getOrInsert } from '../maps.js';
import type { Origin } from '../api.js';
import { appendPointer, splitPointer } from '../document/pointer.js';

/** A part of the changed document. */
interface Part {
  origin?: Origin;
  readonly parts: Map<string, Part>;
}

/**
 * Where the parts of a changed document come from: for each part that an overlay or a configured helper has changed, the
 * location of its text.
 * A part without an origin comes from the same place as its parent.
 */
export class Origins {
  readonly #file: string;
  readonly #root: Part = { parts: new Map() };

  /** @param file - the document that is changed. */
  constructor(file: string) {
    this.#file = file;
  }

  /** Where a part of the changed document comes from. */
  find(pointer: string): Origin {
    let part: Part | undefined = this.#root;
    let found: Origin = { file: this.#file, pointer: '' };
    if (part.origin !== undefined) found = part.origin;
    for (const key of splitPointer(pointer)) {
      part = part?.parts.get(key);
      found = part?.origin ?? { ...found, pointer: appendPointer(found.pointer, key) };
    }
    return found;
  }

  /** Records that a part, with everything in it, comes from elsewhere. */
  set(pointer: string, origin: Origin): void {
    const part = this.#reach(pointer);
    part.origin = origin;
    part.parts.clear();
  }

  /** Records that an item of a list is removed, so that later items move up. */
  removeItem(list: string, index: number, length: number): void {
    const owner = this.#reach(list);
    for (let place = index; place < length - 1; place += 1) {
      const origin = this.find(appendPointer(list, place + 1));
      const next = owner.parts.get(String(place + 1));
      owner.parts.set(String(place), { origin, parts: next?.parts ?? new Map<string, Part>() });
    }
    owner.parts.delete(String(length - 1));
  }

  #reach(pointer: string): Part {
    let part = this.#root;
    for (const key of splitPointer(pointer)) {
      const next: Part = getOrInsert(part.parts, key, () => ({ parts: new Map() }));
      part = next;
    }
    return part;
  }
}

/** A document that overlays or configured helpers have changed. */
export interface ChangedDocument {
  readonly root: unknown;
  readonly origins: Origins;
}
