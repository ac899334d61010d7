import type { Api } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';
import { refName, type Schema, type SchemaObject } from '../../model/schema-types.js';
import type { ApiWords } from './api-words.js';

/** Gathers the words of schemas: names of members, values that are named, and the members that hold data of the user. */
export class SchemaWords {
  readonly #api: Api;
  readonly #members = new Set<string>();
  readonly #values = new Map<string, Set<string>>();
  readonly #data = new Map<string, 'data' | 'map'>();
  /** Members that hold objects of the API in one place at least. */
  readonly #known = new Set<string>();
  readonly #seen = new Map<SchemaObject, Set<string | undefined>>();

  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * @param key - the member or parameter that has the schema; empty for a value that has no name of the API, such as a
   *   whole body. Absent: nothing has it yet, and only its members count.
   */
  visit(schema: Schema, key?: string): void {
    if (typeof schema === 'boolean') return;
    const keys = this.#seen.get(schema) ?? new Set();
    if (keys.has(key)) return;
    const isNew = keys.size === 0;
    this.#seen.set(schema, keys.add(key));
    const { $ref, default: preset, examples = [] } = schema;
    const target = $ref === undefined ? undefined : this.#api.schemas.get(refName($ref));
    if (target !== undefined) this.visit(target.schema, key);
    for (const value of [...(schema.enum ?? []), schema.const]) this.#addValue(value, key);
    for (const value of [preset, ...examples]) this.visitExample(value, key);
    this.#noteKind(schema, key);
    for (const part of inPlace(schema)) this.visit(part, key);
    if (isNew) this.#visitMembers(schema);
  }

  /** Texts without spaces that an example has are names of the API too, such as the type of an error. */
  visitExample(value: unknown, key: string | undefined): void {
    if (typeof value === 'string') {
      if (!/\s/.test(value)) this.#addValue(value, key);
    } else if (Array.isArray(value)) for (const item of value) this.visitExample(item, key);
    else if (isRecord(value)) for (const [name, member] of Object.entries(value)) this.visitExample(member, name);
  }

  words(): Pick<ApiWords, 'members' | 'values' | 'opaque'> {
    const spell = this.#spellings();
    return {
      members: new Set([...this.#members].flatMap(spell)),
      values: new Map([...this.#values].map(([value, keys]) => [value, new Set([...keys].flatMap(spell))])),
      opaque: new Map(
        [...this.#data]
          .filter(([name]) => !this.#known.has(name))
          .flatMap(([name, kind]) => spell(name).map((one) => [one, kind] as const)),
      ),
    };
  }

  #visitMembers(schema: SchemaObject): void {
    const { properties = {}, discriminator } = schema;
    for (const [name, member] of Object.entries(properties)) {
      this.#members.add(name);
      this.visit(member, name);
    }
    for (const member of ofOtherNames(schema)) this.visit(member, '');
    if (discriminator === undefined) return;
    for (const value of Object.keys(discriminator.mapping)) this.#addValue(value, discriminator.propertyName);
  }

  #addValue(value: unknown, key: string | undefined): void {
    if (typeof value !== 'string' || key === undefined) return;
    const keys = this.#values.get(value) ?? new Set();
    this.#values.set(value, keys.add(key));
  }

  #noteKind(schema: SchemaObject, key: string | undefined): void {
    if (key === undefined || key === '') return;
    if (schema['x-member-names'] === 'verbatim')
      this.#data.set(key, typeof schema.additionalProperties === 'object' ? 'map' : 'data');
    else if (schema.properties !== undefined) this.#known.add(key);
  }

  /** Where requests may write their members in snake_case, both spellings are names. */
  #spellings(): (name: string) => readonly string[] {
    const rule = this.#api.extensions['x-member-names'];
    const accepted = isRecord(rule) ? rule['accept'] : undefined;
    if (!Array.isArray(accepted) || !accepted.includes('snake_case')) return (name) => [name];
    return (name) => [...new Set([name, toSnakeCase(name)])];
  }
}

/** A camelCase name of a member in snake_case. */
export function toSnakeCase(name: string): string {
  return name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The schemas of members whose names are the user's. */
function ofOtherNames({ patternProperties = {}, additionalProperties, unevaluatedProperties }: SchemaObject): Schema[] {
  const open = [additionalProperties, unevaluatedProperties].filter((one) => one !== undefined);
  return [...Object.values(patternProperties), ...open];
}

/** The schemas that describe the same value or its items. */
function inPlace(schema: SchemaObject): Schema[] {
  const { allOf = [], anyOf = [], oneOf = [], prefixItems = [], dependentSchemas = {} } = schema;
  const conditions = [schema.if, schema.then, schema.else, schema.not];
  const items = [schema.items, schema.contains, schema.unevaluatedItems, schema.contentSchema];
  const single = [...conditions, ...items].filter((one) => one !== undefined);
  return [...allOf, ...anyOf, ...oneOf, ...prefixItems, ...Object.values(dependentSchemas), ...single];
}
