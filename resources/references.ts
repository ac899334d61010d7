import type { Api } from '../model/api.js';
import type { Schema } from '../model/schema-types.js';
import { foldName, splitWords, toSingular } from './inflection.js';
import { isObjectSchema, itemsOf, membersOf, typesOf } from '../schema/facts/members.js';

/** A member of an item that names an item of another collection. */
export interface Reference {
  /** Member names from the item down to the id. */
  readonly path: readonly string[];
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

/**
 * Finds the members that may name items of other collections: `authorId`, `author_id`, `author.id` and `bookIds`. The
 * caller checks whether the collection exists.
 */
export function findReferences(schema: Schema, api: Api): Reference[] {
  return [...membersOf(schema, api).values()].flatMap(({ name, schema: member }): Reference[] => {
    if (typesOf(member, api).has('array')) {
      const noun = nounOfId(name, 'ids');
      return noun === undefined ? [] : [{ path: [name], isList: true, noun, schema: itemsOf(member, api) ?? true }];
    }
    if (isObjectSchema(member, api)) {
      const id = membersOf(member, api).get('id');
      return id === undefined ? [] : [{ path: [name, 'id'], isList: false, noun: foldName(name), schema: id.schema }];
    }
    const noun = nounOfId(name, 'id');
    return noun === undefined ? [] : [{ path: [name], isList: false, noun, schema: member }];
  });
}

/** `author` for `authorId`; `undefined` for `id` and `paid`. */
function nounOfId(name: string, ending: 'id' | 'ids'): string | undefined {
  const words = splitWords(name);
  return words.length > 1 && words.at(-1) === ending ? foldName(toSingular(words.slice(0, -1).join(' '))) : undefined;
}
