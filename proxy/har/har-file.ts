import { closeSync, existsSync, ftruncateSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';

import { InputError, systemReason } from '../../model/diagnostics/input-error.js';
import { readPackageVersion } from '../../model/package-info.js';
import type { HarEntry } from '../../http/har.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

const TAIL = '\n]}}\n';

/**
 * A HAR file that grows call by call. It is written to a temporary file beside its destination and renamed when it is
 * closed. Until then, an older file is kept; after a crash, the temporary file is a valid recording.
 */
export class HarFile {
  readonly #file: string;
  readonly #partial: string;
  readonly #handle: number;
  /** The position of the next entry. It overwrites the end of the JSON, which is written again after it. */
  #end: number;
  #count = 0;
  #problem: InputError | undefined;

  /** @throws InputError if the file cannot be written. */
  constructor(file: string) {
    this.#file = path.resolve(file);
    this.#partial = `${this.#file}.${process.pid}.partial`;
    if (statSync(this.#file, { throwIfNoEntry: false })?.isDirectory() === true)
      throw new InputError('The recording cannot be written: it is a folder.', { file: this.#file });
    if (!existsSync(path.dirname(this.#file)))
      throw new InputError('The recording cannot be written: its folder does not exist.', { file: this.#file });
    try {
      this.#handle = openSync(this.#partial, 'w', 0o600);
      const creator = stringifyExactJson({ name: 'specmill', version: readPackageVersion() });
      const start = `{"log":{"version":"1.2","creator":${creator},"entries":[`;
      writeSync(this.#handle, start + TAIL);
      this.#end = start.length;
    } catch (error) {
      throw this.#toProblem(error);
    }
  }

  /** Adds a call. Errors are reported when the file is closed, so that traffic continues. */
  add(entry: HarEntry): void {
    if (this.#problem !== undefined) return;
    const text = Buffer.from(`${this.#count === 0 ? '' : ','}\n${stringifyExactJson(entry)}`);
    try {
      // One write, so that the file is complete before and after it.
      writeAll(this.#handle, Buffer.concat([text, Buffer.from(TAIL)]), this.#end);
      this.#end += text.length;
      this.#count += 1;
    } catch (error) {
      this.#mend();
      this.#problem = this.#toProblem(error);
    }
  }

  /** Moves the recording to its destination. @throws InputError if that fails, or a call could not be written. */
  close(): void {
    closeSync(this.#handle);
    if (this.#problem !== undefined) throw this.#problem;
    try {
      renameSync(this.#partial, this.#file);
    } catch (error) {
      throw this.#toProblem(error);
    }
  }

  /** Deletes the temporary file. */
  discard(): void {
    closeSync(this.#handle);
    rmSync(this.#partial, { force: true });
  }

  /** Removes a partly written entry. */
  #mend(): void {
    try {
      ftruncateSync(this.#handle, this.#end);
      writeAll(this.#handle, Buffer.from(TAIL), this.#end);
    } catch {
      // `close` reports the error, such as a full disk.
    }
  }

  #toProblem(error: unknown): InputError {
    const beside = existsSync(this.#partial) ? ` The calls so far are in ${path.basename(this.#partial)}.` : '';
    return new InputError(`The recording cannot be written: ${systemReason(error)}.${beside}`, { file: this.#file });
  }
}

function writeAll(handle: number, bytes: Uint8Array, position: number): void {
  let written = 0;
  while (written < bytes.length) {
    written += writeSync(handle, bytes, written, bytes.length - written, position + written);
  }
}
