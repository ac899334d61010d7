import { getOrInsert } from '../model/maps.js';
import type { Api } from '../model/api.js';
import type { Schema, SchemaObject } from '../model/schema-types.js';
import { surveySchema } from '../model/schema-survey.js';
import { isDirected, originOf, requestNameOf } from './variant-names.js';
import { type Direction, ViewBuilder } from './view-builder.js';

export type { Direction } from './view-builder.js';

/**
 * The view of a schema for requests. `readOnly` members are not required (if sent, they must still have their type),
 * enums marked `x-enum-any-case` keep the mark, and refs lead to the request variants ({@link namedView}).
 *
 * @example requestView({ type: 'object', required: ['Id'], properties: { Id: { readOnly: true } } }, api)
 * // { type: 'object', properties: { Id: { readOnly: true } } }
 */
export function requestView(schema: Schema, api: Api): Schema {
  return schemaView(schema, api, 'request');
}

/**
 * The view of a schema for responses. `writeOnly` members are refused (`false`) and not required, enums are compared as
 * written.
 */
export function responseView(schema: Schema, api: Api): Schema {
  return schemaView(schema, api, 'response');
}

const changedViews = new WeakMap<Api, Record<Direction, WeakMap<SchemaObject, Schema>>>();

/** {@link requestView} or {@link responseView}. A schema that is the same in both directions is returned unchanged. */
export function schemaView(schema: Schema, api: Api, direction: Direction): Schema {
  if (typeof schema === 'boolean') return schema;
  const views = getOrInsert(changedViews, api, () => ({ request: new WeakMap(), response: new WeakMap() }));
  return getOrInsert(views[direction], schema, () => makeView(schema, api, direction));
}

function makeView(schema: SchemaObject, api: Api, direction: Direction): Schema {
  const hasVariant = (ref: string): boolean => requestNameOf(ref, api) !== undefined;
  const isSame = direction === 'response' || ![...surveySchema(schema).refs].some(hasVariant);
  if (isSame && !isDirected(schema, api)) return schema;
  return new ViewBuilder(api, direction, (name) => variantName(name, api, direction)).child(schema);
}

/** The name by which a view references a named schema. */
function variantName(name: string, api: Api, direction: Direction): string {
  return direction === 'request' ? (requestNameOf(name, api) ?? name) : name;
}

const viewCaches = new WeakMap<Api, Map<string, Schema>>();

/** The target of a `$ref` in a view: the view of a named schema, by the name of the schema or of its request variant. */
export function namedView(name: string, api: Api): Schema | undefined {
  const views = getOrInsert(viewCaches, api, () => new Map<string, Schema>());
  const known = views.get(name);
  if (known !== undefined) return known;
  const origin = originOf(name, api);
  const entry = api.schemas.get(origin);
  if (entry === undefined) return undefined;
  const view = schemaView(entry.schema, api, origin === name ? 'response' : 'request');
  views.set(name, view);
  return view;
}
