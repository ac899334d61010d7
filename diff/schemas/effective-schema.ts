import type { SchemaObject, SchemaType } from '../../model/schema-types.js';
import { InputError } from '../../model/diagnostics/input-error.js';
import type { ExactNumbers } from '../exact-numbers.js';
import type { SpecLocation } from '../location.js';
import type { LocatedObject, LocatedSchema, LocatedSchemas, Site, SiteMap } from './schema-location.js';
import {
  type ListedValues,
  type Values,
  ownValues,
  plainTypes,
  plainValues,
  readAlternatives,
} from './alternatives.js';
import { openedFrom } from './opened-schemas.js';
import { intersectTypes, simplifyTypes, effectiveTypes } from './effective-types.js';

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

/** Combines the schemas of a site into one description of its values. */
export function readEffectiveSchema(site: Site, sites: SiteMap): EffectiveSchema {
  const reader = new ShapeReader(sites);
  for (const part of site.parts) reader.visit(part, 0);
  return reader.finish(site);
}

class ShapeReader {
  readonly #sites: SiteMap;
  readonly #seen = new Set<SchemaObject>();
  /** The seen schemas, and those of which an opened part was seen. */
  readonly #applied = new Set<SchemaObject>();
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
    this.#applied.add(schema).add(openedFrom(schema));
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
      unions: this.#unions.filter((union) => !this.#isChosen(union)),
      crossed: this.#crossed,
    };
  }

  /**
   * Whether an alternative of a choice applies anyway: a base that lists its children is a choice by itself, but not in
   * a child that extends it.
   */
  #isChosen({ alternatives }: SchemaUnion): boolean {
    return alternatives.some((alternative) => {
      const [{ schema }] = this.#sites.join([alternative]).parts;
      return typeof schema === 'object' && this.#applied.has(schema);
    });
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
