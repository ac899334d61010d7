import type { Api } from '../model/api.js';
import { splitPointer } from '../model/document/pointer.js';
import { isRecord } from '../model/document/records.js';
import type { Schema, SchemaObject } from '../model/schema-types.js';
import { inPlaceCluster } from './facts/parts.js';
import { compilePattern } from './patterns.js';

/** Every schema object that looks at the value at a JSON pointer, in all alternatives and branches. */
export function schemasAt(schema: Schema, pointer: string, api: Api): readonly SchemaObject[] {
  let found = inPlaceCluster(schema, api);
  for (const segment of splitPointer(pointer)) {
    const children = found.flatMap((one) => childrenOf(one, segment));
    found = [...new Set(children.flatMap((child) => inPlaceCluster(child, api)))];
  }
  return found;
}

/** What a schema says of one member or item; more than one thing where patterns match. */
export function childrenOf(schema: SchemaObject, segment: string): readonly Schema[] {
  const { properties = {}, patternProperties = {}, additionalProperties, prefixItems, items } = schema;
  const named = Object.hasOwn(properties, segment) ? properties[segment] : undefined;
  const matching = Object.entries(patternProperties).flatMap(([pattern, child]) =>
    compilePattern(pattern)?.regexp.test(segment) === true ? [child] : [],
  );
  const others = named === undefined && matching.length === 0 ? [additionalProperties] : [];
  const index = /^\d+$/.test(segment) ? Number(segment) : undefined;
  const item = index === undefined ? undefined : (prefixItems?.[index] ?? items);
  return [named, ...matching, ...others, item].filter((child) => child !== undefined);
}

/** The value at a JSON pointer; nothing where there is none. */
export function valueAt(value: unknown, pointer: string): unknown {
  let found = value;
  for (const segment of splitPointer(pointer)) {
    if (Array.isArray(found)) found = found[Number(segment)];
    else if (isRecord(found) && Object.hasOwn(found, segment)) found = found[segment];
    else return undefined;
  }
  return found;
}
