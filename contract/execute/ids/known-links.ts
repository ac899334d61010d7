import type { Operation } from '../../../model/api.js';
import type { Slot } from '../../../resources/resource.js';
import type { Call, Exchange } from '../../types.js';
import type { ItemRegistry } from './item-registry.js';
import { type LinkedCall, followLinks, linkedScalars, linkedSlots } from './openapi-links.js';

/** The most links to one operation that are kept; the oldest are dropped. */
const MAX_LINKS = 5;

/** The calls that the `links` of responses have led to. */
export class KnownLinks {
  /** By target operation, oldest first. */
  readonly #links = new Map<string, readonly LinkedCall[]>();

  learn(call: Call, exchange: Exchange): void {
    for (const linked of followLinks(call, exchange)) {
      const { operationId } = linked.link;
      this.#links.set(operationId, [...this.#linksTo(operationId), linked].slice(-MAX_LINKS));
    }
  }

  /** The newest link to an operation whose items still exist. */
  find(operation: Operation, items: ItemRegistry): LinkedCall | undefined {
    return this.#linksTo(operation.id)
      .toReversed()
      .find((linked) => linkedScalars(linked).every((value) => items.isUsable(operation, value)));
  }

  /** Where links put values into calls of an operation. */
  slotsOf(operation: Operation): Slot[] {
    return this.#linksTo(operation.id).flatMap((one) => linkedSlots(operation, one));
  }

  #linksTo(operationId: string): readonly LinkedCall[] {
    return this.#links.get(operationId) ?? [];
  }
}
