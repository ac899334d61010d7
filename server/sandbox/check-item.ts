import { compileValidator } from '../../schema/compile-validator.js';
import type { Api } from '../../model/api.js';
import type { MockDefinition } from '../mock-definition.js';

/** Returns the first violation of an item in a collection; `undefined` if it is valid. */
export type CheckItem = (
  collection: string,
  value: unknown,
) => { readonly pointer: string; readonly message: string } | undefined;

interface ItemRules {
  readonly api: Api;
  readonly definition: Pick<MockDefinition, 'items'>;
  /** Checks items of inferred collections. */
  readonly checkInferred: CheckItem;
}

/** Checks items against the schemas in the definition's `items`, or else against those of inferred collections. */
export function createItemCheck({ api, definition: { items = {} }, checkInferred }: ItemRules): CheckItem {
  return (collection, value) => {
    const schema = Object.hasOwn(items, collection) ? items[collection] : undefined;
    if (schema === undefined) return checkInferred(collection, value);
    const [first] = compileValidator(api, schema, { direction: 'response' })(value);
    return first === undefined ? undefined : { pointer: first.pointer, message: `It ${first.message}.` };
  };
}
