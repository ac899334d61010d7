import type { Operation } from '../../../model/api.js';
import { isRecord } from '../../../model/document/records.js';
import { getOrInsert } from '../../../model/maps.js';
import { isSafeMethod } from '../../../model/http-method.js';
import { shownItems } from '../../../resources/envelope.js';
import { createdIds, idOf, isId, matchEnd } from '../../../resources/extract-id.js';
import type { Resource } from '../../../resources/resource.js';
import { isConflict } from '../../checks/is-conflict.js';
import type { Call, Exchange } from '../../types.js';
import { memberLike, pathValues, slotValue } from './id-slot.js';
import type { ItemRegistry } from './item-registry.js';
import { isCreationOf } from './operation-roles.js';
import type { ParameterOverrides } from './parameter-overrides.js';
import { isFarAway } from './unlikely-id.js';
import type { UniqueIds } from './unique-ids.js';

/** The most items of a list that are registered. */
const MAX_SEEN = 3;

interface Known {
  readonly operations: readonly Operation[];
  readonly resources: readonly Resource[];
  readonly items: ItemRegistry;
  readonly fresh: UniqueIds;
  readonly values: ParameterOverrides;
}

interface Learned {
  readonly call: Call;
  readonly exchange: Exchange;
  readonly isValid: boolean;
}

interface ElsewhereCall {
  readonly call: Call;
  readonly method: string;
  readonly exchange: Exchange;
}

/** Registers the items that responses show, create, delete or refuse. */
export class ItemLearner {
  readonly #resources: readonly Resource[];
  /** The kinds of item that an operation is about. */
  readonly #near = new Map<Operation, readonly Resource[]>();
  readonly #items: ItemRegistry;
  readonly #fresh: UniqueIds;
  readonly #values: ParameterOverrides;
  /** The operations that take the bytes of uploads: what they show was made by the upload. */
  readonly #uploads: ReadonlySet<string>;

  constructor({ operations, resources, items, fresh, values }: Known) {
    this.#uploads = new Set(
      operations.flatMap(({ extensions }) => {
        const helper = extensions['x-resumable-upload'];
        return isRecord(helper) && typeof helper['upload'] === 'string' ? [helper['upload']] : [];
      }),
    );
    this.#resources = resources;
    this.#items = items;
    this.#fresh = fresh;
    this.#values = values;
  }

  /** Registers the items that a successful response to a valid or invalid request shows. */
  learnItems(call: Call, exchange: Exchange, isValid: boolean): void {
    if (exchange.status === 201) for (const resource of this.#resources) this.#learnLocation(resource, call, exchange);
    for (const resource of this.#nearTo(call.operation)) this.#learnFrom(resource, { call, exchange, isValid });
  }

  #nearTo(operation: Operation): readonly Resource[] {
    return getOrInsert(this.#near, operation, () =>
      this.#resources.filter(
        (one) =>
          one.slots.has(operation) ||
          isCreationOf(one, operation) ||
          one.views.includes(operation) ||
          [one.list, one.read, one.replace, one.delete].includes(operation),
      ),
    );
  }

  /** Learns why a request may have been refused. */
  learnRefusal(call: Call, exchange: Exchange): void {
    const { operation } = call;
    const { status, text } = exchange;
    const isTaken = isConflict(exchange);
    for (const resource of this.#nearTo(operation)) {
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

  /**
   * Registers what a request made that is no valid call of the run's own identity: one of the second identity, or one
   * with an undocumented method. Only 201 says that something was created.
   */
  learnElsewhere(call: Call, exchange: Exchange): void {
    const { operation } = call;
    const method = (call.method ?? operation.method).toLowerCase();
    if (isSafeMethod(method) || (call.method !== undefined && exchange.status !== 201)) return;
    for (const resource of this.#resources) {
      const id = this.#idElsewhere(resource, { call, method, exchange });
      if (isId(id) && !this.#items.isReplaced(resource, id, call)) this.#items.made.note(resource, id, call);
    }
  }

  #idElsewhere(resource: Resource, { call, method, exchange }: ElsewhereCall): unknown {
    const { operation } = call;
    const isCreation =
      call.method === undefined
        ? isCreationOf(resource, operation)
        : method === 'post' && resource.name.replace(/\/\{[^{}/]+\}$/, '') === operation.path;
    if (isCreation) return createdIds(exchange, resource)[0];
    const slot = resource.slots.get(operation);
    const isReplacement = method === 'put' && exchange.status === 201 && resource.name === operation.path;
    return slot === undefined || !isReplacement ? undefined : slotValue(call, slot);
  }

  /** Registers an item that `Location` shows at another place than the operation that created it (RFC 9110, 15.3.2). */
  #learnLocation(resource: Resource, call: Call, exchange: Exchange): void {
    const location = exchange.headers.get('location');
    if (location === null || isCreationOf(resource, call.operation)) return;
    const values = matchEnd(location, resource.name);
    const id = values?.get(resource.parameter);
    if (values === undefined || id === undefined) return;
    values.delete(resource.parameter);
    const own = pathValues(call);
    const parents = new Map([...values].map(([name, value]) => [name, own.get(name) ?? value]));
    const place = { resource, id, parents };
    if (!this.#items.isSeen(id, place)) this.#items.made.noteAt(place, call);
  }

  #learnFrom(resource: Resource, { call, exchange, isValid }: Learned): void {
    const { operation } = call;
    const { parameter } = resource;
    if (!isSafeMethod(operation.method) && resource.delete !== operation) {
      this.#items.made.noteChanged(resource, call);
      const shown = memberLike(exchange.json, parameter);
      if (isId(shown))
        this.#items.made.noteRenamed(resource, shown, { call, isSeen: (id, place) => this.#items.isSeen(id, place) });
    }
    if (isCreationOf(resource, operation)) {
      const [id] = createdIds(exchange, resource);
      if (id === undefined) {
        this.#items.made.noteUnnamed(resource, call);
        return;
      }
      this.#fresh.learnCreated(call, id);
      // An upsert may have replaced an item that was there before.
      const isFound = this.#items.isReplaced(resource, id, call);
      this.#items.add(resource, id, {
        call,
        isFound,
        isValid,
        shown: exchange.json,
        location: exchange.headers.get('location'),
      });
    } else if (resource.list === operation || resource.views.includes(operation)) {
      const isFound = operation.method === 'get' || (exchange.status !== 201 && !this.#uploads.has(operation.id));
      const shown = shownItems(exchange.json);
      if (isFound)
        this.#items.noteSeen(
          resource,
          shown.map((item) => idOf(item, resource)),
          call,
        );
      for (const item of shown.slice(0, MAX_SEEN)) {
        const id = idOf(item, resource);
        const isNew = !this.#items.has(resource, id);
        if (isFound && this.#values.hasName(parameter)) continue;
        if (id !== undefined && isNew) this.#items.add(resource, id, { call, isFound, shown: item });
      }
    } else if (resource.delete === operation) {
      this.#items.forget(resource, call);
      this.#items.made.noteDeleted(resource, call);
    } else if (resource.replace === operation) {
      const slot = resource.slots.get(operation);
      const id = slot === undefined ? undefined : slotValue(call, slot);
      const isNew = exchange.status === 201 || (isFarAway(id) && !this.#items.has(resource, isId(id) ? id : undefined));
      if (isId(id) && isNew && !this.#items.isReplaced(resource, id, call))
        this.#items.add(resource, id, { call, isFound: false });
    }
  }
}
