/** A name without letter case and separators, so that `pet_id`, `petId` and `PetID` are the same. */
export function foldName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The words of a name, in lower case: `lastModifiedTime` -> `last`, `modified`, `time`. */
export function splitWords(name: string): string[] {
  return name
    .replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

/** The singular of an English noun, as far as path words need it: `policies` -> `policy`, `boxes` -> `box`. */
export function toSingular(word: string): string {
  if (/ies$/i.test(word)) return `${word.slice(0, -3)}y`;
  if (/(ss|us|is)$/i.test(word)) return word;
  if (/(x|ch|sh|ss)es$/i.test(word)) return word.slice(0, -2);
  return word.replace(/s$/i, '');
}

/** How a thing of a collection is called in a sentence, by the last word of its path. `/user_groups` -> `user group`. */
export function nameThing(collectionPath: string): string {
  const last = collectionPath.split('/').at(-1) ?? '';
  return last.includes('{') ? 'item' : splitWords(toSingular(last)).join(' ') || 'item';
}
