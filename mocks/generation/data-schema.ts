import {
  compileSchema,
  isRecord,
  type SchemaHandle,
  splitPointer,
  stringifyExactJson,
  withoutUndefined,
} from 'specmill/mock';

import type { Schema as RequestSchema } from '../../generated/generation/types.js';
import { checkJsonSchema, checkSize, containersIn } from './check-json-schema.js';
import { refuseAt } from './refusal.js';

export type Schema = boolean | SchemaNode;
type SchemaType = (typeof TYPES)[number];
export interface SchemaNode {
  readonly $ref?: string;
  readonly type?: SchemaType | readonly SchemaType[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly [keyword: string]: unknown;
}

export interface DataSchema {
  readonly schema: Schema;
  /** The schemas that it references as `#/$defs/<name>`. */
  readonly definitions: Readonly<Record<string, Schema>>;
  readonly handle: SchemaHandle;
}

function createDataSchema(schema: Schema, definitions: DataSchema['definitions'] = {}): DataSchema {
  return { schema, definitions, handle: compileSchema(schema, definitions) };
}

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'] as const;

/** A type by its name in any letter case. */
function readType(name: string): SchemaType | undefined {
  return TYPES.find((type) => type === name.toLowerCase());
}

/** The extension with the order of an object's members. */
export const ORDERING = 'x-property-ordering';

/**
 * Reads a schema with upper-case type names, a subset of OpenAPI 3.0.
 *
 * @throws HttpError if it is too large.
 */
export function readUpperCaseSchema(schema: RequestSchema, pointer: string): DataSchema {
  return remember('upper', schema, () => {
    checkSize(schema, pointer);
    return createDataSchema(convert(schema));
  });
}

/** Compiled schemas: clients send the same one repeatedly, and compiling it costs more than the rest of a response. */
const known = new Map<string, DataSchema>();
const MAX_KNOWN = 100;
const MAX_KEY_LENGTH = 20_000;

function remember(kind: 'upper' | 'json', schema: unknown, read: () => DataSchema): DataSchema {
  const key = `${kind} ${stringifyExactJson(schema)}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const made = read();
  if (key.length > MAX_KEY_LENGTH) return made;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, made);
  return made;
}

function convert(schema: RequestSchema): Schema {
  const {
    type,
    nullable,
    anyOf,
    properties,
    items,
    propertyOrdering,
    enum: values,
    required,
    pattern,
    format,
    description,
  } = schema;
  const known = type === undefined ? undefined : readType(type);
  const out: { -readonly [Key in keyof SchemaNode]: SchemaNode[Key] } = {
    ...pickNumbers(schema),
    ...withoutUndefined({
      ...{ pattern, format, description, required, [ORDERING]: propertyOrdering },
      items: items && convert(items),
      anyOf: anyOf?.map(convert),
      properties:
        properties && Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, convert(member)])),
    }),
  };
  if (known !== undefined && anyOf === undefined) out.type = nullable === true ? [known, 'null'] : known;
  if (values !== undefined && values.length > 0) {
    const typed = known === 'integer' || known === 'number' ? values.map(Number) : values;
    out.enum = nullable === true ? [...typed, null] : typed;
  }
  return out;
}

const COUNTS = ['minItems', 'maxItems', 'minProperties', 'maxProperties', 'minLength', 'maxLength'] as const;

function pickNumbers(schema: RequestSchema): SchemaNode {
  const counts = COUNTS.flatMap((key) => (schema[key] === undefined ? [] : [[key, Number(schema[key])]]));
  const bounds = (['minimum', 'maximum'] as const).flatMap((key) =>
    schema[key] === undefined ? [] : [[key, schema[key]]],
  );
  return Object.fromEntries([...counts, ...bounds]) as SchemaNode;
}

/**
 * Reads a JSON Schema with the keywords that the service supports; others have no effect.
 *
 * @throws HttpError if it is not a schema, or a reference leads nowhere.
 */
export function readJsonSchema(root: unknown, pointer: string): DataSchema {
  return remember('json', root, () => resolveSchema(root, pointer));
}

function resolveSchema(root: unknown, pointer: string): DataSchema {
  checkSize(root, pointer);
  checkJsonSchema(root, pointer);
  const anchors = new Anchors();
  const definitions: Record<string, Schema> = {};
  const names = new Map<unknown, string>();
  const readRef = (ref: string): Schema => {
    const target = resolveRef(ref, root, anchors);
    if (target === undefined)
      throw refuseAt(
        `The reference ${JSON.stringify(ref)} has no target.`,
        pointer,
        `must NOT refer to ${ref}, which is not there`,
      );
    const known = names.get(target);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    const name = `Schema${names.size + 1}`;
    names.set(target, name);
    definitions[name] = read(target);
    return { $ref: `#/$defs/${name}` };
  };
  const read = (value: unknown): Schema => {
    if (!isRecord(value)) return value !== false;
    return typeof value['$ref'] === 'string' ? readRef(value['$ref']) : readKeywords(value, read);
  };
  const schema = read(root);
  return createDataSchema(schema, definitions);
}

const KEPT: readonly string[] = [
  'type',
  'format',
  'description',
  'enum',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'required',
];

function readKeywords(value: Readonly<Record<string, unknown>>, read: (value: unknown) => Schema): Schema {
  const out: Record<string, unknown> = {};
  for (const key of KEPT) if (value[key] !== undefined) out[key] = value[key];
  // Clients use both spellings of type names.
  if (typeof value['type'] === 'string') out['type'] = readType(value['type']) ?? value['type'];
  for (const key of ['items', 'additionalProperties']) if (value[key] !== undefined) out[key] = read(value[key]);
  if (Array.isArray(value['prefixItems'])) out['prefixItems'] = value['prefixItems'].map(read);
  const alternatives = [value['anyOf'], value['oneOf']].filter(
    (one): one is unknown[] => Array.isArray(one) && one.length > 0,
  );
  if (alternatives.length === 1) out['anyOf'] = alternatives[0]?.map(read);
  if (alternatives.length === 2) out['allOf'] = alternatives.map((one) => ({ anyOf: one.map(read) }));
  if (isRecord(value['properties']))
    out['properties'] = Object.fromEntries(
      Object.entries(value['properties']).map(([name, member]) => [name, read(member)]),
    );
  if (Array.isArray(value['propertyOrdering'])) out[ORDERING] = value['propertyOrdering'];
  return out;
}

/** The target of a reference: by pointer, by anchor or by id, in the same document. */
function resolveRef(ref: string, root: unknown, anchors: Anchors): unknown {
  const [base = '', fragment = ''] = ref.split('#', 2);
  const start = base === '' ? root : findById(root, base);
  if (fragment === '') return start;
  if (!fragment.startsWith('/')) return anchors.find(start, fragment);
  let found = start;
  for (const name of splitPointer(decode(fragment))) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

/** The `$anchor`s of documents. Each document is searched once, however many references it has. */
class Anchors {
  readonly #found = new Map<unknown, Map<unknown, unknown>>();

  find(start: unknown, name: string): unknown {
    let anchors = this.#found.get(start);
    if (anchors === undefined) {
      anchors = new Map();
      this.#found.set(start, anchors);
      for (const one of containersIn(start)) {
        const { $anchor: anchor } = one as { readonly $anchor?: unknown };
        if (!anchors.has(anchor)) anchors.set(anchor, one);
      }
    }
    return anchors.get(name);
  }
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function findById(root: unknown, id: string): unknown {
  for (const one of containersIn(root)) {
    const { $id: own } = one as { readonly $id?: unknown };
    if (typeof own === 'string' && (own === id || own.endsWith(`/${id}`))) return one;
  }
  return undefined;
}
