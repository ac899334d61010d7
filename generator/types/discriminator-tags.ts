import { getOrInsert, groupPairs } from '../../model/maps.js';
import type { Api } from '../../model/api.js';
import { toPropertyKey } from '../../model/identifiers.js';
import { type Discriminator, type Schema, type SchemaObject, refName } from '../../model/schema-types.js';
import { typedTags } from '../../schema/facts/typed-tags.js';
import { holdingParts } from '../../schema/facts/parts.js';
import { printLiteralType } from './print-literal-type.js';
import { union } from './type-text.js';

/**
 * The tag that a branch needs so that the union narrows: `{ kind: 'cat' }`. Only for a branch that is a reference;
 * `undefined` if its type already has the tag.
 */
export function findBranchTag(
  discriminator: Discriminator,
  branch: SchemaObject,
  api: Api,
): DiscriminatorTag | undefined {
  const { propertyName, mapping, defaultMapping } = discriminator;
  if (branch.$ref === undefined) return undefined;
  const name = refName(branch.$ref);
  // Values without the member, or with an unmapped one, also belong to this branch.
  if (name === defaultMapping) return undefined;
  const literals = tagLiterals(
    Object.keys(mapping).filter((value) => mapping[value] === name),
    findDeclarations(branch, propertyName, api),
  );
  if (literals.length === 0) return undefined;
  const tag = { propertyName, literals };
  // The type of the branch already has the tag if its base requires it.
  const inherited = findInheritedTags(name, api.schemas.get(name)?.schema ?? true, api);
  return inherited.some((one) => printTagMember(one) === printTagMember(tag)) ? undefined : tag;
}

/** A member that a discriminator narrows, and its values. */
export interface DiscriminatorTag {
  readonly propertyName: string;
  readonly literals: readonly unknown[];
}

/** `{ kind: 'cat' | 'dog' }` */
export function printTagMember({ propertyName, literals }: DiscriminatorTag): string {
  return `{ ${toPropertyKey(propertyName)}: ${union(literals.map(printLiteralType))} }`;
}

/**
 * The values of a mapping that a member can have; none if the member itself is already as narrow, or has other values:
 * then the name of the schema is no tag.
 */
function tagLiterals(values: readonly string[], declarations: readonly SchemaObject[]): readonly unknown[] {
  const [fixed, ...others] = declarations.flatMap(fixedValues);
  const type = declarations.find((one) => one.type !== undefined)?.type;
  if (fixed === undefined) return typedTags(values, type);
  const allowed = fixed.filter((value) => others.every((other) => other.includes(value)));
  const literals = allowed.filter((value) => values.includes(String(value)));
  return literals.length === allowed.length ? [] : literals;
}

/** The list of values that a schema allows, if it has one. */
function fixedValues(schema: SchemaObject): readonly (readonly unknown[])[] {
  if (Object.hasOwn(schema, 'const')) return [[schema.const]];
  return schema.enum === undefined ? [] : [schema.enum];
}

/** What a schema and those that it includes say of one of its members: a derived schema narrows a member of its base. */
function findDeclarations(schema: Schema, name: string, api: Api): SchemaObject[] {
  return holdingParts(schema, api).flatMap(({ properties = {} }) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return property === undefined ? [] : holdingParts(property, api);
  });
}

/**
 * The tags of a schema that includes a base with a discriminator, directly or indirectly: `kind` is the schema's own
 * name, or that of a schema that includes it.
 */
export function findInheritedTags(name: string, schema: Schema, api: Api): DiscriminatorTag[] {
  return basesOf(schema, api).flatMap(({ discriminator }) => {
    if (discriminator === undefined) return [];
    const { values, derivedNames } = readMapping(discriminator, api);
    const own = [name, ...(derivedNames.get(api.schemas.get(name)?.schema) ?? [])].flatMap(
      (derived) => values.get(derived) ?? [],
    );
    const { propertyName } = discriminator;
    const literals = tagLiterals(own, findDeclarations(schema, propertyName, api));
    return literals.length === 0 ? [] : [{ propertyName, literals }];
  });
}

/** The mapping of a discriminator, by the names of schemas. */
interface MappedSchemas {
  /** The values by mapped schema. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** By schema: the mapped schemas that include it. */
  readonly derivedNames: ReadonlyMap<Schema | undefined, readonly string[]>;
}

const mappings = new WeakMap<Api, Map<Discriminator, MappedSchemas>>();

/** Read once for all derived schemas, because a base such as the entity of Microsoft Graph has thousands. */
function readMapping(discriminator: Discriminator, api: Api): MappedSchemas {
  const ofApi = getOrInsert(mappings, api, () => new Map<Discriminator, MappedSchemas>());
  const known = ofApi.get(discriminator);
  if (known !== undefined) return known;
  const values = groupPairs(Object.entries(discriminator.mapping).map(([value, target]) => [target, value] as const));
  const derivedNames = groupPairs(
    [...values.keys()].flatMap((derived) =>
      basesOf(api.schemas.get(derived)?.schema ?? true, api).map((base) => [base, derived] as const),
    ),
  );
  const mapped = { values, derivedNames };
  ofApi.set(discriminator, mapped);
  return mapped;
}

/** The base schemas without their own branches that a schema includes by `allOf`, directly or indirectly. */
function basesOf(schema: Schema, api: Api): readonly SchemaObject[] {
  const found = new Set<SchemaObject>();
  const open: Schema[] = [schema];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const name of basesNamedBy(next)) {
      const base = api.schemas.get(name)?.schema;
      if (typeof base !== 'object' || found.has(base) || base === schema) continue;
      found.add(base);
      open.push(base);
    }
  }
  return [...found].filter(({ oneOf, anyOf }) => oneOf === undefined && anyOf === undefined);
}

function basesNamedBy(schema: Schema): readonly string[] {
  if (typeof schema === 'boolean' || schema.allOf === undefined) return [];
  return schema.allOf.flatMap((part) =>
    typeof part === 'object' && part.$ref !== undefined ? [refName(part.$ref)] : [],
  );
}
