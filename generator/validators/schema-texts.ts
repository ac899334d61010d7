import type { AjvSchema } from '../../schema/ajv-schema.js';

type SchemaRecord = Readonly<Record<string, unknown>>;

const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'dispatch'];
const MAPS = ['properties', 'patternProperties', 'dependentSchemas'];
const SINGLE = ['items', 'contains', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else'];

/** A prepared schema with each schema that stands directly in it changed. The same object where nothing changes. */
export function mapSchemas(schema: SchemaRecord, change: (child: AjvSchema) => AjvSchema): SchemaRecord {
  let out: Record<string, unknown> | undefined;
  const set = (key: string, value: unknown): void => {
    if (value !== schema[key]) (out ??= { ...schema })[key] = value;
  };
  for (const key of SINGLE) if (schema[key] !== undefined) set(key, change(schema[key] as AjvSchema));
  for (const key of LISTS)
    if (schema[key] !== undefined) set(key, mapList(schema[key] as readonly AjvSchema[], change));
  for (const key of MAPS)
    if (schema[key] !== undefined) set(key, mapRecord(schema[key] as Readonly<Record<string, AjvSchema>>, change));
  return out ?? schema;
}

function mapList(list: readonly AjvSchema[], change: (child: AjvSchema) => AjvSchema): readonly AjvSchema[] {
  const changed = list.map(change);
  return changed.every((child, index) => child === list[index]) ? list : changed;
}

function mapRecord(
  record: Readonly<Record<string, AjvSchema>>,
  change: (child: AjvSchema) => AjvSchema,
): Readonly<Record<string, AjvSchema>> {
  const entries = Object.entries(record);
  const changed = entries.map(([key, child]): [string, AjvSchema] => [key, change(child)]);
  return changed.every(([, child], index) => child === entries[index]?.[1]) ? record : Object.fromEntries(changed);
}

/** Numbers for JSON values: equal texts have the same number. Each value is looked at once. */
export class SchemaTexts {
  readonly #ids = new Map<string, number>();
  readonly #lengths: number[] = [];
  readonly #known = new WeakMap<object, number>();

  idOf(value: unknown): number {
    if (typeof value !== 'object' || value === null) {
      const text = JSON.stringify(value) ?? '';
      return this.#intern(text, text.length);
    }
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const id = Array.isArray(value)
      ? this.#internParts(
          '[',
          value.map((item): [string, unknown] => ['', item]),
        )
      : this.#internParts('{', Object.entries(value));
    this.#known.set(value, id);
    return id;
  }

  /** About how many characters of JSON a value has. */
  lengthOf(id: number): number {
    return this.#lengths[id] ?? 0;
  }

  #internParts(open: string, parts: readonly (readonly [string, unknown])[]): number {
    let length = 2;
    const texts = parts.map(([key, part]) => {
      const id = this.idOf(part);
      length += key.length + this.lengthOf(id) + 4;
      return `${JSON.stringify(key)}#${id}`;
    });
    return this.#intern(open + texts.join(), length);
  }

  #intern(text: string, length: number): number {
    let id = this.#ids.get(text);
    if (id === undefined) {
      id = this.#lengths.length;
      this.#ids.set(text, id);
      this.#lengths.push(length);
    }
    return id;
  }
}
