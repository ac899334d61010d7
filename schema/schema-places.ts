import type { Api } from '../model/api.js';
import { splitPointer } from '../model/document/pointer.js';
import type { Schema, SchemaObject } from '../model/schema-types.js';
import { applicableParts } from './facts/parts.js';
import { matchesLinear } from './linear-pattern.js';

/** Every schema object that applies to the value at a JSON pointer, in all alternatives and branches. */
export function schemasAt(schema: Schema, pointer: string, api: Api): readonly SchemaObject[] {
  let found = applicableParts(schema, api);
  for (const segment of splitPointer(pointer)) {
    const children = found.flatMap((one) => childrenOf(one, segment));
    found = [...new Set(children.flatMap((child) => applicableParts(child, api)))];
  }
  return found;
}

/** The subschemas for one member or item; several if patterns match. */
export function childrenOf(schema: SchemaObject, segment: string): readonly Schema[] {
  const { properties = {}, patternProperties = {}, additionalProperties, prefixItems, items } = schema;
  const named = Object.hasOwn(properties, segment) ? properties[segment] : undefined;
  const matching = Object.entries(patternProperties).flatMap(([pattern, child]) =>
    matchesLinear(pattern, segment) ? [child] : [],
  );
  const others = named === undefined && matching.length === 0 ? [additionalProperties] : [];
  const index = /^\d+$/.test(segment) ? Number(segment) : undefined;
  const item = index === undefined ? undefined : (prefixItems?.[index] ?? items);
  return [named, ...matching, ...others, item].filter((child) => child !== undefined);
}
