import type { Api } from '../model/api.js';
import { type Discriminator, type Schema, type SchemaObject, refName, refTo } from '../model/schema-types.js';
import { mapRecord } from '../model/document/records.js';
import { applicableParts, isMarked, resolveRef } from './facts/parts.js';

/** The two directions in which a value can be sent. */
export type Direction = 'request' | 'response';

type Draft = { -readonly [Key in keyof SchemaObject]: SchemaObject[Key] };
type SchemaMap = Readonly<Record<string, Schema>>;

const NOTHING: ReadonlySet<string> = new Set();
const CHILDREN = ['items', 'contains', 'propertyNames', 'unevaluatedItems', 'contentSchema'] as const;
const MEMBERS = ['additionalProperties', 'unevaluatedProperties'] as const;

/** Makes the view of a schema for one direction. */
export class ViewBuilder {
  readonly #api: Api;
  readonly #direction: Direction;
  readonly #nameOf: (name: string) => string;
  readonly #mark: 'readOnly' | 'writeOnly';
  /** Refs that are being inlined, to stop at recursive schemas. */
  readonly #open = new Set<string>();

  /** @param nameOf - returns the name by which a view references a named schema. */
  constructor(api: Api, direction: Direction, nameOf: (name: string) => string) {
    this.#api = api;
    this.#direction = direction;
    this.#nameOf = nameOf;
    this.#mark = direction === 'request' ? 'readOnly' : 'writeOnly';
  }

  /** The view of a schema with its own value: an item, a member, a body. */
  child(schema: Schema): Schema {
    return this.#part(schema, this.#markedMembers(schema));
  }

  /** The view of a schema that shares its value with others, in which the members in `dropped` are not required. */
  #part(schema: Schema, dropped: ReadonlySet<string>): Schema {
    if (typeof schema === 'boolean') return schema;
    const out: Draft = { ...schema };
    this.#dropRequired(out, dropped);
    this.#readMembers(out);
    for (const key of CHILDREN) if (schema[key] !== undefined) out[key] = this.child(schema[key]);
    if (schema.prefixItems !== undefined) out.prefixItems = schema.prefixItems.map((item) => this.child(item));
    for (const key of ['allOf', 'anyOf', 'oneOf'] as const) {
      if (schema[key] !== undefined) out[key] = schema[key].map((part) => this.#part(part, dropped));
    }
    for (const key of ['then', 'else'] as const)
      if (schema[key] !== undefined) out[key] = this.#part(schema[key], dropped);
    // Conditions keep their required members: dropping one would reverse their meaning.
    for (const key of ['if', 'not'] as const)
      if (schema[key] !== undefined) out[key] = this.#part(schema[key], NOTHING);
    if (schema.dependentSchemas !== undefined)
      out.dependentSchemas = mapRecord(schema.dependentSchemas, (part) => this.#part(part, dropped));
    if (schema.discriminator !== undefined) out.discriminator = this.#readDiscriminator(schema.discriminator);
    if (this.#direction === 'response') delete out['x-enum-any-case'];
    return schema.$ref === undefined ? out : this.#readRef(out, schema.$ref, dropped);
  }

  #dropRequired(out: Draft, dropped: ReadonlySet<string>): void {
    if (dropped.size === 0) return;
    const keep = (names: readonly string[]): readonly string[] => names.filter((name) => !dropped.has(name));
    if (out.required !== undefined) out.required = keep(out.required);
    if (out.dependentRequired !== undefined) out.dependentRequired = mapRecord(out.dependentRequired, keep);
  }

  #readMembers(out: Draft): void {
    if (out.properties !== undefined) out.properties = this.#members(out.properties);
    if (out.patternProperties !== undefined) out.patternProperties = this.#members(out.patternProperties);
    for (const key of MEMBERS) if (out[key] !== undefined) out[key] = this.#member(out[key]);
  }

  #members(schemas: SchemaMap): SchemaMap {
    return mapRecord(schemas, (schema) => this.#member(schema));
  }

  #member(schema: Schema): Schema {
    return this.#direction === 'response' && isMarked(schema, this.#mark, this.#api) ? false : this.child(schema);
  }

  /** Inlines the target of a ref if it requires a member that only the schemas around the ref mark. */
  #readRef(out: Draft, ref: string, dropped: ReadonlySet<string>): Schema {
    const name = refName(ref);
    const target = resolveRef(this.#api, ref);
    if (target === undefined || this.#open.has(name) || !this.#demandsMore(target, dropped)) {
      return { ...out, $ref: refTo(this.#nameOf(name)) };
    }
    this.#open.add(name);
    const { $ref: _taken, ...rest } = out;
    const taken = { ...rest, allOf: [this.#part(target, dropped), ...(out.allOf ?? [])] };
    this.#open.delete(name);
    return taken;
  }

  #demandsMore(target: Schema, dropped: ReadonlySet<string>): boolean {
    if (dropped.size === 0) return false;
    const own = this.#markedMembers(target);
    const extra = new Set([...dropped].filter((name) => !own.has(name)));
    return extra.size > 0 && applicableParts(target, this.#api).some((part) => demands(part, extra));
  }

  #markedMembers(schema: Schema): ReadonlySet<string> {
    const names = new Set<string>();
    for (const part of applicableParts(schema, this.#api)) {
      for (const [name, member] of Object.entries(part.properties ?? {}))
        if (isMarked(member, this.#mark, this.#api)) names.add(name);
    }
    return names;
  }

  #readDiscriminator(discriminator: Discriminator): Discriminator {
    return { ...discriminator, mapping: mapRecord(discriminator.mapping, this.#nameOf) };
  }
}

function demands(schema: SchemaObject, names: ReadonlySet<string>): boolean {
  const lists = [schema.required ?? [], ...Object.values(schema.dependentRequired ?? {})];
  return lists.some((list) => list.some((name) => names.has(name)));
}
