import type { Api } from '../model/api.js';
import { isRecord } from '../model/document/records.js';
import type { Schema } from '../model/schema-types.js';
import { foldName, wordsOf, toSingular } from './inflection.js';
import { isObjectSchema, itemsOf, membersOf, typesOf } from '../schema/facts/members.js';

/** The step from a list to its items. */
export const EACH_ITEM: unique symbol = Symbol('each item');

/** A member name, or the step into all items of a list. */
export type PathStep = string | typeof EACH_ITEM;

/** A member of an item that names an item of another collection. */
export interface Reference {
  /** Steps from the item down to the id. */
  readonly path: readonly PathStep[];
  /** Whether the member is a list of ids, such as `authorIds`. */
  readonly isList: boolean;
  /** The name of the other item, without case and separators: `author`. */
  readonly noun: string;
  /** The schema of the id, or of each id in the list. */
  readonly schema: Schema;
}

/** The name of an id outside its item: `orderid` for `order`. Without case and separators. */
export function idNameOf(noun: string): string {
  return `${foldName(noun)}id`;
}

/** How many objects and lists lead to a nested reference. */
const MAX_DEPTH = 3;

/**
 * Finds the members of items that may name items of other collections: `authorId`, `author_id`, `author.id` and `bookIds`,
 * also those of nested objects and lists, such as `lines[].productId`. The caller checks whether the collection exists.
 *
 * @param values - the items. Only members that one of them has are found: a schema alone can have millions of paths.
 */
export function findReferences(schema: Schema, api: Api, values: readonly unknown[], depth = 0): Reference[] {
  const nestedIn = (inner: Schema, steps: readonly PathStep[], found: readonly unknown[]): Reference[] =>
    depth === MAX_DEPTH
      ? []
      : findReferences(inner, api, found, depth + 1).map((one) => ({ ...one, path: [...steps, ...one.path] }));
  return [...membersOf(schema, api).values()].flatMap(({ name, schema: member }): Reference[] => {
    const found = valuesOf(values, name);
    if (found.length === 0) return [];
    if (typesOf(member, api).has('array')) {
      const noun = nounOfId(name, 'ids');
      const items = itemsOf(member, api) ?? true;
      if (noun !== undefined) return [{ path: [name], isList: true, noun, schema: items }];
      const steps: readonly PathStep[] = [name, EACH_ITEM];
      return [...embeddedId(items, toSingular(name), { api, steps }), ...nestedIn(items, steps, found.flat())];
    }
    if (isObjectSchema(member, api))
      return [...embeddedId(member, name, { api, steps: [name] }), ...nestedIn(member, [name], found)];
    const noun = nounOfId(name, 'id');
    return noun === undefined ? [] : [{ path: [name], isList: false, noun, schema: member }];
  });
}

function valuesOf(values: readonly unknown[], name: string): unknown[] {
  return values.flatMap((value) => (isRecord(value) && Object.hasOwn(value, name) ? [value[name]] : []));
}

/** The id of an object that shows another item: `author.id`. */
function embeddedId(
  schema: Schema,
  name: string,
  { api, steps }: { readonly api: Api; readonly steps: readonly PathStep[] },
): Reference[] {
  const id = membersOf(schema, api).get('id');
  return id === undefined ? [] : [{ path: [...steps, 'id'], isList: false, noun: foldName(name), schema: id.schema }];
}

/** `author` for `authorId`; `undefined` for `id` and `paid`. */
function nounOfId(name: string, ending: 'id' | 'ids'): string | undefined {
  const words = wordsOf(name);
  return words.length > 1 && words.at(-1) === ending ? foldName(toSingular(words.slice(0, -1).join(' '))) : undefined;
}
