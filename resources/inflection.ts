import { remember } from '../model/maps.js';
import { toSingular } from '../model/singular.js';

export { toSingular };

/** Removes letter case and separators from a name, so that `pet_id`, `petId` and `PetID` are the same. */
export function foldName(name: string): string {
  return name.length > MAX_LENGTH ? fold(name) : foldShort(name);
}

/** Names are folded again and again; longer texts are hardly names. */
const MAX_LENGTH = 100;

const foldShort = remember(fold);

function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The words of a name, in lower case: `lastModifiedTime` -> `last`, `modified`, `time`. */
export function wordsOf(name: string): string[] {
  if (/^[a-z]+$/.test(name)) return [name];
  return name
    .replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

/**
 * The noun for an item of a collection in a sentence, from the last word of its path: `/user_groups` -> `user group`.
 */
export function nameItem(collectionPath: string): string {
  const last = collectionPath.split('/').at(-1) ?? '';
  return last.includes('{') ? 'item' : wordsOf(toSingular(last)).join(' ') || 'item';
}

/** Whether a query parameter names the members that a write changes, such as `updateMask`. */
export function isUpdateMask(name: string): boolean {
  return ['updatemask', 'fieldmask'].includes(foldName(name));
}
