import { getOrInsert } from '../../model/maps.js';
import type { Api } from '../../model/api.js';
import { InputError } from '../../model/diagnostics/input-error.js';
import { isAnnotation } from '../../model/schema-keywords.js';
import { type Schema, type SchemaObject, refName } from '../../model/schema-types.js';
import { ExactNumbers } from '../exact-numbers.js';
import { SpecLocation } from '../location.js';
import { effectiveTypes } from './effective-types.js';

/** A schema and its location. */
export interface LocatedSchema {
  readonly schema: Schema;
  readonly location: SpecLocation;
}

/** A schema object and its location. */
export interface LocatedObject {
  readonly schema: SchemaObject;
  readonly location: SpecLocation;
}

/** Schemas that all apply to one value. */
export type LocatedSchemas = readonly [LocatedSchema, ...LocatedSchema[]];

/** Schemas that all apply to one value. The same schemas are always the same site. */
export interface Site {
  readonly id: number;
  readonly parts: LocatedSchemas;
  /** The name of the schema that it leads to by references only. */
  readonly name: string | undefined;
}

/**
 * Maximum number of combined sites, more than real specs have: schemas that consist of each other can be combined
 * endlessly.
 */
const MAX_JOINED = 20_000;

/** The sites of one API: gives each set of schemas its identity, and follows references. */
export class SiteMap {
  readonly api: Api;
  readonly nulls: NullReader = new NullReader(this);
  readonly numbers: ExactNumbers;
  readonly #ids = new Map<SchemaObject, number>();
  readonly #sites = new Map<string, Site>();
  /** Sites of single schemas; cached because most are requested again. */
  readonly #single = new Map<SchemaObject, Site>();
  #count = 0;
  #joined = 0;

  constructor(api: Api) {
    this.api = api;
    this.numbers = new ExactNumbers(api.files);
  }

  /**
   * The site of one schema, after following references that are its only keyword, or of several that all apply.
   *
   * @throws InputError if the spec combines its schemas endlessly.
   */
  join(parts: LocatedSchemas): Site {
    const [{ schema }] = parts;
    if (parts.length > 1 || typeof schema === 'boolean') return this.#combine(parts);
    return getOrInsert(this.#single, schema, () => this.#combine(parts));
  }

  #combine(parts: LocatedSchemas): Site {
    const resolved = new Map<SchemaObject, LocatedSchema>();
    let name: string | undefined;
    for (const part of parts) {
      const target = this.#resolve(part);
      if (part === parts[0]) name = target.name;
      if (typeof target.part.schema === 'object') resolved.set(target.part.schema, target.part);
      else if (!target.part.schema || parts.length === 1) return this.#make([target.part], name);
    }
    const [first, ...rest] = resolved.values();
    if (first === undefined) return this.#make([parts[0]], name);
    const key = [...resolved.keys()]
      .map((schema) => this.#idOf(schema))
      .sort((one, other) => one - other)
      .join(' ');
    const known = this.#sites.get(key);
    if (known !== undefined) return known;
    if (rest.length > 0 && (this.#joined += 1) > MAX_JOINED)
      throw new InputError(
        'The schemas of the spec are combined with each other in too many ways.',
        first.location.root.source,
      );
    const made = this.#make([first, ...rest], name);
    this.#sites.set(key, made);
    return made;
  }

  /** The target of a `$ref`. */
  target(ref: string): LocatedSchema | undefined {
    const named = this.api.schemas.get(refName(ref));
    return named === undefined
      ? undefined
      : { schema: named.schema, location: SpecLocation.ofSchema(named.source, named.originalName) };
  }

  #make(parts: LocatedSchemas, name: string | undefined): Site {
    this.#count += 1;
    return { id: this.#count, parts, name };
  }

  #idOf(schema: SchemaObject): number {
    return getOrInsert(this.#ids, schema, () => this.#ids.size);
  }

  #resolve(start: LocatedSchema): { readonly part: LocatedSchema; readonly name: string | undefined } {
    const seen = new Set<Schema>();
    let part = start;
    let name: string | undefined;
    for (
      let next: LocatedSchema | undefined = start;
      next !== undefined && !seen.has(next.schema);
      next = this.#step(part)
    ) {
      part = next;
      seen.add(part.schema);
      if (part.location.root.isSchema && part.location.isRoot) name = part.location.root.name;
    }
    return { part, name };
  }

  /** The only schema that another consists of: `$ref` alone, or `allOf` with one part. */
  #step({ schema, location }: LocatedSchema): LocatedSchema | undefined {
    if (typeof schema !== 'object') return undefined;
    const [keyword, more] = Object.keys(schema).filter((key) => !isAnnotation(key) && key !== 'discriminator');
    if (more !== undefined) return undefined;
    if (keyword === '$ref' && schema.$ref !== undefined) return this.target(schema.$ref);
    if (keyword !== 'allOf' && keyword !== 'anyOf' && keyword !== 'oneOf') return undefined;
    const [only, ...others] = schema[keyword] ?? [];
    return only === undefined || others.length > 0
      ? undefined
      : { schema: only, location: location.silentChild(keyword, 0) };
  }
}

/** Limit of schemas at one value: more than real specs have. */
const MAX_DEPTH = 1_000;

/** Decides whether a schema allows `null`, by its types, values and alternatives. */
class NullReader {
  readonly #sites: SiteMap;
  readonly #known = new Map<SchemaObject, boolean>();

  constructor(sites: SiteMap) {
    this.#sites = sites;
  }

  accepts(schema: Schema, depth = 0): boolean {
    if (typeof schema === 'boolean') return schema;
    const known = this.#known.get(schema);
    if (known !== undefined || depth > MAX_DEPTH) return known ?? true;
    // A schema that leads back to itself at the same value adds nothing.
    this.#known.set(schema, true);
    const found = this.#read(schema, depth + 1);
    this.#known.set(schema, found);
    return found;
  }

  #read(schema: SchemaObject, depth: number): boolean {
    const accepts = (part: Schema): boolean => this.accepts(part, depth);
    if (effectiveTypes(schema)?.has('null') === false) return false;
    if (schema.enum !== undefined && !schema.enum.includes(null)) return false;
    if (Object.hasOwn(schema, 'const') && schema.const !== null) return false;
    if (schema.$ref !== undefined && !accepts(this.#sites.target(schema.$ref)?.schema ?? true)) return false;
    if (schema.allOf?.every(accepts) === false) return false;
    return schema.anyOf?.some(accepts) !== false && schema.oneOf?.some(accepts) !== false;
  }
}
