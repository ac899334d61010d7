import { toPointer } from '../model/document/pointer.js';
import type { Api } from '../model/api.js';
import { type Schema, type SchemaObject, refName } from '../model/schema-types.js';
import { collectParts } from './facts/parts.js';
import { isValidValue } from './compile-validator.js';
import { namedView, schemaView, type Direction } from './variants.js';

/** A place in a value, with every schema that applies there. */
export interface ValueSite {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
  readonly schemas: readonly SchemaObject[];
}

export interface SiteOptions {
  readonly api: Api;
  readonly direction: Direction;
  /** Visits only this place (a JSON pointer), its ancestors and its descendants. Default: all places. */
  readonly along?: string;
}

/** Maximum number of places that are visited; more of them add nothing. */
const MAX_SITES = 400;

/**
 * The places of a valid value, the outermost first. Only the first item of a list is visited.
 *
 * @example [...valueSites({ type: 'object', properties: { a: { minimum: 1 } } }, { a: 2 }, options)]
 * // the object itself, and { path: ['a'], value: 2, schemas: [{ minimum: 1 }] }
 */
export function valueSites(schema: Schema, value: unknown, options: SiteOptions): ValueSite[] {
  const sites: ValueSite[] = [];
  const open = [
    { path: [] as readonly (string | number)[], value, schemas: [schemaView(schema, options.api, options.direction)] },
  ];
  while (open.length > 0 && sites.length < MAX_SITES) {
    const next = open.shift();
    if (next === undefined) break;
    const schemas = holdingSchemas(next.schemas, next.value, options);
    sites.push({ path: next.path, value: next.value, schemas });
    for (const [key, child] of childrenOf(next.value)) {
      if (options.along !== undefined && !isAlong(toPointer([...next.path, key]), options.along)) continue;
      const inner = schemas.flatMap((one) => childSchemas(one, key));
      if (inner.length > 0) open.push({ path: [...next.path, key], value: child, schemas: inner });
    }
  }
  return sites;
}

/** Whether one place contains the other, or the reverse. */
export function isAlong(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}

function childrenOf(value: unknown): (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return value.length === 0 ? [] : [[0, value[0]]];
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function childSchemas(schema: SchemaObject, key: string | number): Schema[] {
  if (typeof key === 'number') {
    const inner = schema.prefixItems?.[key] ?? schema.items;
    return inner === undefined ? [] : [inner];
  }
  if (schema.properties !== undefined && Object.hasOwn(schema.properties, key)) return [schema.properties[key] ?? true];
  return typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : [];
}

/** The schemas with their references and `allOf`, and of alternatives the first that the value fits. */
function holdingSchemas(start: readonly Schema[], value: unknown, { api, direction }: SiteOptions): SchemaObject[] {
  const isFitting = (branch: Schema): boolean => isValidValue(value, branch, api, direction);
  return collectParts(start, ({ $ref, allOf = [], anyOf, oneOf }) => [
    $ref === undefined ? undefined : namedView(refName($ref), api),
    ...allOf,
    anyOf?.find(isFitting),
    oneOf?.find(isFitting),
  ]);
}
