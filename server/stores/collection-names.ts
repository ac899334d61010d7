/** Separates the name of a collection from the account that it belongs to; no name from a spec contains it. */
const SEPARATOR = '\u0000';

/** The name under which a store keeps the collection of an account, or the one that all accounts share. */
export function collectionOf(name: string, account: string | undefined): string {
  return account === undefined ? name : `${name}${SEPARATOR}${account}`;
}

/** The collection's own name and the account that it belongs to, if it is kept apart. */
export function splitCollection(collection: string): { readonly name: string; readonly account?: string } {
  const place = collection.indexOf(SEPARATOR);
  if (place === -1) return { name: collection };
  return { name: collection.slice(0, place), account: collection.slice(place + 1) };
}
