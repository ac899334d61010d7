import type { Api } from '../../model/api.js';
import { mapRecord } from '../../model/document/records.js';
import { HOLDS_SCHEMA, HOLDS_SCHEMA_LIST, HOLDS_SCHEMA_MAP } from '../../model/schema-keywords.js';
import type { Schema } from '../../model/schema-types.js';
import { isMarked } from '../../schema/facts/parts.js';
import type { Direction } from '../../schema/variants.js';
import { ViewBuilder } from '../../schema/view-builder.js';

/** The schema of a value in one direction, without the members that it does not have there. */
export function projectSchema(schema: Schema, api: Api, direction: Direction): Schema {
  // The view requires none of these members, also where another part of the value requires them.
  const view = new ViewBuilder(api, direction, (name) => name).child(schema);
  // The view of a response refuses a member that it never shows.
  const isLeftOut = (member: Schema): boolean =>
    direction === 'request' ? isMarked(member, 'readOnly', api) : member === false;
  return leaveOut(view, isLeftOut);
}

function leaveOut(schema: Schema, isLeftOut: (member: Schema) => boolean): Schema {
  if (typeof schema === 'boolean') return schema;
  const inside = (child: Schema): Schema => leaveOut(child, isLeftOut);
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (HOLDS_SCHEMA.has(key)) return [key, inside(value as Schema)];
    if (HOLDS_SCHEMA_LIST.has(key)) return [key, (value as Schema[]).map(inside)];
    if (!HOLDS_SCHEMA_MAP.has(key)) return [key, value];
    const members = Object.entries(value as Record<string, Schema>);
    const kept = key === 'properties' ? members.filter(([, member]) => !isLeftOut(member)) : members;
    return [key, mapRecord(Object.fromEntries(kept), inside)];
  });
  return Object.fromEntries(entries);
}
