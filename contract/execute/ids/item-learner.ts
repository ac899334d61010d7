import { shownItems } from '../../../resources/envelope.js';
import { createdIds, idOf, isId } from '../../../resources/extract-id.js';
import type { Resource } from '../../../resources/resource.js';
import { isConflict } from '../../checks/is-conflict.js';
import type { Call, Exchange } from '../../types.js';
import { slotValue } from './id-slot.js';
import type { ItemRegistry } from './item-registry.js';
import { isCreationOf } from './operation-roles.js';
import type { ParameterOverrides } from './parameter-overrides.js';
import { isFarAway } from './unlikely-id.js';
import type { UniqueIds } from './unique-ids.js';

/** The most items of a list that are registered. */
const MAX_SEEN = 3;

interface Known {
  readonly resources: readonly Resource[];
  readonly items: ItemRegistry;
  readonly fresh: UniqueIds;
  readonly values: ParameterOverrides;
}

/** Registers the items that responses show, create, delete or refuse. */
export class ItemLearner {
  readonly #resources: readonly Resource[];
  readonly #items: ItemRegistry;
  readonly #fresh: UniqueIds;
  readonly #values: ParameterOverrides;

  constructor({ resources, items, fresh, values }: Known) {
    this.#resources = resources;
    this.#items = items;
    this.#fresh = fresh;
    this.#values = values;
  }

  /** Registers the items that a successful response shows. */
  learnItems(call: Call, exchange: Exchange): void {
    for (const resource of this.#resources) this.#learnFrom(resource, call, exchange);
  }

  /** Learns why a request may have been refused. */
  learnRefusal(call: Call, exchange: Exchange): void {
    const { operation } = call;
    const { status, text } = exchange;
    const isTaken = isConflict(exchange);
    for (const resource of this.#resources) {
      if (isTaken && isCreationOf(resource, operation))
        this.#fresh.learnConflict(call, { parameter: resource.parameter, text });
      if (isTaken && resource.create !== undefined && resource.slots.has(operation))
        this.#fresh.learnChangeConflict(call, resource.create);
      if ((status === 404 || status === 410) && resource.read === operation) this.#items.forget(resource, call);
      const slot = resource.slots.get(operation);
      const value = slot === undefined ? undefined : slotValue(call, slot);
      if ((status !== 409 && status !== 404) || value === undefined) continue;
      this.#items.refuse(operation, value);
    }
  }

  #learnFrom(resource: Resource, call: Call, exchange: Exchange): void {
    const { operation } = call;
    const { parameter, read } = resource;
    if (isCreationOf(resource, operation)) {
      const [id] = createdIds(exchange, parameter, read);
      if (id === undefined) return;
      this.#fresh.learnCreated(call, id);
      // An upsert may have replaced an item that was there before.
      this.#items.add(resource, id, { call, isFound: this.#items.isSeen(id) });
    } else if (resource.list === operation || resource.views.includes(operation)) {
      const isFound = operation.method === 'get' || exchange.status !== 201;
      const shown = shownItems(exchange.json);
      if (isFound)
        this.#items.noteSeen(
          resource,
          shown.map((item) => idOf(item, parameter)),
          call,
        );
      for (const item of shown.slice(0, MAX_SEEN)) {
        const id = idOf(item, parameter);
        const isNew = !this.#items.has(resource, id);
        if (isFound && this.#values.hasName(parameter)) continue;
        if (id !== undefined && isNew) this.#items.add(resource, id, { call, isFound });
      }
    } else if (resource.delete === operation) this.#items.forget(resource, call);
    else if (resource.replace === operation) {
      const slot = resource.slots.get(operation);
      const id = slot === undefined ? undefined : slotValue(call, slot);
      const isNew = exchange.status === 201 || (isFarAway(id) && !this.#items.has(resource, isId(id) ? id : undefined));
      if (isId(id) && isNew && !this.#items.isSeen(id)) this.#items.add(resource, id, { call, isFound: false });
    }
  }
}
