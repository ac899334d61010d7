import { getOrInsert } from '../../../model/maps.js';
import { foldName } from '../../../resources/inflection.js';
import type { Resource, Slot } from '../../../resources/resource.js';
import type { Api, Operation } from '../../../model/api.js';
import type { Schema } from '../../../model/schema-types.js';
import { type Validate, compileValidator } from '../../../schema/compile-validator.js';
import { scalarText } from '../../../http/request/write-request.js';
import type { Call } from '../../types.js';
import { type Id, idReadings, lastPartOf, namesAround } from '../../../resources/extract-id.js';
import { idText, slotValue } from './id-slot.js';
import { isNumber, isSameName, isSameParents, type ItemPlace, MadeItems, parentsOf } from './made-items.js';
import { isFarAway } from './unlikely-id.js';
import { memberSchemas } from '../../../schema/facts/members.js';

/** An item that a server has shown. */
export interface RegisteredItem {
  readonly id: Id;
  /** The path parameters of the call that showed it, by name. */
  readonly parents: ReadonlyMap<string, unknown>;
  /** Whether it existed before the run. */
  readonly isFound: boolean;
}

/** How the run has learned of an item. */
interface Sighting {
  readonly call: Call;
  readonly isFound: boolean;
  /** Whether it is what a valid request made. Default: yes. */
  readonly isValid?: boolean;
  /** The item, or the response that contains it. */
  readonly shown?: unknown;
  /** The header that says where a created item is. */
  readonly location?: string | null;
}

const MAX_ITEMS = 20;

/** Records which items exist, which are gone, and which an operation has refused. */
export class ItemRegistry {
  readonly #api: Api;
  readonly made: MadeItems = new MadeItems();
  /** By resource, oldest first. */
  readonly #items = new Map<Resource, RegisteredItem[]>();
  /** Whether a value fits a slot; each operation has its own slots. */
  readonly #validators = new Map<Slot, Validate>();
  readonly #gone = new Set<string>();
  /** Kinds of item whose ids are numbers: many servers read any other text as 0. */
  readonly #numbered = new Set<Resource>();
  /** The items that the run did not make, as lists and reads have shown them, by id. */
  readonly #seen = new Map<string, ItemPlace[]>();
  /** The first of these items, by resource. */
  readonly #shown = new Map<Resource, RegisteredItem[]>();
  /** Ids that an operation has refused because of the item's state. */
  readonly #refused = new Map<Operation, Set<string>>();

  constructor(api: Api) {
    this.#api = api;
  }

  add(resource: Resource, id: Id, { call, isFound, isValid = true, shown, location }: Sighting): void {
    const around = namesAround(id, { item: shown, location }, resource);
    // The creation of an item may have a path with other names: `/orgs/{org}/repos` makes `/repos/{owner}/{repo}`.
    const isOwn = (name: string): boolean => around.size === 0 || resource.name.includes(`{${name}}`);
    const parents = new Map([...parentsOf(resource, call), ...around].filter(([name]) => isOwn(name)));
    this.#gone.delete(scalarText(id));
    if (!isFound) this.made.noteAt({ resource, id, parents }, call);
    const others = this.#of(resource).filter((one) => scalarText(one.id) !== scalarText(id));
    const item = { id, parents, isFound };
    // What an invalid request made comes after all others: the newest item is used.
    this.#items.set(resource, (isValid ? [...others, item] : [item, ...others]).slice(-MAX_ITEMS));
  }

  /** Notes the ids of items that the response to a call shows. */
  noteSeen(resource: Resource, ids: readonly (Id | undefined)[], call: Call): void {
    const parents = parentsOf(resource, call);
    for (const id of ids) {
      if (id === undefined || this.made.with(id, [resource]).some((one) => mayBeTogether(one.parents, parents)))
        continue;
      const known = getOrInsert(this.#seen, foldId(id), () => []);
      const isKnown = known.some((one) => one.resource === resource && isSameParents(one.parents, parents));
      if (!isKnown) known.push({ resource, id, parents });
      const shown = getOrInsert(this.#shown, resource, () => []);
      if (shown.length < MAX_ITEMS && !shown.some((one) => one.id === id)) shown.push({ id, parents, isFound: true });
      if (isNumber(id)) this.#numbered.add(resource);
    }
  }

  /** Whether no item is likely to have an id, of these kinds or any. */
  isFree(id: unknown, resources: readonly Resource[]): boolean {
    if (!isFarAway(id) || this.isSeen(id)) return false;
    return isNumber(id) || resources.every((one) => !this.#numbered.has(one) && !this.made.hasNumbers(one));
  }

  /** Whether an item that the run did not make has an id, as a server may read it: any item, or one of a kind and place. */
  isSeen(id: unknown, place?: Omit<ItemPlace, 'id'>): boolean {
    const seen = this.#seen.get(foldId(id)) ?? [];
    if (place === undefined) return seen.length > 0;
    return seen.some(
      (one) =>
        mayBeSame(one.id, id) && isAlike(one.resource, place.resource) && mayBeTogether(one.parents, place.parents),
    );
  }

  /** Whether a call that created an item with this id may have replaced one from before the run. */
  isReplaced(resource: Resource, id: Id, call: Call): boolean {
    return this.isSeen(id, { resource, parents: parentsOf(resource, call) });
  }

  has(resource: Resource, id: Id | undefined): boolean {
    return this.#of(resource).some((one) => one.id === id);
  }

  /** Notes that the item of a call is gone. */
  forget(resource: Resource, call: Call): void {
    const slot = resource.slots.get(call.operation);
    const gone = slot === undefined ? undefined : slotValue(call, slot);
    if (slot === undefined || gone === undefined) return;
    const left = this.#of(resource).filter(({ id }) => scalarText(idText(slot, id)) !== scalarText(gone));
    this.#items.set(resource, left);
    this.#gone.add(scalarText(gone));
  }

  isGone(id: unknown): boolean {
    return this.#gone.has(scalarText(id));
  }

  /** Notes that an operation has refused an id. */
  refuse(operation: Operation, id: unknown): void {
    this.#refused.set(operation, (this.#refused.get(operation) ?? new Set<string>()).add(scalarText(id)));
  }

  isRefused(operation: Operation, id: unknown): boolean {
    return this.#refused.get(operation)?.has(scalarText(id)) === true;
  }

  /** Whether an item exists, as far as the run knows, and the operation has not refused it. */
  isUsable(operation: Operation, id: unknown): boolean {
    return !this.isGone(id) && !this.isRefused(operation, id);
  }

  /** The newest item whose id fits a slot. */
  pick(resource: Resource, operation: Operation, slot: Slot, isOwnOnly = false): RegisteredItem | undefined {
    const items = this.#of(resource).filter(({ isFound }) => !isOwnOnly || !isFound);
    if (items.length === 0) return undefined;
    const validate = this.#validatorOf(operation, slot);
    for (const item of items.toReversed())
      for (const id of idReadings(item.id))
        if (!this.isRefused(operation, id) && validate(idText(slot, id)).length === 0) return { ...item, id };
    return undefined;
  }

  /** The other items of a kind that an operation can be called on, as far as is known. Those of the run come first. */
  others(resource: Resource, operation: Operation, id: unknown): RegisteredItem[] {
    const items = [...this.#of(resource).toReversed(), ...(this.#shown.get(resource) ?? [])];
    const byId = new Map(items.toReversed().map((item) => [lastPartOf(scalarText(item.id)), item]));
    byId.delete(lastPartOf(scalarText(id)));
    return [...byId.values()]
      .filter((item) => this.isUsable(operation, item.id))
      .toSorted((one, other) => Number(one.isFound) - Number(other.isFound));
  }

  /**
   * The newest item whose id fits a schema. Items that the run created come before others, and items whose ids are not
   * `taken` before those.
   */
  newest(resource: Resource, schema: Schema, taken: ReadonlySet<string> = new Set()): RegisteredItem | undefined {
    const items = this.#of(resource).toReversed();
    if (items.length === 0) return undefined;
    const validate = compileValidator(this.#api, schema, { direction: 'request' });
    const rank = ({ id, isFound }: RegisteredItem): number => Number(taken.has(scalarText(id))) * 2 + Number(isFound);
    for (const item of items.toSorted((one, other) => rank(one) - rank(other)))
      for (const id of [...idReadings(item.id), scalarText(item.id)])
        if (validate(id).length === 0) return { ...item, id };
    return undefined;
  }

  /** Whether an id belongs to an item that existed before the run. */
  isFound(id: unknown): boolean {
    const text = scalarText(id);
    return [...this.#items.values()].some((items) => items.some((one) => one.isFound && scalarText(one.id) === text));
  }

  #validatorOf(operation: Operation, slot: Slot): Validate {
    return getOrInsert(this.#validators, slot, () => {
      const schema =
        slot.in === 'parameter'
          ? slot.parameter.schema
          : memberSchemas(operation.body?.content[0]?.schema ?? true, this.#api).get(slot.name);
      return compileValidator(this.#api, schema ?? true, { direction: 'request' });
    });
  }

  #of(resource: Resource): readonly RegisteredItem[] {
    return this.#items.get(resource) ?? [];
  }
}

/** Whether two kinds of item may be the same one at other paths, such as `/me/todos/{id}` and `/todos/{id}`. */
function isAlike(one: Resource, other: Resource): boolean {
  return one === other || collectionWord(one) === collectionWord(other);
}

function collectionWord({ name }: Resource): string {
  return foldName(name.split('/').findLast((part) => part !== '' && !part.includes('{')) ?? '');
}

/** Whether two items may be in the same one, as far as both places say. */
function mayBeTogether(one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): boolean {
  return [...one].every(([name, value]) => !other.has(name) || scalarText(value) === scalarText(other.get(name)));
}

/** Whether two ids with the same last part may be one: of two paths, all parts count. */
function mayBeSame(one: unknown, other: unknown): boolean {
  const texts = [one, other].map((id) => scalarText(id).trim().toLowerCase());
  return isSameName(...(texts as [string, string])) || texts.some((text) => !text.includes('/'));
}

/** Many servers ignore the letter case of ids, spaces around them, and how a number is written. */
function foldId(id: unknown): string {
  const text = lastPartOf(scalarText(id)).trim().toLowerCase();
  return text !== '' && Number.isSafeInteger(Number(text)) ? String(Number(text)) : text;
}
