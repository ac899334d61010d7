import { getOrInsert } from '../../model/maps.js';
import type { Api, NamedSchema } from '../../model/api.js';
import { type Schema, type SchemaObject, refName, refTo } from '../../model/schema-types.js';
import { brand, readBrandedIds } from './branded-ids.js';
import { type DiscriminatorTag, findInheritedTags, printTagMember } from './discriminator-tags.js';
import { printSchemaComment } from './doc-comment.js';
import { hasNamedMembers, hasObjectShape, printObjectType } from './print-object-type.js';
import { type Heritage, findHeritage, mergeParts } from './merge-parts.js';
import { printLiteralType } from './print-literal-type.js';
import { printType } from './print-type.js';
import { type TypeDirection, type TypeScope, typeNameOf } from './type-scope.js';
import { intersection, layOut, union } from './type-text.js';

/** Prints the exported type of a named schema, and of its request variant if it differs. */
export function printNamedSchema(named: NamedSchema, scope: Omit<TypeScope, 'direction' | 'indent'>): string {
  const output = printDeclaration(named, named.name, { ...scope, direction: 'output', indent: '' });
  if (named.inputName === undefined) return output;
  return `${output}\n${printDeclaration(named, named.inputName, { ...scope, direction: 'input', indent: '' })}`;
}

const VARIANT_NOTES: Readonly<Record<TypeDirection, string | undefined>> = {
  output: undefined,
  input: 'As it is sent: without the members that only the server sets.',
};

function printDeclaration({ name, schema, inputName }: NamedSchema, exportName: string, scope: TypeScope): string {
  const note = inputName === undefined ? undefined : VARIANT_NOTES[scope.direction];
  const comment = printSchemaComment(schema, '', [note]);
  const tags = findInheritedTags(name, schema, scope.api);
  const leadsBack = !isPlainObject(schema) && leadsToItself(name, scope.api);
  const declared = leadsBack ? undefined : printInterface(schema, tags, scope);
  if (declared !== undefined) return `${comment}export interface ${exportName} ${declared}\n`;
  if (leadsBack) return `${comment}export type ${exportName} = unknown;\n`;
  const type = intersection([printType(schema, scope), ...tags.map(printTagMember)]);
  const isId = scope.types?.ids === 'branded' && readBrandedIds(scope.api).named.has(name);
  return `${comment}${printAlias(exportName, isId ? brand(type, exportName) : type)}`;
}

/** `export type Name = …;`, a long union on several lines. */
export function printAlias(name: string, type: string): string {
  const text = layOut(type, '', name.length + 15);
  return `export type ${name} =${text.startsWith('\n') ? '' : ' '}${text};\n`;
}

/**
 * Prints `extends Base { … }` for an object, including one that extends others; `undefined` if the type is not an
 * interface.
 */
function printInterface(schema: Schema, tags: readonly DiscriminatorTag[], scope: TypeScope): string | undefined {
  const heritage = describeInterface(schema, tags, scope);
  if (heritage === undefined) return undefined;
  const bases = heritage.bases.map(({ name, overridden }) => {
    const base = typeNameOf(refTo(name), scope);
    return overridden.length === 0 ? base : `Omit<${base}, ${union(overridden.map(printLiteralType))}>`;
  });
  const body = hasNamedMembers(heritage.own, scope) ? printObjectType(heritage.own, scope, printType) : '{}';
  return `${bases.length === 0 ? '' : `extends ${bases.join(', ')} `}${body}`;
}

/** The bases of the interface of a schema, and its own members with its tags; `undefined` if the type is not an interface. */
function describeInterface(schema: Schema, tags: readonly DiscriminatorTag[], scope: TypeScope): Heritage | undefined {
  if (typeof schema === 'boolean') return undefined;
  const heritage = isPlainObject(schema)
    ? { bases: [], own: schema }
    : findHeritage(schema, scope.api, (base) => isInterface(base, scope));
  const merged = heritage === undefined ? mergeParts(schema, scope.api) : undefined;
  const found = heritage?.own ?? (merged?.type === 'object' ? merged : undefined);
  if (found === undefined) return undefined;
  const own = withTags(found, tags);
  const bases = heritage?.bases ?? [];
  return hasNamedMembers(own, scope) || bases.length > 1 ? { bases, own } : undefined;
}

const interfaceCaches = new WeakMap<Api, Map<string, boolean>>();

/** Whether a named schema is declared as an interface, so that others can extend it. */
function isInterface(name: string, scope: TypeScope): boolean {
  const cache = getOrInsert(interfaceCaches, scope.api, () => new Map<string, boolean>());
  const key = `${scope.direction} ${name}`;
  const schema = scope.api.schemas.get(name)?.schema ?? true;
  return getOrInsert(
    cache,
    key,
    () => describeInterface(schema, findInheritedTags(name, schema, scope.api), scope) !== undefined,
  );
}

/** Restricts the members of an object schema to the values of its tags. */
function withTags(schema: SchemaObject, tags: readonly DiscriminatorTag[]): SchemaObject {
  return tags.reduce(({ properties = {}, required = [], ...rest }: SchemaObject, { propertyName, literals }) => {
    const { const: _const, $ref: _ref, ...own } = Object(properties[propertyName] ?? {}) as SchemaObject;
    return {
      ...rest,
      properties: { ...properties, [propertyName]: { ...own, enum: literals } },
      required: [...new Set([...required, propertyName])],
    };
  }, schema);
}

/** An object schema without combinators becomes an interface: its name shows in messages and editors. */
function isPlainObject(schema: Schema): schema is SchemaObject {
  if (
    typeof schema === 'boolean' ||
    !(schema.type === 'object' || (schema.type === undefined && hasObjectShape(schema)))
  )
    return false;
  return [schema.$ref, schema.allOf, schema.anyOf, schema.oneOf, schema.enum, schema.const].every(
    (keyword) => keyword === undefined,
  );
}

/** Whether a type alias would directly refer to itself, which TypeScript refuses. */
export function leadsToItself(name: string, api: Api): boolean {
  const seen = new Set<string>();
  const open: Schema[] = [api.schemas.get(name)?.schema ?? true];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'boolean') continue;
    open.push(...(next.allOf ?? []), ...(next.anyOf ?? []), ...(next.oneOf ?? []));
    if (next.$ref === undefined) continue;
    const target = refName(next.$ref);
    if (target === name) return true;
    const targetSchema = seen.has(target) ? undefined : api.schemas.get(target)?.schema;
    seen.add(target);
    if (targetSchema !== undefined && !isPlainObject(targetSchema)) open.push(targetSchema);
  }
  return false;
}
