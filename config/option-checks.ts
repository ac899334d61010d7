import { isIP } from 'node:net';
import path from 'node:path';

import { withoutUndefined } from '../model/document/records.js';
import { suggestName } from '../model/diagnostics/closest-name.js';
import { InputError } from '../model/diagnostics/input-error.js';
import type { LoadOptions } from '../model/load-api.js';
import { parseDuration } from '../model/duration.js';

/**
 * Reads a duration in milliseconds, from a number of milliseconds or a text such as `250ms`.
 *
 * @throws InputError if it is not a duration, or longer than timers support.
 */
export function readMilliseconds(option: string, given: number | string): number {
  const duration = typeof given === 'number' ? { months: 0, milliseconds: given } : parseDuration(given);
  if (
    duration !== undefined &&
    duration.months === 0 &&
    duration.milliseconds >= 0 &&
    duration.milliseconds < 2 ** 31
  ) {
    return duration.milliseconds;
  }
  throw new InputError(
    `The option ${option} must be a duration such as 250ms, 2s or PT0.25S, not ${JSON.stringify(given)}.`,
  );
}

const UNITS: Readonly<Record<string, number>> = { '': 1, K: 1_024, M: 1_024 ** 2, G: 1_024 ** 3 };

/**
 * Reads a size in bytes, such as `512MB` or `2GB`.
 *
 * @throws InputError if it is not a size, or zero.
 */
export function readBytes(option: string, given: string): number {
  const { amount = '', unit = '' } =
    /^(?<amount>\d{1,9}(?:\.\d{1,3})?) ?(?<unit>[kmg]?)(?:i?b)?$/i.exec(given.trim())?.groups ?? {};
  const bytes = Math.floor(Number(amount) * (UNITS[unit.toUpperCase()] ?? 1));
  if (amount !== '' && bytes > 0) return bytes;
  throw new InputError(`The option ${option} must be a size such as 512MB or 2GB, not ${JSON.stringify(given)}.`);
}

/**
 * Reads host names that a server accepts.
 *
 * @throws InputError for a URL or a name with a port, which no request would match.
 */
export function readHostNames(given: string | readonly string[]): readonly string[] {
  const names = [given].flat();
  const wrong = names.find((name) => isIP(name) === 0 && !/^[\w.-]+$/.test(name));
  if (wrong !== undefined)
    throw new InputError(
      `The option allowed-host must be a host name without scheme and port, such as mock.example, not ${JSON.stringify(wrong)}.`,
    );
  return names;
}

/** Options for reading a spec. */
export interface SpecOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly allowRemote?: boolean;
  readonly root?: string;
}

/**
 * Returns the given options with absolute paths.
 */
export function resolveLoading({ headers, allowRemote, root }: SpecOptions, cwd: string): SpecOptions {
  return withoutUndefined({ headers, allowRemote, root: resolvePath(cwd, root) });
}

/** The absolute path of a file or folder, if one is given. */
export function resolvePath(folder: string, given: string | undefined): string | undefined {
  return given === undefined ? undefined : path.resolve(folder, given);
}

/** Merges the options for reading a configured API's spec with those of a command. */
export function mergeLoading(configured: LoadOptions | undefined, given: LoadOptions): LoadOptions {
  const headers = { ...configured?.headers, ...given.headers };
  return { ...configured, ...given, ...(Object.keys(headers).length === 0 ? {} : { headers }) };
}

/** Finds a member that is not known. Returns the end of a sentence: its name in quotes, and which one may be meant. */
export function findUnknownName(given: object, known: readonly string[]): string | undefined {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  return unknown === undefined ? undefined : `${JSON.stringify(unknown)}.${suggestName(unknown, known)}`;
}
