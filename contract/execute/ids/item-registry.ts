import { getOrInsert } from '../../../model/maps.js';
import type { Resource, Slot } from '../../../resources/resource.js';
import type { Api, Operation } from '../../../model/api.js';
import type { Schema } from '../../../model/schema-types.js';
import { type Validate, compileValidator } from '../../../schema/compile-validator.js';
import { scalarText } from '../../../http/request/write-request.js';
import type { Call } from '../../types.js';
import { type Id, idReadings } from '../../../resources/extract-id.js';
import { idText, slotValue } from './id-slot.js';
import { memberSchemas } from '../../../schema/facts/members.js';

/** An item that a server has shown. */
export interface RegisteredItem {
  readonly id: Id;
  /** The path parameters of the call that showed it, by name. */
  readonly parents: ReadonlyMap<string, unknown>;
  /** Whether it existed before the run. */
  readonly isFound: boolean;
}

const MAX_ITEMS = 20;

/** Records which items exist, which are gone, and which an operation has refused. */
export class ItemRegistry {
  readonly #api: Api;
  /** By resource, oldest first. */
  readonly #items = new Map<Resource, readonly RegisteredItem[]>();
  /** Whether a value fits a slot; each operation has its own slots. */
  readonly #validators = new Map<Slot, Validate>();
  readonly #gone = new Set<string>();
  /** Ids that an operation has refused because of the item's state. */
  readonly #refused = new Map<Operation, Set<string>>();

  constructor(api: Api) {
    this.#api = api;
  }

  add(resource: Resource, id: Id, { call, isFound }: { readonly call: Call; readonly isFound: boolean }): void {
    const parents = new Map(
      [...call.parameters].filter(([{ in: place }]) => place === 'path').map(([{ name }, value]) => [name, value]),
    );
    parents.delete(resource.parameter);
    this.#gone.delete(scalarText(id));
    const others = this.#of(resource).filter((one) => scalarText(one.id) !== scalarText(id));
    this.#items.set(resource, [...others, { id, parents, isFound }].slice(-MAX_ITEMS));
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

  /** The newest item whose id fits a schema. Items that the run created come before others. */
  newest(resource: Resource, schema: Schema): RegisteredItem | undefined {
    const items = this.#of(resource).toReversed();
    if (items.length === 0) return undefined;
    const validate = compileValidator(this.#api, schema, { direction: 'request' });
    const ordered = [...items.filter(({ isFound }) => !isFound), ...items.filter(({ isFound }) => isFound)];
    for (const item of ordered)
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
