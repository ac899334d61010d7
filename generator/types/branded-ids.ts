import { getOrInsert } from '../../model/maps.js';
import type { ValueTypes } from '../../config/config-types.js';
import type { Api, Operation, Parameter } from '../../model/api.js';
import { splitWords, toStringLiteral, toTypeName } from '../../model/identifiers.js';
import { toSingular } from '../../model/singular.js';
import { type Schema, type SchemaObject, refName } from '../../model/schema-types.js';
import { childSchemas } from '../../model/schema-survey.js';
import { followRefs } from '../../schema/facts/parts.js';
import { allOperations } from '../type-names.js';
import { convertedValue } from './value-types.js';

/** The kinds of ids of an API. */
export interface BrandedIds {
  /** The schemas of ids, each with the name of its type. */
  readonly bySchema: ReadonlyMap<SchemaObject, string>;
  /** The schemas of ids and their owners, by the name of the declared type. */
  readonly declared: ReadonlyMap<string, DeclaredId>;
  /** Named schemas that are ids themselves. */
  readonly named: ReadonlySet<string>;
}

interface DeclaredId {
  readonly schema: SchemaObject;
  /** Name of the schema that has the id. */
  readonly owner: string;
}

const known = new WeakMap<Api, BrandedIds>();

/**
 * Finds ids by their names, in all schemas: also in those that no operation of a resource of the map uses.
 * A schema `Case` with a member `id` defines the type `CaseId`; a named schema `CaseId` is
 * such a type itself. A member or parameter `caseId` or `case_id`, the items of `caseIds`, and the `id` in
 * `/cases/{id}` have that type.
 */
export function readBrandedIds(api: Api): BrandedIds {
  return getOrInsert(known, api, () => findIds(api));
}

function findIds(api: Api): BrandedIds {
  const named = new Set(
    [...api.schemas.values()].flatMap(({ name, schema }) => (isNamedId(name, schema) ? [name] : [])),
  );
  const declared = new Map<string, DeclaredId>();
  const bySchema = new Map<SchemaObject, string>();
  for (const { name: owner, schema } of api.schemas.values()) {
    const name = `${owner}Id`;
    const id = membersOf(schema).get('id');
    const target = typeof id === 'object' ? followRefs(id, api) : undefined;
    if (typeof id !== 'object' || target === undefined || scalarOf(target) === undefined) continue;
    if (api.schemas.has(name) || (id.$ref !== undefined && named.has(refName(id.$ref)))) continue;
    declared.set(name, { schema: target, owner });
    bySchema.set(id, name);
  }
  const add = (name: string | undefined, schema: Schema): void => {
    if (name === undefined || typeof schema !== 'object' || bySchema.has(schema)) return;
    const base = declared.get(name)?.schema ?? api.schemas.get(named.has(name) ? name : '')?.schema;
    const own = followRefs(schema, api);
    if (base === undefined || typeof base !== 'object' || own === undefined) return;
    if (scalarOf(own) === scalarOf(base) && own.format === base.format) bySchema.set(schema, name);
  };
  for (const schema of allSchemas(api)) {
    for (const [member, property] of membersOf(schema)) {
      add(kindOf(member), property);
      if (typeof property === 'object' && property.items !== undefined)
        add(kindOf(member.replace(/s$/, '')), property.items);
    }
  }
  for (const operation of allOperations(api))
    for (const parameter of operation.parameters) add(kindOfParameter(parameter, operation), parameter.schema);
  return { bySchema, declared, named };
}

/** The members of a schema, and of the parts of its `allOf` that have no name. */
function membersOf(schema: Schema): Map<string, Schema> {
  if (typeof schema === 'boolean') return new Map();
  return new Map([
    ...(schema.allOf ?? []).flatMap((part) => [...membersOf(part)]),
    ...Object.entries(schema.properties ?? {}),
  ]);
}

function isNamedId(name: string, schema: Schema): boolean {
  return (
    /[a-z]Id$/.test(name) &&
    typeof schema === 'object' &&
    typeof schema.type === 'string' &&
    scalarOf(schema) !== undefined
  );
}

/** Prints the type of an id, which may include `null`; `undefined` for other schemas. */
export function printBrandedId(schema: SchemaObject, api: Api, used: Set<string> | undefined): string | undefined {
  const name = readBrandedIds(api).bySchema.get(schema);
  if (name === undefined) return undefined;
  used?.add(name);
  return [followRefs(schema, api)?.type].flat().includes('null') ? `${name} | null` : name;
}

/** A type that no other id is assignable to. */
export function brand(type: string, name: string): string {
  return `${type} & { readonly __brand: ${toStringLiteral(name)} }`;
}

/** The declarations of the types of ids without their own schema. */
export function printBrandedIds(
  api: Api,
  types: ValueTypes,
): { readonly names: ReadonlySet<string>; readonly text: string } {
  const { declared } = readBrandedIds(api);
  const texts = [...declared].map(([name, { schema, owner }]) => {
    const type = scalarOf(schema) === 'integer' ? 'integer' : 'string';
    const printed = convertedValue(type, schema, types)?.type ?? (type === 'integer' ? 'number' : type);
    return `/** The id of \`${owner}\`. */\nexport type ${name} = ${brand(printed, name)};\n`;
  });
  return { names: new Set(declared.keys()), text: texts.join('\n') };
}

/** `string` or `integer`, even if the value may be `null`; `undefined` if it is neither, or has an enum. */
function scalarOf({ type, ...schema }: SchemaObject): string | undefined {
  if (schema.enum !== undefined || schema.const !== undefined) return undefined;
  const [only, ...others] = [type ?? []].flat().filter((one) => one !== 'null');
  return others.length === 0 && (only === 'string' || only === 'integer') ? only : undefined;
}

/** `CaseId` for `caseId`, `case_id` and `case-id`. */
function kindOf(member: string): string | undefined {
  const words = splitWords(member);
  return words.length > 1 && words.at(-1)?.toLowerCase() === 'id' ? toTypeName(member) : undefined;
}

function kindOfParameter({ name, in: place }: Parameter, { path }: Operation): string | undefined {
  if (name !== 'id' || place !== 'path') return kindOf(name);
  const [before = ''] = path.split('{id}', 1);
  const segment = before.split('/').findLast((one) => one !== '' && !one.includes('{')) ?? '';
  return segment === '' ? undefined : toTypeName(`${toSingular(segment)}Id`);
}

/** All named schemas and schemas of operations, with their subschemas. */
function allSchemas(api: Api): Set<SchemaObject> {
  const found = new Set<SchemaObject>();
  const open: Schema[] = [
    ...[...api.schemas.values()].map(({ schema }) => schema),
    ...allOperations(api).flatMap(({ body, responses }) =>
      [...(body?.content ?? []), ...responses.flatMap(({ content }) => content)].flatMap(({ schema, sequence }) => [
        ...(schema === undefined ? [] : [schema]),
        ...(sequence === undefined ? [] : [sequence.schema]),
      ]),
    ),
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'boolean' || found.has(next)) continue;
    found.add(next);
    open.push(...childSchemas(next));
  }
  return found;
}
