const cache = new Map<string, string>();

/** The words of a member name in lower case: `EmailAddress`, `email_address` and `emailAddress` are `email address`. */
export function spacedWords(name: string): string {
  const known = cache.get(name);
  if (known !== undefined) return known;
  const words = name
    .slice(0, 200)
    .replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
  if (cache.size < 50_000) cache.set(name, words);
  return words;
}
