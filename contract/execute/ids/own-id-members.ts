import { getOrInsert } from '../../../model/maps.js';
import { isRecord } from '../../../model/document/records.js';
import type { Api, Operation } from '../../../model/api.js';
import type { Schema } from '../../../model/schema-types.js';
import { foldName } from '../../../resources/inflection.js';
import { isIdName } from '../../../resources/id-likeness.js';
import type { Resource } from '../../../resources/resource.js';
import { isValidValue } from '../../../schema/compile-validator.js';
import { memberSchemas, requiredMembers } from '../../../schema/facts/members.js';
import { scalarText } from '../../../http/request/write-request.js';
import { hasAt, removeAt, setAt, takeAt } from '../../../schema/value-path.js';
import { itemPlace } from '../../plan/call-body.js';
import type { Call } from '../../types.js';
import { isCreationOf } from './operation-roles.js';
import { isFarAway } from './unlikely-id.js';

type Path = readonly string[];

/** Numbers from which ids of the run's own items count up. */
const FIRST_OWN = 900_000_000;

/**
 * The members of a body that become the id of its item. A careless server takes `true`, `"1"` or `null` there as the id
 * of an existing item, and replaces it.
 */
export class OwnIdMembers {
  readonly #api: Api;
  readonly #resources: readonly Resource[];
  readonly #found = new Map<Operation, readonly Path[]>();
  readonly #learned = new Map<Operation, readonly Path[]>();
  #count = 0;

  constructor(api: Api, resources: readonly Resource[]) {
    this.#api = api;
    this.#resources = resources;
  }

  /** Notes that a creation has shown where its callers choose the id. */
  learn(operation: Operation, paths: readonly (readonly (string | number)[])[]): void {
    this.#learned.set(
      operation,
      paths.map((path) => path.map(String)),
    );
  }

  /** The paths to the members that become the id of an operation's item. */
  of(operation: Operation): readonly Path[] {
    const found = getOrInsert(this.#found, operation, () => this.#find(operation));
    return [...found, ...(this.#learned.get(operation) ?? [])];
  }

  /** The values of these members in a call, those of each item of a list. */
  valuesIn({ operation, body }: Call): readonly unknown[] {
    if (body === undefined || body.raw !== undefined) return [];
    const items: readonly unknown[] = Array.isArray(body.value) ? body.value : [body.value];
    return items.flatMap((item) =>
      this.of(operation).flatMap((path) => (hasAt(item, path) ? [takeAt(item, path)] : [])),
    );
  }

  /** Whether a place of a body is such a member. */
  isAt(operation: Operation, place: readonly (string | number)[]): boolean {
    const names = place.filter((name) => typeof name === 'string' && !/^\d+$/.test(name)).join('\n');
    return place.length > 0 && this.of(operation).some((path) => path.join('\n') === names);
  }

  /** Returns the same creation with ids that no other item is likely to have, as far as its schema allows. */
  withFarIds(call: Call): Call {
    const { body, operation } = call;
    if (body === undefined || body.raw !== undefined || !isRecord(body.value)) return call;
    const value = this.of(operation).reduce<unknown>((made, path) => {
      const id = takeAt(made, path);
      if (id === undefined || (isFarAway(id) && !this.isExample(operation, id))) return made;
      const schema = this.#schemaAt(body.media.schema ?? true, path);
      const fresh = this.farId(schema, this.isExample(operation, id) ? id : undefined);
      if (fresh !== undefined) return setAt(made, path, fresh);
      return this.#isRequired(body.media.schema ?? true, path) ? made : removeAt(made, path);
    }, body.value);
    return value === body.value ? call : { ...call, body: { ...body, value } };
  }

  /** Returns a call with the ids of another call of the same operation. */
  withIdsOf(call: Call, from: Call): Call {
    const { body, operation } = call;
    if (body === undefined || body.raw !== undefined || !isRecord(body.value)) return call;
    const value = this.of(operation).reduce<unknown>((made, path) => {
      const id = takeAt(from.body?.value, path);
      return id === undefined ? removeAt(made, path) : setAt(made, path, id);
    }, body.value);
    return { ...call, body: { ...body, value } };
  }

  /** Whether an id is one of the examples of a spec, which often exist. */
  isExample(operation: Operation, id: unknown): boolean {
    const examples = (operation.body?.content ?? []).flatMap((media) => media.examples);
    const shown = this.of(operation).flatMap((path) => examples.map(({ value }) => takeAt(value, path)));
    return shown.some((one) => one !== undefined && scalarText(one) === scalarText(id));
  }

  /** Whether the schema of an id that a call gives allows none that is far away. */
  isShort({ operation, body }: Call, id: unknown): boolean {
    const schema = body?.media.schema ?? true;
    return this.of(operation)
      .filter((path) => takeAt(body?.value, path) === id)
      .every((path) => this.farId(this.#schemaAt(schema, path)) === undefined);
  }

  #find(operation: Operation): Path[] {
    const { content: [media] = [] } = operation.body ?? {};
    if (media?.schema === undefined) return [];
    const place = itemPlace(media, this.#api);
    const members = memberSchemas(this.#schemaAt(media.schema, place), this.#api);
    const own = this.#resources.filter(
      (one) => isCreationOf(one, operation) || one.replace === operation || one.patch === operation,
    );
    const names = new Set(own.map(({ parameter }) => foldName(parameter)));
    const named = [...members.keys()].filter((name) => isIdName(name) || names.has(foldName(name)));
    const shown = own.flatMap(({ id }) => (id?.path.length === 1 ? id.path : [])).filter((name) => members.has(name));
    return [...new Set([...named, ...shown])].map((name) => [...place, name]);
  }

  #schemaAt(schema: Schema, path: Path): Schema {
    return path.reduce<Schema>((at, name) => memberSchemas(at, this.#api).get(name) ?? true, schema);
  }

  #isRequired(schema: Schema, path: Path): boolean {
    return requiredMembers(this.#schemaAt(schema, path.slice(0, -1)), this.#api).has(path.at(-1) ?? '');
  }

  /** An id that no item is likely to have, written as another one; `undefined` if a schema allows none. */
  farId(schema: Schema, like?: unknown): unknown {
    this.#count += 1;
    const number = FIRST_OWN + this.#count;
    // The form of a text may matter: `a.example.` becomes `a900000001.example.`.
    const [, start, rest = ''] = (typeof like === 'string' && /^([a-z][\w-]*)(.*)$/is.exec(like)) || [];
    const word = start === undefined ? [] : [`${start.replace(/(?<!\d)\d+$/, '')}${number}${rest}`];
    return [...word, number, String(number), `specmill-${number}`].find((one) => isValidValue(one, schema, this.#api));
  }
}
