import path from 'node:path';

import type { Api, SourceFile } from '../../model/api.js';
import type { SourceLocation } from '../../model/diagnostics/diagnostic.js';
import { type PathFinder, createPathFinder } from '../../model/diagnostics/locate.js';
import { isUrl } from '../../model/document/address.js';
import { splitPointer, toPointer } from '../../model/document/pointer.js';
import { getOrInsert } from '../../model/maps.js';
import type { FindingPlace } from '../../reports/contract/contract-report.js';
import type { Rule } from './find-rule.js';

/** Finds lines and columns of rules in the files of a spec. */
export class RulePlaces {
  readonly #files: ReadonlyMap<string, SourceFile>;
  readonly #finders = new Map<string, PathFinder>();
  readonly #cwd: string;

  /** @param cwd - files in this folder are named relative to it. */
  constructor({ files }: Api, cwd: string) {
    this.#files = new Map(files.map((file) => [file.path, file]));
    this.#cwd = cwd;
  }

  /** The place of a rule, or of its nearest part that the file has; `undefined` if the file is unknown. */
  placeOf({ at, or }: Rule): FindingPlace | undefined {
    const found = this.#find(at);
    if (or === undefined || found?.isExact === true) return found?.place;
    const other = this.#find(or);
    return other?.isExact === true ? other.place : found?.place;
  }

  #find({ file, pointer }: SourceLocation): { readonly place: FindingPlace; readonly isExact: boolean } | undefined {
    const origin = this.#files.get(file)?.originOf?.(pointer);
    const from = origin !== undefined && this.#files.has(origin.file) ? origin : { file, pointer };
    const text = this.#files.get(from.file)?.text;
    if (text === undefined) return undefined;
    const segments = splitPointer(from.pointer);
    const { line, column, depth } = getOrInsert(this.#finders, from.file, () => createPathFinder(text))(segments);
    const place = { file: this.#nameOf(from.file), line, column, pointer: toPointer(segments.slice(0, depth)) };
    return { place, isExact: depth === segments.length };
  }

  #nameOf(file: string): string {
    const relative = isUrl(file) ? file : path.relative(this.#cwd, file);
    return relative.startsWith('..') || path.isAbsolute(relative) ? file : relative.replaceAll('\\', '/');
  }
}
