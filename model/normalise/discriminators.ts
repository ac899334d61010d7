import { splitPointer } from '../document/pointer.js';
import { type RawRecord, isRecord } from '../document/records.js';
import type { NamedSchema } from '../api.js';
import { type Discriminator, type Schema, refName } from '../schema-types.js';
import type { RefBase } from './resources.js';
import type { ReadSchemas, SchemaPlace } from './schema-place.js';

interface DiscriminatorContext {
  readonly raw: RawRecord;
  readonly place: SchemaPlace;
  readonly reader: ReadSchemas;
}

/** Reads a discriminator (a name in OpenAPI 2.0, an object later) and fills in what its mapping leaves implicit. */
export function readDiscriminator(value: unknown, context: DiscriminatorContext): Discriminator | undefined {
  const propertyName = isRecord(value) ? value['propertyName'] : value;
  if (typeof propertyName !== 'string') return undefined;
  const explicit = isRecord(value) && isRecord(value['mapping']) ? readMapping(value['mapping'], context) : [];
  const mapped = new Set(explicit.map(([, name]) => name));
  const implicit = branchNames(context).filter(([, name]) => !mapped.has(name));
  return {
    propertyName,
    mapping: Object.fromEntries([...implicit, ...explicit]),
    ...readDefaultMapping(value, context),
  };
}

/** `defaultMapping` of OpenAPI 3.2: the schema of values whose property is absent or not mapped. */
function readDefaultMapping(value: unknown, context: DiscriminatorContext): Pick<Discriminator, 'defaultMapping'> {
  if (context.place.dialect.name !== 'openapi-3.2' || !isRecord(value)) return {};
  const target = value['defaultMapping'];
  if (typeof target !== 'string') {
    warnOfOptional(value['propertyName'], context);
    return {};
  }
  const defaultMapping = nameOfTarget(target, ['defaultMapping'], context);
  return defaultMapping === undefined ? {} : { defaultMapping };
}

/** OpenAPI 3.2: where a value may lack the property of a discriminator, `defaultMapping` is required. */
function warnOfOptional(property: unknown, { raw, place, reader }: DiscriminatorContext): void {
  if (typeof property !== 'string') return;
  const demands = (schema: unknown, base: RefBase, above: readonly unknown[]): boolean => {
    if (!isRecord(schema) || above.includes(schema)) return false;
    const inner = (part: unknown): boolean => demands(part, base, [...above, schema]);
    const { $ref, required, allOf, oneOf, anyOf } = schema;
    if (Array.isArray(required) && required.includes(property)) return true;
    if (Array.isArray(allOf) && allOf.some(inner)) return true;
    const branches = [oneOf, anyOf].flatMap((list): unknown[] => (Array.isArray(list) ? list : []));
    if (branches.length > 0 && branches.every(inner)) return true;
    const located = typeof $ref === 'string' ? reader.resolver.resolve($ref, base) : undefined;
    return located !== undefined && demands(located.value, reader.resolver.baseAt(located), [...above, schema]);
  };
  if (demands(raw, place.base, [])) return;
  const text = `The discriminator needs "defaultMapping", because its property ${JSON.stringify(property)} is not required.`;
  reader.problems.report('document-invalid', place.child('discriminator'), text);
}

function readMapping(mapping: RawRecord, context: DiscriminatorContext): [string, string][] {
  return Object.entries(mapping).flatMap(([value, target]): [string, string][] => {
    const name = typeof target === 'string' ? nameOfTarget(target, ['mapping', value], context) : undefined;
    return name === undefined ? [] : [[value, name]];
  });
}

/**
 * The named schema of a mapping value, which is the name of a component or a reference. `steps` lead to the value from
 * the discriminator.
 */
function nameOfTarget(
  target: string,
  steps: readonly [string, ...string[]],
  { place, reader }: DiscriminatorContext,
): string | undefined {
  const declared = reader.nameOf(target);
  if (declared !== undefined) return declared;
  const located = reader.resolver.resolve(target, place.base);
  if (located !== undefined) return reader.nameAt(located, place.dialect);
  const [first, ...rest] = steps;
  reader.problems.report(
    'discriminator-unresolved',
    rest.reduce((above, step) => above.child(step), place.child('discriminator', first)),
    `The discriminator maps to ${JSON.stringify(target)}, which does not exist.`,
  );
  return undefined;
}

/** The branches that are references, by the last segment of the reference, as OpenAPI defines. */
function branchNames({ raw, place, reader }: DiscriminatorContext): [string, string][] {
  const branches = [raw['oneOf'], raw['anyOf']].flatMap((list): unknown[] => (Array.isArray(list) ? list : []));
  return branches.flatMap((branch): [string, string][] => {
    const reference = isRecord(branch) ? branch['$ref'] : undefined;
    const located = typeof reference === 'string' ? reader.resolver.resolve(reference, place.base) : undefined;
    if (located === undefined || typeof reference !== 'string') return [];
    const word = splitPointer(located.pointer).at(-1) ?? reference;
    return [[word, reader.nameAt(located, place.dialect)]];
  });
}

/**
 * Completes discriminators of a base schema: every schema that includes the base by `allOf`, directly or indirectly, is
 * a branch under its own name, unless the mapping sets another.
 */
export function completeBaseDiscriminators(schemas: Map<string, NamedSchema>): void {
  for (const base of schemas.values()) {
    const { schema } = base;
    if (
      typeof schema === 'boolean' ||
      schema.discriminator === undefined ||
      schema.oneOf !== undefined ||
      schema.anyOf !== undefined
    )
      continue;
    const mapped = new Set(Object.values(schema.discriminator.mapping));
    const children = [...schemas.values()].filter(
      (child) => !mapped.has(child.name) && extendsSchema(child, base.name, schemas),
    );
    if (children.length === 0) continue;
    const implicit = children.map((child) => [child.originalName, child.name] as const);
    const mapping = { ...schema.discriminator.mapping, ...Object.fromEntries(implicit) };
    schemas.set(base.name, { ...base, schema: { ...schema, discriminator: { ...schema.discriminator, mapping } } });
  }
}

/** Whether a schema includes a base by `allOf`, directly or indirectly. */
function extendsSchema(child: NamedSchema, base: string, schemas: ReadonlyMap<string, NamedSchema>): boolean {
  const seen = new Set<string>();
  const open: Schema[] = [child.schema];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'boolean') continue;
    for (const part of next.allOf ?? []) {
      const name = typeof part === 'object' && part.$ref !== undefined ? refName(part.$ref) : undefined;
      if (name === base) return child.name !== base;
      if (name === undefined || seen.has(name)) continue;
      seen.add(name);
      open.push(schemas.get(name)?.schema ?? true);
    }
  }
  return false;
}
