import type { Words } from './translation.js';

/** Path and query with the words of the other side. Only what holds a word is written anew. */
export function translateTarget(target: string, words: Words): string {
  if (!words.hasTargets && words.values.size === 0) return target;
  const [, origin = '', path = '', query, hash = ''] =
    /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?(#.*)?$/is.exec(target) ?? [];
  const translated = words.path(path);
  return origin + translated + (query === undefined ? '' : `?${translateQuery(query, words, words.queries)}`) + hash;
}

/** Pairs of a query or of a form. */
export function translateQuery(query: string, words: Words, names: ReadonlyMap<string, string>): string {
  if (query === '' || (names.size === 0 && words.values.size === 0)) return query;
  return query
    .split('&')
    .map((pair) => translatePair(pair, words, names))
    .join('&');
}

function translatePair(pair: string, words: Words, names: ReadonlyMap<string, string>): string {
  const [rawName = '', ...rest] = pair.split('=');
  const name = decode(rawName);
  const real = names.get(name);
  const rawValue = rest.join('=');
  const value = decode(rawValue);
  const translated = translateList(value, name, words);
  if (real === undefined && translated === value) return pair;
  const written = real === undefined ? rawName : encodeURIComponent(real);
  if (rest.length === 0) return written;
  return `${written}=${translated === value ? rawValue : encodeURIComponent(translated).replaceAll('%2C', ',')}`;
}

/** A value, or several with commas between them. */
export function translateList(value: string, key: string, { values }: Words): string {
  if (values.size === 0) return value;
  return value
    .split(',')
    .map((part) => {
      const known = values.get(part.trim());
      return known?.under.has(key) === true ? part.replace(part.trim(), () => known.to) : part;
    })
    .join(',');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
