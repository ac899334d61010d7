import type { Api } from '../../model/api.js';
import type { Schema } from '../../model/schema-types.js';
import { type Item, withoutMembers } from './json-path.js';
import { keepsUnknownMembers, membersOf } from '../../schema/facts/members.js';

/** Returns the members of an item that a schema declares, because a list may show a short form. */
export function projectItem(item: Item, schema: Schema, api: Api): Item {
  const members = membersOf(schema, api);
  if (members.size === 0 || keepsUnknownMembers(schema, api)) return item;
  return withoutMembers(item, (name) => !members.has(name));
}
