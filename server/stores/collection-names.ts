/** Separates the name of a collection from its account. Names from specs never contain it. */
const SEPARATOR = '\u0000';

/** Returns the stored name of an account's collection, or of a collection that all accounts share. */
export function collectionOf(name: string, account: string | undefined): string {
  return account === undefined ? name : `${name}${SEPARATOR}${account}`;
}

/** Splits the stored name of a collection into its name and its account, if any. */
export function splitCollection(collection: string): { readonly name: string; readonly account?: string } {
  const place = collection.indexOf(SEPARATOR);
  if (place === -1) return { name: collection };
  return { name: collection.slice(0, place), account: collection.slice(place + 1) };
}
