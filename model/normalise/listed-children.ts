import type { NamedSchema } from '../api.js';
import type { DiagnosticCollector } from '../diagnostics/create-diagnostic.js';
import { type Schema, type SchemaObject, refName } from '../schema-types.js';
import { reachableNames } from './same-value.js';

type Schemas = ReadonlyMap<string, NamedSchema>;

/**
 * Reads a parent that lists its children in `oneOf` or `anyOf`, and whose children include the parent by `allOf`, as its
 * authors mean it: the parent is the union of its children, and inside of a child it stands for its own members. By the
 * letter the two lead to each other for ever.
 */
export function readListedChildren(schemas: Map<string, NamedSchema>, problems: DiagnosticCollector): void {
  for (const { name } of [...schemas.values()].filter(({ schema }) => listedBy(schema).length > 0)) {
    const parent = schemas.get(name);
    if (parent === undefined) continue;
    const children = findChildren(parent, schemas);
    if (children.length === 0) continue;
    const own = withoutLists(parent.schema, (branch) => reachableNames([branch], schemas, branchesOf).has(name));
    for (const child of children)
      schemas.set(child.name, { ...child, schema: replaceParent(child.schema, parent.name, own) });
    const names = children.map(({ originalName }) => JSON.stringify(originalName)).join(', ');
    problems.report(
      'parent-lists-children',
      parent.source,
      `${JSON.stringify(parent.originalName)} lists ${names}, and they include it by allOf. Inside of them it stands for its own members, without the list.`,
    );
  }
}

/** The schemas that a parent reaches at the same value through its lists, and that include it by `allOf`. */
function findChildren(parent: NamedSchema, schemas: Schemas): readonly NamedSchema[] {
  return [...reachableNames(listedBy(parent.schema), schemas, branchesOf)].flatMap((name) => {
    const child = schemas.get(name);
    return child !== undefined && name !== parent.name && includes(child.schema, parent.name) ? [child] : [];
  });
}

/** The branches that a schema lists, itself or in its `allOf`. */
function listedBy(schema: Schema): readonly Schema[] {
  if (typeof schema === 'boolean') return [];
  return [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.allOf ?? []).flatMap(listedBy)];
}

function branchesOf({ allOf = [], anyOf = [], oneOf = [] }: SchemaObject): readonly Schema[] {
  return [...allOf, ...anyOf, ...oneOf];
}

function includes(schema: Schema, parent: string): boolean {
  if (typeof schema === 'boolean') return false;
  return (schema.allOf ?? []).some((part) => isRefTo(part, parent) || includes(part, parent));
}

function isRefTo(schema: Schema, name: string): schema is SchemaObject {
  return typeof schema === 'object' && schema.$ref !== undefined && refName(schema.$ref) === name;
}

function replaceParent(schema: Schema, parent: string, own: Schema): Schema {
  if (typeof schema === 'boolean' || schema.allOf === undefined) return schema;
  const allOf = schema.allOf.map((part) => {
    if (!isRefTo(part, parent)) return replaceParent(part, parent, own);
    const { $ref: _parent, ...rest } = part;
    return Object.keys(rest).length === 0 ? own : { ...rest, allOf: [own, ...(rest.allOf ?? [])] };
  });
  return { ...schema, allOf };
}

/** A schema without the lists that lead back to it, and without the discriminator that selects among their branches. */
function withoutLists(schema: Schema, leadsBack: (branch: Schema) => boolean): Schema {
  if (typeof schema === 'boolean') return schema;
  const { oneOf = [], anyOf = [], allOf, discriminator, ...own } = schema;
  const [one, any] = [oneOf, anyOf].map((list) => (list.some(leadsBack) ? [] : list));
  const isListed = one?.length === oneOf.length && any?.length === anyOf.length;
  return {
    ...own,
    ...(one === undefined || one.length === 0 ? {} : { oneOf: one }),
    ...(any === undefined || any.length === 0 ? {} : { anyOf: any }),
    ...(isListed && discriminator !== undefined ? { discriminator } : {}),
    ...(allOf === undefined ? {} : { allOf: allOf.map((part) => withoutLists(part, leadsBack)) }),
  };
}
