import { type Store, forwardStore } from '../stores/store.js';

/** The store of a request: its transaction, and after the commit the store itself, for streams that continue. */
export interface RequestStore extends Store {
  /** Makes each further call its own transaction. */
  readonly continueWith: (store: Store) => void;
  /** Makes further calls fail, because they belong to a failed attempt. */
  readonly drop: () => void;
}

export function createRequestStore(transaction: Store): RequestStore {
  let current: Store | undefined = transaction;
  const forwarding = forwardStore(async (call) => {
    if (current === undefined) throw new Error('The request was begun again: this attempt does not count.');
    return call(current);
  });
  const replace = (store: Store | undefined): void => {
    current = store;
  };
  return { ...forwarding, continueWith: replace, drop: () => replace(undefined) };
}
