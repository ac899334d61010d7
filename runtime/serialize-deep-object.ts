import { encode, items, members, type PairWriter, toText } from './serialize.js';

/**
 * Style `deepObject`: `color[R]=100&color[G]=200`. OpenAPI leaves members that are objects or lists open; they are
 * written as most servers read them: `filter[size][min]=1`, `expand[0]=owner`.
 */
export const writeDeepObject: PairWriter = (name, value, encoder = encode) => {
  if (typeof value !== 'object') return [`${encode(name)}=${encoder(toText(value))}`];
  const pairs = Array.isArray(value) ? items(value).map((item, index) => [index, item] as const) : members(value);
  return pairs.flatMap(([key, member]) => writeDeepObject(`${name}[${key}]`, member, encoder));
};
