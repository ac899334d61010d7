import { getOrInsert } from '../../../model/maps.js';
import type { Operation } from '../../../model/api.js';
import { scalarText } from '../../../http/request/write-request.js';
import { isSameJson } from '../../../model/exact-json.js';
import { successSchema } from '../../../resources/success-response.js';
import { type Id, lastPartOf } from '../../../resources/extract-id.js';
import type { Resource } from '../../../resources/resource.js';
import type { Call } from '../../types.js';
import { choosesId, memberLike, pathValues, slotValue } from './id-slot.js';
import { isFarAway } from './unlikely-id.js';

/** Which item it is. */
export interface ItemPlace {
  readonly resource: Resource;
  readonly id: Id;
  /** The path parameters around it, by name. */
  readonly parents: ReadonlyMap<string, unknown>;
}

/** An item that the run has made, wherever it was made. Kept when it is gone. */
export interface MadeItem extends ItemPlace {
  /** The operation that made it. */
  readonly madeBy: Operation;
  /** Whether the second identity of the run made it. */
  readonly isOther: boolean;
  /** An id with which an operation on it has shown it, and that the run did not ask for. */
  renamed?: { readonly id: Id; readonly by: Operation };
}

/** A creation that succeeded and whose response shows no id. */
export interface UnnamedItem {
  readonly resource: Resource;
  readonly call: Call;
}

interface Renaming {
  readonly call: Call;
  /** Whether an item that the run did not make has an id. */
  readonly isSeen: (id: Id, place: ItemPlace) => boolean;
}

/** The items that the run has made, whichever request made them. */
export class MadeItems {
  /** By id. */
  readonly #made = new Map<string, MadeItem[]>();
  /** The items that the run has made and not deleted, oldest first; one twice if a careless server made it twice. */
  readonly #left = new Set<MadeItem>();
  /** The same, by the last part of their ids. */
  readonly #leftById = new Map<string, MadeItem[]>();
  #unnamed: UnnamedItem[] = [];
  /** Kinds of item to which the server gives numbers as ids. */
  readonly #numbered = new Set<Resource>();

  /** Notes that a call has made an item. */
  note(resource: Resource, id: Id, call: Call): void {
    this.noteAt({ resource, id, parents: parentsOf(resource, call) }, call);
  }

  /** Notes that a call has made an item elsewhere than its own path says. */
  noteAt(place: ItemPlace, call: Call): void {
    const { resource, id, parents } = place;
    const item = { ...place, madeBy: call.operation, isOther: call.isOther === true };
    this.#keep(item);
    const key = lastPartOf(scalarText(id));
    const known = this.#made.get(key) ?? [];
    const isKnown = known.some(
      (one) => one.resource === resource && one.id === id && isSameParents(one.parents, parents),
    );
    if (!isKnown) getOrInsert(this.#made, key, () => []).push(item);
    if (isNumber(id) && !choosesId(call, id)) this.#numbered.add(resource);
  }

  /** Whether the run has made an item with an id, of any kind and place. */
  hasMade(id: unknown): boolean {
    return this.#made.has(lastPartOf(scalarText(id)));
  }

  /** Whether the server gives numbers as ids to a kind of item. */
  hasNumbers(resource: Resource): boolean {
    return this.#numbered.has(resource);
  }

  /** The items that the run has made and not deleted since, as far as it knows, oldest first. */
  get left(): readonly MadeItem[] {
    return [...this.#left];
  }

  /** What the run has made without learning its id. */
  get unnamed(): readonly UnnamedItem[] {
    return this.#unnamed;
  }

  noteUnnamed(resource: Resource, call: Call): void {
    this.#unnamed.push({ resource, call });
  }

  /** Notes the id of an item that its creation did not show. */
  name(item: UnnamedItem, id: Id): void {
    this.#unnamed = this.#unnamed.filter((one) => one !== item);
    this.note(item.resource, id, item.call);
  }

  /** Notes that a call has deleted its item. */
  noteDeleted(resource: Resource, call: Call): void {
    const kept = this.#keptWith(slotIdOf(resource, call));
    const at = kept.findLastIndex(itemOf(call, resource));
    for (const item of at === -1 ? [] : kept.splice(at, 1)) this.#left.delete(item);
  }

  /** Notes that a call has changed its item: if it was deleted, it is there again. */
  noteChanged(resource: Resource, call: Call): void {
    const item = this.#madeItemOf(resource, call);
    if (item !== undefined && !this.#keptWith(item.id).some(itemOf(call, resource))) this.#keep(item);
  }

  /** Notes that a call on an item of the run has shown it with another id. */
  noteRenamed(resource: Resource, id: Id, { call, isSeen }: Renaming): void {
    const item = this.#madeItemOf(resource, call);
    if (item === undefined || isSameName(id, item.id) || !showsItem(resource, call.operation)) return;
    const place = { resource, id, parents: item.parents };
    // What the run has not asked for may be the id of another item.
    const isAsked = memberLike(call.body?.value, resource.parameter) === id && !isSeen(id, place);
    if (isAsked) this.noteAt(place, call);
    else item.renamed = { id, by: call.operation };
  }

  #madeItemOf(resource: Resource, call: Call): MadeItem | undefined {
    return this.with(slotIdOf(resource, call), [resource]).find(itemOf(call, resource));
  }

  #keep(item: MadeItem): void {
    this.#left.add(item);
    this.#keptWith(item.id).push(item);
  }

  #keptWith(id: unknown): MadeItem[] {
    return getOrInsert(this.#leftById, lastPartOf(scalarText(id)), () => []);
  }

  /**
   * The items that the run has made with an id, of the given kinds or, without any, of all. Items of different kinds
   * often have the same short ids, so the id of an unknown kind must be one that no other item is likely to have.
   */
  with(id: unknown, resources: readonly Resource[]): readonly MadeItem[] {
    const made = (this.#made.get(lastPartOf(scalarText(id))) ?? []).filter((one) => isSameName(one.id, id));
    if (resources.length === 0) return isFarAway(id) ? made : [];
    return made.filter(({ resource }) => resources.includes(resource));
  }
}

/** The path parameters of a call, by name, without that of the item itself. */
export function parentsOf(resource: Resource, call: Call): ReadonlyMap<string, unknown> {
  const parents = new Map(pathValues(call));
  parents.delete(resource.parameter);
  return parents;
}

/** The id that a call names. */
function slotIdOf(resource: Resource, call: Call): unknown {
  const slot = resource.slots.get(call.operation);
  return slot === undefined ? undefined : slotValue(call, slot);
}

/** Says of an item whether a call is about it. */
function itemOf(call: Call, kind: Resource): (item: ItemPlace) => boolean {
  const slot = kind.slots.get(call.operation);
  if (slot === undefined) return () => false;
  const named = slotValue(call, slot);
  const around = parentsOf(kind, call);
  return ({ resource, id, parents }) => resource === kind && isSameName(id, named) && isSameParents(parents, around);
}

/** Whether the response of an operation shows an item of a kind, and not something else. */
function showsItem({ read }: Resource, operation: Operation): boolean {
  return read !== undefined && isSameJson(successSchema(operation), successSchema(read));
}

/** Whether two ids may be the name of one item: `files/abc` and `abc`, but not `old/abc` and `new/abc`. */
export function isSameName(one: unknown, other: unknown): boolean {
  const [text, wanted] = [`/${scalarText(one)}`, `/${scalarText(other)}`];
  return text.endsWith(wanted) || wanted.endsWith(text);
}

export function isSameParents(one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): boolean {
  return (
    one.size === other.size && [...one].every(([name, value]) => scalarText(value) === scalarText(other.get(name)))
  );
}

export function isNumber(id: unknown): boolean {
  return /^\d+$/.test(scalarText(id));
}
