import { isRecord } from '../../../model/document/records.js';
import { getOrInsert } from '../../../model/maps.js';
import type { Operation } from '../../../model/api.js';
import { refName } from '../../../model/schema-types.js';
import { foldName, toSingular } from '../../../resources/inflection.js';
import { successSchema } from '../../../resources/success-response.js';
import type { Exchange } from '../../types.js';

type Scalar = string | number;

const MAX_NAMES = 2_000;
const MAX_VALUES = 5;
const MAX_DEPTH = 5;
const MAX_ITEMS = 5;
/** Longer texts are no names. */
const MAX_LENGTH = 200;

/** Members that name the item that they are in. Values of lists that are no resource are choices too: no map has them. */
const OWN_NAMES: ReadonlySet<string> = new Set(['id', 'name', 'key', 'slug', 'code', 'type']);

/**
 * The values of the members that responses have shown, by name. A value of one list is often the choice of another
 * request: `name` of the list `providers`, or of items of the schema `Provider`, is a `provider` or a `providerName`.
 */
export class ShownMembers {
  readonly #values = new Map<string, readonly Scalar[]>();

  /** Notes what a successful response shows. */
  learn(operation: Operation, { json }: Pick<Exchange, 'json'>): void {
    if (json === undefined) return;
    const word = operation.path.split('/').findLast((one) => one !== '' && !one.includes('{')) ?? '';
    this.#read(json, [word, ...schemaNames(operation)], 0);
  }

  /** The values of members with a name, however it is written, or of items that it names. */
  of(name: string): readonly Scalar[] {
    return this.#values.get(foldName(name)) ?? [];
  }

  /** @param owners - the names of what the value is: of its list, and of its schema. */
  #read(value: unknown, owners: readonly string[], depth: number): void {
    if (depth > MAX_DEPTH) return;
    if (Array.isArray(value)) {
      for (const item of value.slice(0, MAX_ITEMS) as unknown[]) {
        if (isScalar(item)) for (const owner of owners) this.#add(toSingular(owner), item);
        else this.#read(item, owners, depth + 1);
      }
      return;
    }
    if (!isRecord(value)) return;
    for (const [name, member] of Object.entries(value)) {
      if (!isScalar(member)) {
        this.#read(member, [name], depth + 1);
        continue;
      }
      this.#add(name, member);
      for (const owner of owners.map(toSingular)) {
        this.#add(`${owner}${name}`, member);
        if (OWN_NAMES.has(foldName(name))) this.#add(owner, member);
      }
    }
  }

  #add(name: string, value: Scalar): void {
    const key = foldName(name);
    if (key === '' || (this.#values.size >= MAX_NAMES && !this.#values.has(key))) return;
    const known = getOrInsert(this.#values, key, () => []);
    if (known.length < MAX_VALUES && !known.includes(value)) this.#values.set(key, [...known, value]);
  }
}

/** The names of the schemas of a response and of its items. */
function schemaNames(operation: Operation): string[] {
  const schema = successSchema(operation);
  if (typeof schema !== 'object') return [];
  const items = typeof schema.items === 'object' ? [schema.items] : [];
  return [schema, ...items].flatMap((one) => (one.$ref === undefined ? [] : (refName(one.$ref) ?? [])));
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'number' || (typeof value === 'string' && value !== '' && value.length <= MAX_LENGTH);
}
