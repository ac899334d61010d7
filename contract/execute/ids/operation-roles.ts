import type { Operation } from '../../../model/api.js';
import type { Resource } from '../../../resources/resource.js';
import type { WriteKind } from '../../checks/check-written.js';
import type { Call } from '../../types.js';
import { scalarText } from '../../../http/request/write-request.js';
import { slotValue } from './id-slot.js';

/** The effects of operations on items, by their paths, methods and bodies. */
export class OperationRoles {
  readonly #resources: readonly Resource[];

  constructor(resources: readonly Resource[]) {
    this.#resources = resources;
  }

  /** The effect of an operation on the item in its body; `undefined` if it does not write one. */
  writeKind(operation: Operation): WriteKind | undefined {
    for (const resource of this.#resources) {
      if (resource.replace === operation) return 'replace';
      if (resource.patch === operation) return 'patch';
      if (isCreationOf(resource, operation)) return 'create';
    }
    return undefined;
  }

  /** Whether an operation takes the id of an item. */
  takesItem(operation: Operation): boolean {
    return this.#resources.some(({ slots }) => slots.has(operation));
  }

  /** The operations that create the items of an operation. */
  creationsFor(operation: Operation): Operation[] {
    const own = this.#resources.filter(({ slots }) => slots.has(operation));
    return own.flatMap(({ create }) => (create === undefined || create === operation ? [] : [create]));
  }

  /** The kinds of item that an operation creates or changes. */
  writtenBy(operation: Operation): Resource[] {
    return this.#resources.filter(
      (one) => one.replace === operation || one.patch === operation || isCreationOf(one, operation),
    );
  }

  /** Whether an operation creates items. */
  isCreation(operation: Operation): boolean {
    return this.#resources.some((resource) => isCreationOf(resource, operation));
  }

  /** Whether a call creates an item under the id in its body. */
  createsUnder(call: Call, id: string): boolean {
    return this.#resources.some((resource) => {
      const slot = isCreationOf(resource, call.operation) ? resource.slots.get(call.operation) : undefined;
      return slot?.in === 'body' && scalarText(slotValue(call, slot)) === id;
    });
  }

  /** Whether an operation deletes items. */
  isRemoval(operation: Operation): boolean {
    return this.#resources.some((resource) => resource.delete === operation);
  }

  /** Whether an operation deletes items that no operation creates. */
  usesUp(operation: Operation): boolean {
    return this.#resources.some(
      (resource) => resource.delete === operation && resource.create === undefined && resource.creators.length === 0,
    );
  }
}

export function isCreationOf({ create, creators }: Resource, operation: Operation): boolean {
  return create === operation || creators.includes(operation);
}
