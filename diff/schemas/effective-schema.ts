import { isAnnotation } from '../../model/schema-keywords.js';
import type { Schema, SchemaObject, SchemaType } from '../../model/schema-types.js';
import { InputError } from '../../model/diagnostics/input-error.js';
import type { ExactNumbers } from '../exact-numbers.js';
import type { SpecLocation } from '../location.js';
import type { LocatedSchema, LocatedSchemas, Site, SiteMap } from './schema-location.js';
import { canonicalJson } from './canonical-json.js';
import { intersectTypes, simplifyTypes, effectiveTypes } from './effective-types.js';

/** A schema object and its location. */
export interface LocatedObject {
  readonly schema: SchemaObject;
  readonly location: SpecLocation;
}

/** An `anyOf` or `oneOf` with several alternatives beside `null`. */
export interface SchemaUnion {
  readonly keyword: 'anyOf' | 'oneOf';
  readonly owner: LocatedObject;
  readonly location: SpecLocation;
  readonly alternatives: readonly LocatedSchema[];
}

/** The values that a site allows, independent of how its schemas are written. */
export interface EffectiveSchema {
  readonly site: Site;
  /** All schema objects that apply together, after following references and opening `allOf` and single alternatives. */
  readonly parts: readonly LocatedObject[];
  readonly location: SpecLocation;
  /** Allowed types without `null`; `undefined`: any. */
  readonly types: ReadonlySet<SchemaType> | undefined;
  readonly nullable: boolean;
  /** The only allowed values, without `null`, by their text. */
  readonly values: ReadonlyMap<string, unknown> | undefined;
  /** The location of the list of values. */
  readonly valuesLocation: SpecLocation;
  readonly unions: readonly SchemaUnion[];
  /** Whether a reference was followed. */
  readonly crossed: boolean;
}

/** Limit of schemas at one value: more than real specs have, fewer than overflow the stack. */
const MAX_DEPTH = 500;

type Values = ReadonlyMap<string, unknown>;

/** Combines the schemas of a site into one description of its values. */
export function readEffectiveSchema(site: Site, sites: SiteMap): EffectiveSchema {
  const reader = new ShapeReader(sites);
  for (const part of site.parts) reader.visit(part, 0);
  return reader.finish(site);
}

class ShapeReader {
  readonly #sites: SiteMap;
  readonly #seen = new Set<SchemaObject>();
  readonly #parts: LocatedObject[] = [];
  readonly #unions: SchemaUnion[] = [];
  #types: ReadonlySet<SchemaType> | undefined;
  #values: { readonly values: Values; readonly location: SpecLocation } | undefined;
  #crossed = false;

  constructor(sites: SiteMap) {
    this.#sites = sites;
  }

  /** @throws InputError if schemas reference each other endlessly at the same value. */
  visit({ schema, location }: LocatedSchema, depth: number): void {
    if (schema === true) return;
    if (schema === false) return this.#allowTypes(new Set());
    if (this.#seen.has(schema)) return;
    if (depth > MAX_DEPTH)
      throw new InputError(`More than ${MAX_DEPTH} schemas apply to one value.`, location.root.source);
    this.#seen.add(schema);
    const part = { schema, location };
    this.#parts.push(part);
    this.#allowTypes(effectiveTypes(schema));
    const values = ownValues(exactValues(part, this.#sites.numbers));
    if (values !== undefined)
      this.#allowValues(values, location.child(Object.hasOwn(schema, 'const') ? 'const' : 'enum'));
    if (schema.$ref !== undefined) this.#visitRef(schema.$ref, depth);
    for (const [index, child] of (schema.allOf ?? []).entries())
      this.visit({ schema: child, location: location.silentChild('allOf', index) }, depth + 1);
    this.#visitUnion('anyOf', part, depth);
    this.#visitUnion('oneOf', part, depth);
  }

  finish(site: Site): EffectiveSchema {
    const [first] = site.parts;
    const values = this.#values;
    const types = this.#types === undefined ? undefined : simplifyTypes(this.#types);
    return {
      site,
      parts: this.#parts,
      location: first.location,
      types: types === undefined ? undefined : new Set([...types].filter((type) => type !== 'null')),
      nullable: site.parts.every(({ schema }) => this.#sites.nulls.accepts(schema)),
      values: values === undefined ? undefined : new Map([...values.values].filter(([, value]) => value !== null)),
      valuesLocation: values?.location ?? first.location,
      unions: this.#unions,
      crossed: this.#crossed,
    };
  }

  #visitRef(ref: string, depth: number): void {
    this.#crossed = true;
    const target = this.#sites.target(ref);
    if (target !== undefined) this.visit(target, depth + 1);
  }

  #visitUnion(keyword: 'anyOf' | 'oneOf', owner: LocatedObject, depth: number): void {
    if ((owner.schema[keyword] ?? []).length === 0) return;
    const alternatives = readAlternatives(owner, keyword);
    const [only, ...others] = alternatives;
    if (only === undefined) return this.#allowTypes(new Set());
    if (others.length === 0) return this.visit(only, depth + 1);
    const types = plainTypes(alternatives);
    if (types !== undefined) return this.#allowTypes(types);
    const values = plainValues(alternatives);
    if (values !== undefined) return this.#allowValues(values, owner.location.child(keyword));
    this.#unions.push({ keyword, owner, location: owner.location.child(keyword), alternatives });
  }

  #allowTypes(types: ReadonlySet<SchemaType> | undefined): void {
    this.#types = intersectTypes(this.#types, types);
  }

  #allowValues(values: Values, location: SpecLocation): void {
    const known = this.#values ?? { values, location };
    const common = [...known.values].filter(([text]) => values.has(text));
    this.#values = { values: new Map(common), location: known.location };
    this.#allowTypes(effectiveTypes({ enum: [...values.values(), null] }));
  }
}

/** The schemas of each member that a keyword names. */
export function partsByName(
  { parts }: Pick<EffectiveSchema, 'parts'>,
  keyword: 'properties' | 'patternProperties',
): Map<string, LocatedSchemas> {
  const found = new Map<string, LocatedSchemas>();
  for (const { schema, location } of parts)
    for (const [name, member] of Object.entries(schema[keyword] ?? {})) {
      const part = { schema: member, location: location.child(keyword, name) };
      const [first, ...rest] = found.get(name) ?? [];
      found.set(name, first === undefined ? [part] : [first, ...rest, part]);
    }
  return found;
}

/** The alternatives of a choice beside `null`. A single one is not a choice. */
export function readAlternatives({ schema, location }: LocatedObject, keyword: 'anyOf' | 'oneOf'): LocatedSchema[] {
  const all = schema[keyword] ?? [];
  const isOnly = all.filter((one) => !isNull(one)).length === 1;
  return all.flatMap((alternative, index) => {
    if (isNull(alternative)) return [];
    return [
      { schema: alternative, location: isOnly ? location.silentChild(keyword, index) : location.child(keyword, index) },
    ];
  });
}

/** The same lists of values with all digits of their integers. */
function exactValues({ schema, location }: LocatedObject, numbers: ExactNumbers): ListedValues {
  if (!numbers.hasWide) return schema;
  const read = (value: unknown, place: SpecLocation): unknown =>
    typeof value === 'number' ? numbers.at(value, place) : value;
  return {
    ...(Object.hasOwn(schema, 'const') ? { const: read(schema.const, location.child('const')) } : {}),
    ...(schema.enum === undefined
      ? {}
      : { enum: schema.enum.map((value, index) => read(value, location.child('enum', index))) }),
  };
}

type ListedValues = Pick<SchemaObject, 'const' | 'enum'>;

/** The values that `enum` or `const` list. */
function ownValues(schema: ListedValues): Values | undefined {
  if (Object.hasOwn(schema, 'const')) return valuesByText([schema.const]);
  return schema.enum === undefined ? undefined : valuesByText(schema.enum);
}

function valuesByText(values: readonly unknown[]): Values {
  return new Map(values.map((value) => [canonicalJson(value), value]));
}

function assertions(schema: SchemaObject): string[] {
  return Object.keys(schema).filter((key) => !isAnnotation(key));
}

function isNull(schema: Schema): boolean {
  if (typeof schema === 'boolean') return false;
  const values = ownValues(schema);
  const isOnly = schema.type === 'null' || (values?.size === 1 && values.has('null'));
  return isOnly && saysOnlyValues(schema);
}

function saysOnlyValues(schema: SchemaObject): boolean {
  return assertions(schema).every((key) => key === 'type' || key === 'const' || key === 'enum');
}

/** The types of alternatives that only have a type. */
function plainTypes(alternatives: readonly LocatedSchema[]): ReadonlySet<SchemaType> | undefined {
  const types = new Set<SchemaType>();
  for (const { schema } of alternatives) {
    if (typeof schema === 'boolean' || assertions(schema).join() !== 'type') return undefined;
    for (const type of effectiveTypes(schema) ?? []) types.add(type);
  }
  return simplifyTypes(types);
}

/** The values of alternatives that only list values: `oneOf` with a `const` and a description for each. */
function plainValues(alternatives: readonly LocatedSchema[]): Values | undefined {
  const all: unknown[] = [];
  for (const { schema } of alternatives) {
    const values = typeof schema === 'boolean' ? undefined : ownValues(schema);
    if (typeof schema === 'boolean' || values === undefined) return undefined;
    if (!saysOnlyValues(schema)) return undefined;
    all.push(...values.values());
  }
  return valuesByText(all);
}
