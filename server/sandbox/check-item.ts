import { compileValidator } from '../../schema/compile-validator.js';
import type { SandboxHost } from './sandbox-state.js';

/** What is wrong with an item of a collection, and where in it; nothing where it is right. */
export type CheckItem = (
  collection: string,
  value: unknown,
) => { readonly pointer: string; readonly message: string } | undefined;

/** Checks items against the schemas that the definition gives for its collections, and those of inferred ones. */
export function createItemCheck({ api, definition: { items = {} }, checkInferred }: SandboxHost): CheckItem {
  return (collection, value) => {
    const schema = Object.hasOwn(items, collection) ? items[collection] : undefined;
    if (schema === undefined) return checkInferred(collection, value);
    const [first] = compileValidator(api, schema, { direction: 'response' })(value);
    return first === undefined ? undefined : { pointer: first.pointer, message: `It ${first.message}.` };
  };
}
