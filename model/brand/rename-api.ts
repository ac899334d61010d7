import type { Api } from '../api.js';
import { isRecord } from '../document/records.js';
import { renameMembers } from './rename-documents.js';
import type { VendorNames } from './parse-vendor.js';
import { renameText } from './rename-text.js';

/** Renames an API that was read before its vendor was known. Files and diagnostics keep the words of the documents. */
export function renameApi(api: Api, names: VendorNames): Api {
  const known = new Map<object, unknown>();
  const rename = (value: unknown): unknown => {
    if (typeof value === 'string') return renameText(value, names);
    if (typeof value !== 'object' || value === null) return value;
    const renamed = known.get(value) ?? renameObject(value);
    // Schemas that are one object stay one: compiled validators are found by it.
    known.set(value, renamed);
    return renamed;
  };
  const renameObject = (value: object): unknown => {
    if (value instanceof Map)
      return new Map([...value].map(([key, member]: [unknown, unknown]) => [rename(key), rename(member)]));
    if (Array.isArray(value)) return value.map(rename);
    return isRecord(value) ? renameMembers(value, names, rename) : value;
  };
  const { files, diagnostics, ...rest } = api;
  // The walk keeps the shape of what it is given.
  return { ...(rename(rest) as Omit<Api, 'files' | 'diagnostics'>), files, diagnostics };
}
