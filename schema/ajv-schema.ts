import { type Discriminator, type SchemaObject, refName } from '../model/schema-types.js';

/** A schema as our ajv takes it: assertions only, in a fixed order, so that its JSON text can serve as a key. */
export type AjvSchema = boolean | Readonly<Record<string, unknown>>;

/** One that is being made. */
export type AjvDraft = Record<string, unknown>;

/**
 * Branches that a discriminator tells apart become a dispatch on its property. A branch that no value leads to, such as
 * `{ type: 'null' }`, stays an alternative. Where the discriminator stands without branches it is a hint, no more.
 */
export function convertDiscriminator(
  schema: SchemaObject,
  { propertyName, mapping }: Discriminator,
  out: AjvDraft,
): void {
  const key = schema.oneOf === undefined ? 'anyOf' : 'oneOf';
  const branches = schema[key] ?? [];
  const converted = (out[key] as AjvSchema[] | undefined) ?? [];
  const tagged = branches.map((branch) =>
    typeof branch === 'object' && branch.$ref !== undefined ? tagsOf(mapping, refName(branch.$ref)) : [],
  );
  if (tagged.every((tags) => tags.length === 0)) return;
  const isTagged = (_branch: unknown, index: number): boolean => tagged[index]?.length !== 0;
  const dispatch = {
    dispatch: converted.filter(isTagged),
    dispatchOn: { property: propertyName, tags: tagged.filter((tags) => tags.length > 0) },
  };
  const others = converted.filter((branch, index) => !isTagged(branch, index));
  delete out[key];
  if (others.length === 0) Object.assign(out, dispatch);
  else out[key] = [dispatch, ...others];
}

/** Alternatives of alternatives are alternatives: a nullable schema is often written so. */
export function flattenAlternatives(alternatives: readonly AjvSchema[]): AjvSchema[] {
  return alternatives.flatMap((alternative) => {
    const inner =
      typeof alternative === 'object' && Object.keys(alternative).length === 1 ? alternative['anyOf'] : undefined;
    return Array.isArray(inner) ? (inner as AjvSchema[]) : [alternative];
  });
}

export function append(out: AjvDraft, key: string, parts: readonly AjvSchema[]): void {
  out[key] = [...((out[key] as AjvSchema[] | undefined) ?? []), ...parts];
}

function tagsOf(mapping: Discriminator['mapping'], name: string): string[] {
  return Object.entries(mapping).flatMap(([tag, target]) => (target === name ? [tag] : []));
}

/** Whether a schema stands for bytes that travel as they are. */
export function isBinary({ format, contentMediaType, contentEncoding }: SchemaObject): boolean {
  return format === 'binary' || (contentMediaType !== undefined && contentEncoding === undefined);
}

/** In a form or as a body, what the document calls a string is a Blob or the like in the hands of a program. */
export function convertBinary(out: AjvDraft): void {
  const types = [out['type'] ?? []].flat();
  if (!types.includes('string')) return;
  delete out['type'];
  const others = types.filter((type) => type !== 'string');
  if (others.length === 0) out['bytes'] = true;
  else out['allOf'] = [{ anyOf: [{ bytes: true }, { type: others }] }];
}

/** Whether a schema speaks of a member that every object seems to have, such as `toString`. */
export function hasPrototypeNames(schema: SchemaObject): boolean {
  const { properties, dependentSchemas, dependentRequired = {}, required = [] } = schema;
  const names = [properties, dependentSchemas, dependentRequired].flatMap((record) => Object.keys(record ?? {}));
  return [...names, ...Object.values(dependentRequired).flat(), ...required].some((name) => name in Object.prototype);
}
