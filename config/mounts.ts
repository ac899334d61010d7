import { InputError } from '../model/diagnostics/input-error.js';
import { stringifyExactJson } from '../runtime/json-integers.js';

/** The path prefix below which an API is served. */
export interface Mount {
  /** The API; absent: that of the function that got the option. */
  readonly name?: string;
  /** Without a trailing slash; empty for the root. */
  readonly prefix: string;
}

/**
 * Reads a value of the option `mount`: `signing=/signing`, or the path alone.
 *
 * @throws InputError if it is not written so.
 */
export function readMount(text: string): Mount {
  const { name, path = '' } = /^(?:(?<name>[^=]+)=)?(?<path>\/[\w.~/-]*)$/.exec(text)?.groups ?? {};
  const prefix = path.replace(/(?<!\/)\/+$/, '');
  const words = prefix.split('/').slice(1);
  if (path === '' || words.some((word) => word === '' || /^\.{1,2}$/.test(word) || word === '__specmill'))
    throw new InputError(
      `The option mount is written NAME=/PATH, such as signing=/signing, and not ${stringifyExactJson(text)}.`,
    );
  return name === undefined ? { prefix } : { name, prefix };
}

/**
 * Returns the prefix of an API; `undefined` if the option is not given.
 *
 * @param names - how the API is called: its name, and the word that the user wrote.
 * @throws InputError if the option is given, but names only other APIs.
 */
export function findPrefix(mounts: readonly Mount[], names: readonly string[]): string | undefined {
  if (mounts.length === 0) return undefined;
  const own = mounts.find(({ name }) => name === undefined || names.includes(name));
  if (own === undefined) throw new InputError(`The option mount has no path for ${names[0]}: add ${names[0]}=/PATH.`);
  return own.prefix;
}
