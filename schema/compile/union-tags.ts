import type { Api } from '../../model/api.js';
import { type Discriminator, type Schema, type SchemaObject, refName } from '../../model/schema-types.js';
import { collectParts, findProperty, followRefs } from '../facts/parts.js';
import { typedTags } from '../facts/typed-tags.js';
import { originOf } from '../variant-names.js';

/** The member that distinguishes the branches of a union, and its values by branch. */
export interface UnionTags {
  readonly member: string;
  /** Empty for a branch that does not restrict the member. */
  readonly values: readonly (readonly unknown[])[];
}

/** A member with more values than this is not a tag. */
const MOST_VALUES = 20;

/**
 * Finds the member whose constant distinguishes the branches of a union: that of the discriminator, or the first that
 * some branches fix to different values. A branch's own `const` or `enum` takes precedence over the name or mapping of
 * a discriminator.
 */
export function unionTags(
  branches: readonly Schema[],
  discriminator: Discriminator | undefined,
  api: Api,
): UnionTags | undefined {
  const parts = branches.map((branch) => allParts(branch, api));
  const names = discriminator === undefined ? fixedMembers(parts) : [discriminator.propertyName];
  for (const member of names) {
    const values = parts.map((own, index) => {
      const fixed = valuesOf(own, member);
      return fixed.length > 0 ? fixed : mappedTags(branches[index], discriminator, api);
    });
    if (values.filter((list) => list.length > 0).length > 1 && areDistinct(values)) return { member, values };
  }
  return undefined;
}

/**
 * The tags by which the mapping of a discriminator decides on a branch of a `oneOf`. `undefined` if the branches themselves
 * fix the member to these values, or if some branch has no tag of its own: then the schemas alone decide.
 */
export function decidingTags(
  branches: readonly Schema[],
  discriminator: Discriminator | undefined,
  api: Api,
): UnionTags | undefined {
  if (discriminator === undefined) return undefined;
  const member = discriminator.propertyName;
  const read = branches.map((branch) => {
    const mapped = mappedTags(branch, discriminator, api);
    const property = findProperty(branch, member, api);
    const own = property === undefined ? undefined : followRefs(property, api);
    const fixed = own === undefined ? [] : valuesOf([{ properties: { [member]: own } }], member);
    const values =
      fixed.length > 0 ? fixed.filter((value) => mapped.includes(String(value))) : typedTags(mapped, own?.type);
    return { values, isNarrowed: values.length !== fixed.length };
  });
  const values = read.map((branch) => branch.values);
  const isDecided = read.some(({ isNarrowed }) => isNarrowed) && values.every((list) => list.length > 0);
  return isDecided && areDistinct(values) ? { member, values } : undefined;
}

/** By branch: the member that only this branch requires; null unless there is exactly one. */
export function requiredOfBranches(branches: readonly Schema[], api: Api): readonly (string | null)[] {
  const sets = branches.map((branch) => new Set(allParts(branch, api).flatMap(({ required = [] }) => required)));
  return sets.map((own) => {
    const distinct = [...own].filter((name) => sets.every((other) => other === own || !other.has(name)));
    return distinct.length === 1 ? (distinct[0] ?? null) : null;
  });
}

/** The schema objects that apply to every value of a schema: it, its references and its `allOf`. */
function allParts(schema: Schema, api: Api): readonly SchemaObject[] {
  return collectParts(schema, ({ $ref, allOf = [] }) => [
    $ref === undefined ? undefined : api.schemas.get(originOf(refName($ref), api))?.schema,
    ...allOf,
  ]);
}

/** The members that a branch fixes to one or a few values. */
function fixedMembers(parts: readonly (readonly SchemaObject[])[]): readonly string[] {
  const names = parts.flatMap((own) => own.flatMap(({ properties = {} }) => Object.keys(properties)));
  return [...new Set(names)].filter((name) => parts.some((own) => valuesOf(own, name).length > 0));
}

function valuesOf(parts: readonly SchemaObject[], member: string): readonly unknown[] {
  for (const { properties = {} } of parts) {
    const schema = Object.hasOwn(properties, member) ? properties[member] : undefined;
    if (typeof schema !== 'object') continue;
    const values = Object.hasOwn(schema, 'const') ? [schema.const] : (schema.enum ?? []);
    const isPlain = values.every((value) => typeof value !== 'object' || value === null);
    if (values.length > 0 && values.length <= MOST_VALUES && isPlain && schema['x-enum-any-case'] !== true)
      return values;
  }
  return [];
}

function mappedTags(branch: Schema | undefined, discriminator: Discriminator | undefined, api: Api): readonly string[] {
  if (discriminator === undefined || typeof branch !== 'object' || branch.$ref === undefined) return [];
  const name = originOf(refName(branch.$ref), api);
  return Object.entries(discriminator.mapping).flatMap(([tag, target]) =>
    originOf(target, api) === name ? [tag] : [],
  );
}

function areDistinct(values: readonly (readonly unknown[])[]): boolean {
  const all = values.flat();
  return new Set(all).size === all.length;
}
