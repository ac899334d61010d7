import type { Id } from '../../../resources/extract-id.js';
import { getOrInsert } from '../../../model/maps.js';
import { foldName } from '../../../resources/inflection.js';
import type { Api, Operation, Parameter } from '../../../model/api.js';
import type { Schema } from '../../../model/schema-types.js';
import { compileValidator } from '../../../schema/compile-validator.js';
import { generateValue } from '../../../schema/generate-value.js';
import { valueSites } from '../../../schema/value-sites.js';
import { type Path, setAt, takeAt } from '../../../schema/value-path.js';
import { scalarText } from '../../../http/request/write-request.js';
import type { Call, CallBody } from '../../types.js';
import type { OwnIdMembers } from './own-id-members.js';
import { scalarPaths } from './id-slot.js';

const KEY = /^(?:x-)?idempotency-?key$/i;

/** Whether a parameter is an idempotency key: each call gets a new one. */
export function isKey({ in: place, name }: Parameter): boolean {
  return place === 'header' && KEY.test(name);
}

const MAX_TRIES = 20;

/**
 * The ids that callers choose when they create an item. Each creation gets a new one: a refusal because of a repeated
 * id would say nothing about the rest of the request.
 */
export class UniqueIds {
  readonly #api: Api;
  readonly #ownIds: OwnIdMembers;
  /** The places of the id in the body, by creating operation. */
  readonly #paths = new Map<Operation, readonly Path[]>();
  readonly #used = new Set<string>();
  readonly #schemas = new Map<Schema, Map<string, Schema>>();
  #count = 0;
  #keys = 0;

  constructor(api: Api, ownIds: OwnIdMembers) {
    this.#api = api;
    this.#ownIds = ownIds;
  }

  /** Notes that an item was created with this id. If the request contains it, the caller chooses it there. */
  learnCreated({ operation, body }: Call, id: Id): void {
    this.#used.add(scalarText(id));
    if (body === undefined) return;
    const found = scalarPaths(body.value).filter(([, value]) => scalarText(value) === scalarText(id));
    const paths = found.map(([path]) => path);
    if (paths.length === 0) return;
    this.#ownIds.learn(operation, paths);
    if (!this.#paths.has(operation)) this.#paths.set(operation, paths);
  }

  /** Notes accepted values as used. */
  learnSent({ operation, body }: Call, status: number): void {
    const paths = this.#paths.get(operation);
    if (paths === undefined || body === undefined || status < 200 || status >= 300) return;
    for (const path of paths) {
      const value = takeAt(body.value, path);
      if (value !== undefined) this.#used.add(scalarText(value));
    }
  }

  /** Learns from a creation that was refused because an item exists already. */
  learnConflict(call: Call, { parameter, text }: { readonly parameter: string; readonly text: string }): void {
    const { operation, body } = call;
    if (body === undefined) return;
    const scalars = scalarPaths(body.value);
    const known = this.#paths.get(operation);
    const isSolved = known !== undefined && !this.#isRepeated(scalars, known);
    const paths = isSolved ? known : this.#findUniquePaths(call, scalars, { parameter, text, known: known ?? [] });
    if (paths.length > 0) this.#paths.set(operation, paths);
    const keys = new Set(paths.map((path) => path.join('\n')));
    for (const [path, value] of scalars) if (keys.has(path.join('\n'))) this.#used.add(scalarText(value));
    // The ids of an earlier run may all exist: growing steps get past them.
    this.#count = this.#count * 2 + 1;
  }

  /**
   * Learns from a change that was refused because of another item. Its body has the same unique members as a creation.
   */
  learnChangeConflict({ operation, body }: Call, create: Operation): void {
    const paths = (this.#paths.get(create) ?? []).filter((path) => takeAt(body?.value, path) !== undefined);
    if (paths.length === 0 || body === undefined) return;
    this.#paths.set(operation, paths);
    for (const path of paths) this.#used.add(scalarText(takeAt(body.value, path)));
  }

  /** Whether new values were refused as well: then other members must be the unique ones. */
  #isRepeated(scalars: readonly [Path, unknown][], known: readonly Path[]): boolean {
    const keys = new Set(known.map((path) => path.join('\n')));
    const own = scalars.filter(([path]) => keys.has(path.join('\n')));
    return own.length > 0 && own.every(([, value]) => !this.#used.has(scalarText(value)));
  }

  /**
   * The members that a refusal points at, else those named like ids, else every free text. A real server refused what the
   * map does not call unique, so only its words and usual names are left.
   */
  #findUniquePaths(
    { body }: Call,
    scalars: readonly [Path, unknown][],
    { parameter, text, known }: { readonly parameter: string; readonly text: string; readonly known: readonly Path[] },
  ): readonly Path[] {
    const words = new Set(text.split(/[^\p{L}\p{N}_-]+/u).map((word) => foldName(word)));
    const isNamed = ([path, value]: [Path, unknown]): boolean =>
      words.has(foldName(scalarText(path.at(-1)))) ||
      (typeof value === 'string' && value.length > 5 && text.includes(value));
    const names = new Set([foldName(parameter), 'id', 'name', 'key']);
    const pointed = scalars.filter(isNamed);
    const likeIds = scalars.filter(([path]) => names.has(foldName(scalarText(path.at(-1)))));
    const tried = new Set(known.map((path) => path.join('\n')));
    const choices = [pointed, likeIds, scalars.filter((one) => this.#isFree(body, one))];
    const chosen = choices.find((list) => list.some(([path]) => !tried.has(path.join('\n')))) ?? [];
    return [...known, ...chosen.map(([path]) => path).filter((path) => !tried.has(path.join('\n')))];
  }

  /** Whether a text can be replaced by another. */
  #isFree(body: CallBody | undefined, [path, value]: [Path, unknown]): boolean {
    if (body === undefined || typeof value !== 'string') return false;
    const own = this.#schemaAt(body.media.schema ?? true, body.value, path);
    const parts = typeof own === 'object' ? (own.allOf ?? []) : [];
    return parts.every((part) => typeof part !== 'object' || (part.enum === undefined && part.const === undefined));
  }

  /** Returns the same creation with another idempotency key. */
  withFreshKey(call: Call): Call {
    const entry = [...call.parameters].find(([one]) => isKey(one));
    if (entry === undefined || call.keepsKey === true) return call;
    const [parameter, old] = entry;
    const validate = compileValidator(this.#api, parameter.schema, { direction: 'request' });
    // Keeps a key that was broken on purpose.
    if (validate(old).length > 0) return call;
    this.#keys += 1;
    const made = generateValue(this.#api, parameter.schema, { direction: 'request', seed: 9_000 + this.#keys });
    const plain = `specmill-key-${String(this.#keys).padStart(4, '0')}`;
    const key = validate(plain).length === 0 ? plain : made.ok ? made.value : old;
    return { ...call, parameters: new Map([...call.parameters, [parameter, key]]) };
  }

  /** Returns the same creation with new values, which no other creation of the run will use. */
  reserve(call: Call): Call {
    const paths = this.#paths.get(call.operation) ?? [];
    const fresh = this.renew(call);
    for (const path of paths) {
      const value = takeAt(fresh.body?.value, path);
      if (value !== undefined) this.#used.add(scalarText(value));
    }
    return fresh;
  }

  /** Whether a creation has an id that is in use. */
  isStale({ operation, body }: Call): boolean {
    const paths = this.#paths.get(operation) ?? [];
    if (body === undefined || body.raw !== undefined || paths.length === 0) return false;
    const keys = new Set(paths.map((path) => path.join('\n')));
    return scalarPaths(body.value).some(
      ([path, value]) => keys.has(path.join('\n')) && this.#used.has(scalarText(value)),
    );
  }

  /** Returns the same creation with unused ids. */
  renew(call: Call): Call {
    const { operation, body } = call;
    if (body === undefined || !this.isStale(call)) return call;
    const value = (this.#paths.get(operation) ?? []).reduce<unknown>(
      (made, path) =>
        this.#used.has(scalarText(takeAt(made, path))) ? this.#renewAt({ operation, body }, made, path) : made,
      body.value,
    );
    return { ...call, body: { ...body, value } };
  }

  #renewAt({ operation, body: { media } }: Renewal, value: unknown, path: Path): unknown {
    const schema = media.schema ?? true;
    const validate = compileValidator(this.#api, schema, { direction: 'request' });
    const old = takeAt(value, path);
    const own = this.#schemaAt(schema, value, path);
    const validateId = compileValidator(this.#api, own, { direction: 'request' });
    // Keeps a value that was broken on purpose.
    if (validateId(old).length > 0) return value;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      this.#count += 1;
      const far = this.#ownIds.isAt(operation, path) ? this.#ownIds.farId(own, old) : undefined;
      for (const fresh of [...(far === undefined ? [] : [far]), ...this.#candidates(old, own)]) {
        if (this.#used.has(scalarText(fresh)) || validateId(fresh).length > 0) continue;
        const made = setAt(value, path, fresh);
        const errors = validate(made).length;
        // Other parts of the body may be broken on purpose.
        if (errors === 0 || errors <= validate(value).length) return made;
      }
    }
    return value;
  }

  *#candidates(old: unknown, schema: Schema): Generator {
    yield typeof old === 'number' ? old + this.#count : `${scalarText(old).replace(/(?<!\d)\d+$/, '')}${this.#count}`;
    const made = generateValue(this.#api, schema, { direction: 'request', seed: 5_000 + this.#count });
    if (made.ok && typeof made.value === typeof old) yield made.value;
  }

  /** The schema at a place, always the same object, because compiled validators are cached by schema. */
  #schemaAt(schema: Schema, value: unknown, path: Path): Schema {
    const key = path.join('\n');
    const places = getOrInsert(this.#schemas, schema, () => new Map<string, Schema>());
    return getOrInsert(places, key, () => {
      const sites = valueSites(schema, value, { api: this.#api, direction: 'request' });
      return { allOf: sites.find((one) => one.path.join('\n') === key)?.schemas ?? [] };
    });
  }
}

interface Renewal {
  readonly operation: Operation;
  readonly body: CallBody;
}
