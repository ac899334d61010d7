import { appendPointer } from '../../../model/document/pointer.js';
import { isRecord } from '../../../model/document/records.js';
import type { Schema } from '../../../model/schema-types.js';
import { nameItem } from '../../../resources/inflection.js';
import type { PathGroup } from '../../../resources/collections.js';
import { fillTemplate, parametersOf } from '../../../resources/path-template.js';
import type { IdMember, ResourceCore } from '../../../resources/resource.js';
import { hasNumber, typesOf } from '../../../schema/facts/members.js';
import type { DataCollection, PrepareOptions, PreparedItem } from '../../data/data-collection.js';
import { DataProblem, type GivenCollection } from '../../data/given-data.js';
import type { Collection, HandlerContext } from '../../handler-api.js';
import { compileValidator } from '../../../schema/compile-validator.js';
import { Random } from '../../../schema/sample/random.js';
import { textAt } from '../generated-items.js';
import {
  SINGLETON_KEY,
  generatedId,
  idAt,
  itemKeyOf,
  numberAt,
  splitKey,
  toMemberValue,
  withPathValues,
} from '../item-key.js';
import { type Item, seedFrom } from '../json-path.js';
import type { ResourceStore } from '../resource-store.js';
import { type CompleteItem, createCompleteItem } from './complete-item.js';
import { type ReadTexts, createReadTexts } from './read-texts.js';
import { stringifyExactJson } from '../../../runtime/json-integers.js';

/** A group of an API, and the ids of parents if the user named them. */
export interface CollectionPlace {
  readonly group: PathGroup;
  readonly core: ResourceCore;
  /** Absent: the items name their parents by members. */
  readonly values?: readonly string[];
}

/** The most attempts to find a free id. */
const ATTEMPTS = 100;
/** Attempts with values of the schema only. A large collection has most of these, so random texts follow. */
const GENERATED_ATTEMPTS = 3;

interface KeyAttempt {
  readonly place: number;
  readonly attempt: number;
  readonly seed: number;
}

/** A collection that is inferred from the spec. */
export class InferredCollection implements DataCollection {
  readonly name: string;
  readonly place: CollectionPlace;
  readonly schema: Schema;
  readonly #state: ResourceStore;
  readonly #seed: number;
  readonly #complete: CompleteItem;
  readonly #readTexts: ReadTexts;

  constructor(place: CollectionPlace, state: ResourceStore, seed: number) {
    this.place = place;
    this.schema = place.core.schema;
    this.name =
      place.values === undefined ? place.group.collectionPath : fillTemplate(place.group.collectionPath, place.values);
    this.#state = state;
    this.#seed = seed;
    this.#complete = createCompleteItem(state.api, place.core.schema);
    this.#readTexts = createReadTexts(place.core.schema, state.api);
  }

  prepare(given: GivenCollection, { idsIn, isAddition }: PrepareOptions): readonly PreparedItem[] {
    const { core } = this.place;
    if (core.kind === 'singleton' && given.items.length !== 1)
      throw new DataProblem(`${this.name} is a single thing, so it needs exactly one item.`, given.pointerOf());
    const read = given.items.map((item, index) => this.#readItem(item, index, given));
    const taken = new Map<string, Set<string>>();
    const takenIn = (collection: string): Set<string> => {
      const known = taken.get(collection) ?? new Set(isAddition ? idsIn?.(collection) : []);
      taken.set(collection, known);
      return known;
    };
    for (const [index, { key, collection }] of read.entries()) {
      if (key === undefined) continue;
      const keys = takenIn(collection);
      if (keys.has(key)) throw new DataProblem(this.#describeTaken(key), this.#idPointer(given, index));
      keys.add(key);
    }
    return read.map(({ item, key: sent, collection, parents }, index) => {
      const key = sent ?? this.#freeKey(collection, takenIn(collection));
      const named = sent === undefined || parents.size > 0 ? this.#withKey(item, key, parents) : item;
      const done = this.#complete(named, seedFrom(`${this.#seed} ${collection} ${key}`));
      if (!done.ok) throw new DataProblem(describe(done), given.pointerOf(index) + done.pointer);
      const own = parents.size === 0 ? {} : { parents: [...parents.values()] };
      return { collection, key, value: done.item, ...own };
    });
  }

  async replace(context: HandlerContext, items: readonly PreparedItem[]): Promise<void> {
    const { group, core } = this.place;
    const kept = new Map<string, Set<string>>();
    for (const { collection, key } of items) kept.set(collection, (kept.get(collection) ?? new Set()).add(key));
    for (const values of await this.#places(context)) {
      const name = fillTemplate(group.collectionPath, values);
      const collection = context.collection<Item>(name);
      for (const { id } of (await collection.query()).items) {
        await collection.delete(id);
        if (kept.get(name)?.has(id) === true || core.kind === 'singleton') continue;
        await this.#state.deleteChildren(context, group, [...values, ...splitKey(id, this.place.core)]);
      }
      await this.#state.markGiven(context, group, name);
      kept.delete(name);
    }
    // The rest is below parents that the state does not have.
    for (const name of kept.keys()) await clear(context.collection(name));
    await this.#store(context, items);
  }

  async open(context: HandlerContext): Promise<void> {
    const { group, values: named } = this.place;
    if (named !== undefined) await this.#state.hasParents(context, { group }, named);
    if (!this.#state.isStateful(group)) return;
    for (const values of await this.#places(context)) await this.#state.fill(context, group, values);
  }

  async add(context: HandlerContext, items: readonly PreparedItem[]): Promise<void> {
    await this.#store(context, items);
  }

  async read(context: HandlerContext): Promise<Readonly<Record<string, readonly unknown[]>>> {
    const found: Record<string, readonly unknown[]> = {};
    for (const values of await this.#places(context)) {
      const name = fillTemplate(this.place.group.collectionPath, values);
      const { items } = await context.collection(name).query();
      const isAtTop = parametersOf(this.place.group.collectionPath).length === 0;
      if (items.length > 0 || (isAtTop && this.#state.isStateful(this.place.group)))
        found[name] = items.map(({ value }) => value);
    }
    return found;
  }

  async #store(context: HandlerContext, items: readonly PreparedItem[]): Promise<void> {
    const marked = new Set<string>();
    for (const { collection, key, value } of items) {
      if (!marked.has(collection)) await this.#state.markGiven(context, this.place.group, collection);
      marked.add(collection);
      await context.collection(collection).put(key, value);
    }
  }

  /** The ids of the parents of every collection that is meant: for a path with parameters, those of all parents. */
  async #places(context: HandlerContext): Promise<readonly (readonly string[])[]> {
    const { group, values } = this.place;
    if (values !== undefined) return [values];
    return this.#state.placesOf(context, group);
  }

  #readItem(given: unknown, index: number, { isText, pointerOf }: GivenCollection): ReadItem {
    const { core, group } = this.place;
    if (!isRecord(given)) throw new DataProblem('An item must be an object.', pointerOf(index));
    const item = isText ? this.#readTexts(given) : given;
    const names = parametersOf(group.collectionPath);
    const values = this.place.values ?? names.map((name) => this.#parentOf(item, name, pointerOf(index)));
    const key = core.kind === 'singleton' ? SINGLETON_KEY : itemKeyOf(core, item);
    return {
      item,
      key,
      collection: fillTemplate(group.collectionPath, values),
      parents: new Map(names.map((name, at) => [name, values[at] ?? ''])),
    };
  }

  #parentOf(item: Item, parameter: string, pointer: string): string {
    const member = this.place.core.parentMembers.get(parameter);
    const value = member === undefined ? undefined : idAt(item, member.path);
    if (value !== undefined) return value;
    const path = this.place.group.collectionPath.replace(`{${parameter}}`, '1');
    throw new DataProblem(
      `The item does not say where in ${this.place.group.collectionPath} it belongs: ` +
        `${member === undefined ? '' : `add its member ${member.path.join('.')}, or `}name the collection with the id of its parent, such as ${path}.`,
      pointer,
    );
  }

  #withKey(item: Item, key: string, parents: ReadonlyMap<string, string>): Item {
    const { core } = this.place;
    return core.kind === 'singleton' ? item : withPathValues(item, core, { key, parents, api: this.#state.api });
  }

  #freeKey(collection: string, taken: Set<string>): string {
    const { id } = this.place.core;
    const first = taken.size;
    const attempts = id === undefined ? 0 : ATTEMPTS;
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const place = first + attempt;
      const key =
        id === undefined
          ? ''
          : this.#keyAt(id, { place, attempt, seed: seedFrom(`${this.#seed} ${collection} ${place}`) });
      if (key === '' || taken.has(key)) continue;
      taken.add(key);
      return key;
    }
    throw new DataProblem(`No id could be made up for an item of ${this.name}.`, '');
  }

  #keyAt(id: IdMember, { place, attempt, seed }: KeyAttempt): string {
    const { api } = this.#state;
    const types = typesOf(id.schema, api);
    if (hasNumber(types) && !types.has('string')) return numberAt(id, place, api);
    if (attempt < GENERATED_ATTEMPTS) return generatedId(id, seed, api);
    const text = textAt(id, { api, random: new Random(seed), attempt });
    const validate = compileValidator(api, id.schema, { direction: 'response' });
    return validate(toMemberValue(id, text, api)).length === 0 ? text : '';
  }

  #describeTaken(key: string): string {
    return `There is already a ${nameItem(this.place.group.collectionPath)} with the id ${stringifyExactJson(key)}.`;
  }

  #idPointer(given: GivenCollection, index: number): string {
    const path = this.place.core.id?.path ?? ['id'];
    return path.reduce((pointer, name) => appendPointer(pointer, name), given.pointerOf(index));
  }
}

async function clear(collection: Collection<unknown>): Promise<void> {
  for (const { id } of (await collection.query()).items) await collection.delete(id);
}

interface ReadItem {
  readonly item: Item;
  readonly key: string | undefined;
  readonly collection: string;
  readonly parents: ReadonlyMap<string, string>;
}

function describe({ pointer, message }: { readonly pointer: string; readonly message: string }): string {
  return `${pointer === '' ? 'The item' : pointer} ${message}.`.replace('?.', '?');
}
