import { appendPointer, toPointer } from '../../model/document/pointer.js';
import { type StoreContents, type VersionedItem, collectionOf, splitCollection } from '../stores/store.js';
import type { BytesVault } from './bytes-vault.js';
import type { CheckItem } from './check-item.js';
import { findRecordProblem } from './own-records.js';
import type { RandomState } from './seeded-random.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

/** The state of a sandbox as JSON. Collections whose names start with `#` are the mock's own. */
export interface StateSnapshot {
  readonly clock?: { readonly now: string; readonly frozen?: boolean };
  readonly random?: RandomState;
  /** The collections that all callers share, by name; items in the order of creation. */
  readonly collections: Readonly<Record<string, readonly SnapshotItem[]>>;
  /** The collections of each account, by account and name. */
  readonly accounts?: Readonly<Record<string, Readonly<Record<string, readonly SnapshotItem[]>>>>;
}

/** An item of a snapshot. Default version: 1. */
interface SnapshotItem {
  readonly id: string;
  readonly version?: number;
  readonly value: unknown;
}

/** A snapshot cannot be restored. The state is unchanged. */
export class BadSnapshotError extends Error {
  override readonly name = 'BadSnapshotError';
  /** JSON pointer (RFC 6901) into the snapshot. */
  readonly pointer: string;

  constructor(message: string, pointer: string) {
    super(message);
    this.pointer = pointer;
  }
}

export function describeContents(
  contents: StoreContents,
  vault: BytesVault,
): Required<Pick<StateSnapshot, 'collections' | 'accounts'>> {
  const shared: [string, SnapshotItem[]][] = [];
  const accounts = new Map<string, [string, SnapshotItem[]][]>();
  for (const { collection, items } of contents) {
    const { name, account } = splitCollection(collection);
    const target = account === undefined ? shared : (accounts.get(account) ?? []);
    if (account !== undefined) accounts.set(account, target);
    target.push([name, items.map(({ id, version, value }) => ({ id, version, value: vault.describe(value) }))]);
  }
  const byAccount = [...accounts].map(([account, collections]) => [account, Object.fromEntries(collections)] as const);
  return { collections: Object.fromEntries(shared), accounts: Object.fromEntries(byAccount) };
}

/**
 * Reads the items of a snapshot that was validated against the spec of the control API.
 *
 * @throws BadSnapshotError if it breaks a rule that a schema cannot state.
 */
export function readContents({ collections, accounts = {} }: StateSnapshot, how: ReadItems): StoreContents {
  const shared = Object.entries(collections).map(([name, items]) =>
    readItems(name, items, { ...how, pointer: '/collections' }),
  );
  const own = Object.entries(accounts).flatMap(([account, byName]) =>
    Object.entries(byName).map(([name, items]) =>
      readItems(name, items, { ...how, account, pointer: toPointer(['accounts', account]) }),
    ),
  );
  return [...shared, ...own];
}

interface ReadItems {
  readonly vault: BytesVault;
  readonly check: CheckItem;
}

interface ItemsPlace extends ReadItems {
  readonly account?: string;
  readonly pointer: string;
}

function readItems(
  name: string,
  items: readonly SnapshotItem[],
  { vault, check, account, pointer }: ItemsPlace,
): StoreContents[number] {
  const place = appendPointer(pointer, name);
  if (name.includes('\u0000')) throw new BadSnapshotError('The name of a collection contains a NUL character.', place);
  const ids = new Set<string>();
  const read = items.map(({ id, version = 1, value }, index): VersionedItem => {
    if (ids.has(id))
      throw new BadSnapshotError(`The id ${stringifyExactJson(id)} occurs twice.`, `${place}/${index}/id`);
    ids.add(id);
    const own = findRecordProblem(name, id, value);
    const problem = own === undefined ? check(name, value) : { pointer: '', message: own };
    if (problem !== undefined) throw new BadSnapshotError(problem.message, `${place}/${index}/value${problem.pointer}`);
    return { id, version, value: vault.recall(value) };
  });
  return { collection: collectionOf(name, account), items: read };
}
