import { createHash } from 'node:crypto';

import { splitCollection } from '../stores/store.js';
import type { Transaction } from '../stores/replicated/transaction.js';
import { createItemCheck } from './check-item.js';
import { META } from './reserved-collections.js';
import type { SandboxHost } from './sandbox-host.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

/** The key in {@link META} of the hash of the spec that the items were last checked against. */
const SPEC = 'spec';
const MOST_NAMED = 5;

/**
 * Checks stored items once for each version of the spec. Returns a message for each collection with items that no
 * longer fit. The items are kept unchanged.
 */
export function findMismatches(transaction: Transaction, host: SandboxHost, collections: Iterable<string>): string[] {
  const spec = fingerprint(host);
  const before = transaction.read(META, SPEC)?.value;
  if (before === spec) return [];
  transaction.write(META, SPEC, spec);
  const check = createItemCheck(host);
  return [...collections].flatMap((collection) => {
    const { name } = splitCollection(collection);
    const { items } = transaction.find(collection, {});
    const ids = items.flatMap(({ id, value }) => (check(name, value) === undefined ? [] : [id]));
    if (ids.length === 0) return [];
    const named = ids.slice(0, MOST_NAMED).join(', ');
    const rest = ids.length > MOST_NAMED ? ` and ${ids.length - MOST_NAMED} more` : '';
    return [`Items of the collection ${name} no longer match the spec and are kept unchanged: ${named}${rest}.`];
  });
}

function fingerprint({ api, definition }: SandboxHost): string {
  const schemas = [...api.schemas].map(([name, { schema }]) => [name, schema]);
  return createHash('sha256')
    .update(stringifyExactJson([schemas, definition.items]))
    .digest('base64url');
}
