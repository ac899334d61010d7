import type { Dialect } from '../../model/api.js';
import { setMember } from '../../model/document/records.js';
import type { JsonType, Shape } from './shape.js';

/** Fewer values than this do not show that each has a member or a format. */
const ENOUGH = 5;

/** A Schema Object as it is written in a document of a dialect. */
export type WrittenSchema = Record<string, unknown>;

/** Writes the schema of values that a spec does not describe. It says no more than their counts show. */
export function schemaFromShape(shape: Shape, dialect: Dialect): WrittenSchema {
  const types = [...shape.types.keys()].filter((type) => type !== 'null');
  const known = types.includes('number') ? types.filter((type) => type !== 'integer') : types;
  const isNullable = shape.types.has('null');
  if (known.length === 0) return {};
  if (known.length === 1 || hasTypeLists(dialect))
    return { ...writeTypes(known, isNullable, dialect), ...writeParts(shape, dialect) };
  const branches = known.map((type) => ({ type, ...partsOf(type, shape, dialect) }));
  return { anyOf: branches, ...(isNullable ? writeNullable(dialect) : {}) };
}

/** Whether `type` may be a list of types: not before OpenAPI 3.1. */
export function hasTypeLists(dialect: Dialect): boolean {
  return dialect !== 'openapi-2.0' && dialect !== 'openapi-3.0';
}

/** The keyword that allows null where `type` cannot be a list. */
export function writeNullable(dialect: Dialect): WrittenSchema {
  return dialect === 'openapi-2.0' ? { 'x-nullable': true } : { nullable: true };
}

function writeTypes(types: readonly JsonType[], isNullable: boolean, dialect: Dialect): WrittenSchema {
  const [only] = types;
  if (!isNullable && types.length === 1) return { type: only };
  if (hasTypeLists(dialect)) return { type: isNullable ? [...types, 'null'] : types };
  return { type: only, ...(isNullable ? writeNullable(dialect) : {}) };
}

function writeParts(shape: Shape, dialect: Dialect): WrittenSchema {
  const parts = (['string', 'array', 'object'] as const).filter((type) => shape.types.has(type));
  return Object.assign({}, ...parts.map((type) => partsOf(type, shape, dialect))) as WrittenSchema;
}

function partsOf(type: JsonType, shape: Shape, dialect: Dialect): WrittenSchema {
  const { members = new Map<string, Shape>(), items } = shape;
  if (type === 'string') {
    const format = formatOf(shape);
    return format === undefined ? {} : { format };
  }
  if (type === 'array') return { items: items === undefined ? {} : schemaFromShape(items, dialect) };
  if (type !== 'object') return {};
  const objects = shape.types.get('object') ?? 0;
  const properties: Record<string, WrittenSchema> = {};
  for (const [name, member] of members) setMember(properties, name, schemaFromShape(member, dialect));
  const required = [...members].filter(([, { values }]) => values === objects).map(([name]) => name);
  return { properties, ...(objects >= ENOUGH && required.length > 0 ? { required } : {}) };
}

/** The format of all texts, if enough were seen. */
function formatOf({ formats, types }: Shape): string | undefined {
  const texts = types.get('string') ?? 0;
  return texts < ENOUGH ? undefined : [...formats].find(([, times]) => times === texts)?.[0];
}
