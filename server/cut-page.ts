import { parseExactJson, stringifyExactJson } from '../runtime/json-integers.js';

/** Writes the token of the page after a key. `list` identifies the list: a path or a name. */
export function writeToken(list: string, key: unknown): string {
  return Buffer.from(stringifyExactJson([list, key])).toString('base64url');
}

/** Returns the content of a token; `undefined` if it is not a token of this list. */
export function readToken(token: string, list: string): { readonly key: unknown } | undefined {
  try {
    const parsed: unknown = parseExactJson(Buffer.from(token, 'base64url').toString());
    if (!Array.isArray(parsed) || parsed.length !== 2 || parsed[0] !== list) return undefined;
    const key: unknown = parsed[1];
    return writeToken(list, key) === token ? { key } : undefined;
  } catch {
    return undefined;
  }
}
