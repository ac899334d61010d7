import type { Operation, Api, Parameter } from '../../../model/api.js';
import { getOrInsert } from '../../../model/maps.js';
import { foldName } from '../../../resources/inflection.js';
import type { Resource, Slot } from '../../../resources/resource.js';
import { isSuccess } from '../../../http/messages.js';
import { isId } from '../../../resources/extract-id.js';
import { scalarText } from '../../../http/request/write-request.js';
import type { Call, Exchange } from '../../types.js';
import { findResources } from '../../../resources/find-resources.js';
import { ReferenceFiller } from './reference-filler.js';
import { isSmall, unlikelyId } from './unlikely-id.js';
import { UniqueIds } from './unique-ids.js';
import { ParameterOverrides } from './parameter-overrides.js';
import { IdPlaces } from './id-places.js';
import { ItemRegistry, type RegisteredItem } from './item-registry.js';
import { ItemLearner } from './item-learner.js';
import { KnownLinks } from './known-links.js';
import { applyLink, linkedScalars } from './openapi-links.js';
import { slotValue, withId, withSlot } from './id-slot.js';
import { OwnIdMembers } from './own-id-members.js';
import { Attempts } from './attempts.js';
import { OperationRoles } from './operation-roles.js';

/** Items that a server has shown, so that requests reach existing items. */
export class IdPool {
  readonly #api: Api;
  readonly #touchesExisting: boolean;
  /** The ids in bodies. */
  readonly references: ReferenceFiller;
  readonly #values: ParameterOverrides;
  readonly #places: IdPlaces;
  readonly resources: readonly Resource[];
  readonly roles: OperationRoles;
  readonly #fresh: UniqueIds;
  readonly items: ItemRegistry;
  /** The members of bodies that become the ids of their items. */
  readonly ownIds: OwnIdMembers;
  readonly #links = new KnownLinks();
  readonly #ownSlots = new Map<Operation, readonly Slot[]>();
  readonly #learner: ItemLearner;
  /** Values that the pool has put into calls. */
  readonly #given = new Set<string>();
  readonly attempts: Attempts = new Attempts();

  constructor(
    api: Api,
    options: {
      readonly operations: readonly Operation[];
      readonly given: Readonly<Record<string, unknown>>;
      readonly touchExisting: boolean;
    },
  ) {
    this.#api = api;
    this.#touchesExisting = options.touchExisting;
    this.#values = new ParameterOverrides(api, options.given);
    this.resources = findResources(api, options.operations);
    this.roles = new OperationRoles(this.resources);
    this.#places = new IdPlaces(api, options.operations, this.resources);
    this.ownIds = new OwnIdMembers(api, this.resources);
    this.#fresh = new UniqueIds(api, this.ownIds);
    this.items = new ItemRegistry(api);
    const { resources } = this;
    const { operations } = options;
    const known = { operations, resources, items: this.items, fresh: this.#fresh, values: this.#values };
    this.#learner = new ItemLearner(known);
    this.references = new ReferenceFiller(api, { resources, items: this.items, given: this.#given });
  }

  /** Returns the same call with ids of existing items, newest first. A creation gets unused ids. */
  withIds(call: Call): Call {
    const taken = new Set<Parameter>();
    let filled = this.#values.apply(
      this.references.withReferences(this.#fresh.renew(this.#withFarIds(call)), () => true),
    );
    for (const [resource, slot] of this.#places.slotsOf(call.operation)) {
      if (!this.#hasPlace(call, slot) || (slot.in === 'parameter' && taken.has(slot.parameter))) continue;
      if (this.#values.hasOwn(call.operation, slot)) continue;
      const entry = this.#pick(resource, call.operation, slot);
      if (entry === undefined) {
        if (!this.#places.isInside(call.operation, resource)) filled = this.#withHarmlessId(filled, resource, slot);
        continue;
      }
      if (entry.isFound && this.#isExample(call, slot)) continue;
      filled = this.#put(filled, slot, entry.id);
      if (slot.in === 'parameter') taken.add(slot.parameter);
      for (const parameter of call.operation.parameters) {
        const value = parameter.in === 'path' ? entry.parents.get(parameter.name) : undefined;
        if (value === undefined || taken.has(parameter)) continue;
        taken.add(parameter);
        filled = this.#put(filled, { in: 'parameter', parameter }, value);
      }
    }
    filled = this.references.withOwnId(filled);
    const linked = this.#links.find(call.operation, this.items);
    if (linked === undefined) return this.#values.applyOwn(filled);
    for (const value of linkedScalars(linked)) this.#given.add(scalarText(value));
    return this.#values.applyOwn(applyLink(filled, linked));
  }

  /** Returns the same call with the values that the user gave. */
  withGivenValues(call: Call): Call {
    return this.#values.applyOwn(this.#values.apply(call));
  }

  /** A made-up id near those that exist could replace an item. */
  #withFarIds(call: Call): Call {
    return this.#touchesExisting ? call : this.ownIds.withFarIds(call);
  }

  /** Returns the same call with its mentions of other items replaced by existing items. */
  withMentions(call: Call): Call {
    return this.resources.reduce<Call>((made, resource) => {
      const slot = resource.references.get(call.operation);
      if (slot === undefined || !this.#hasPlace(made, slot)) return made;
      const entry = this.#pick(resource, call.operation, slot);
      return entry === undefined ? made : this.#put(made, slot, entry.id);
    }, call);
  }

  /** Returns the same call; if one of its items is gone, the pool's ids are replaced by those of existing items. */
  renew(call: Call): Call {
    if (this.isReady(call)) return call;
    const filled = this.withIds(call);
    const parameters = [...filled.parameters].map(([parameter, value]) => {
      const old = call.parameters.get(parameter);
      return [parameter, old === undefined || this.#given.has(scalarText(old)) ? value : old] as const;
    });
    const kept = { ...filled, parameters: new Map(parameters.filter(([parameter]) => call.parameters.has(parameter))) };
    const slots = this.#places.slotsOf(call.operation).filter(([, slot]) => slot.in === 'body');
    const renewed = slots.reduce<Call>((made, [, slot]) => {
      const old = slotValue(call, slot);
      return old === undefined || this.#given.has(scalarText(old)) ? made : withSlot(made, slot, old);
    }, kept);
    return this.#values.keepBroken(this.references.keepOwn(renewed, call), call);
  }

  /** Returns the same call on the other items of the collection that its path names. */
  onOtherItems(call: Call): Call[] {
    const { operation } = call;
    const found = this.#slotInPath(operation);
    if (found === undefined || this.#values.has(operation, found[1])) return [];
    const [resource, slot] = found;
    return this.items.others(resource, operation, slotValue(call, slot)).map(({ id, parents }) => {
      const around = operation.parameters.filter(({ in: place, name }) => place === 'path' && parents.has(name));
      const moved = around.reduce<Call>(
        (made, parameter) => withSlot(made, { in: 'parameter', parameter }, parents.get(parameter.name)),
        call,
      );
      return withId(moved, slot, id);
    });
  }

  /** Notes that an operation refuses the item in the path of a call. */
  avoidItem(call: Call): void {
    const [, slot] = this.#slotInPath(call.operation) ?? [];
    if (slot !== undefined) this.items.refuse(call.operation, slotValue(call, slot));
  }

  #slotInPath(operation: Operation): readonly [Resource, Slot] | undefined {
    return this.#places.slotsOf(operation).find(([, slot]) => slot.in === 'parameter' && slot.parameter.in === 'path');
  }

  /** Whether all items of a call exist, as far as the pool knows. */
  isReady(call: Call): boolean {
    return (
      !this.#fresh.isStale(call) &&
      this.references.isReady(call) &&
      this.#places
        .slotsOf(call.operation)
        .every(([, slot]) => this.items.isUsable(call.operation, slotValue(call, slot)))
    );
  }

  /** Whether a parameter has the id of a known item, which is worth more than a value at an edge of its schema. */
  isKnown(operation: Operation, parameter: Parameter): boolean {
    if (this.#values.has(operation, { in: 'parameter', parameter })) return true;
    return this.#places.slotsOf(operation).some(([resource, slot]) => {
      const entry = this.#pick(resource, operation, slot);
      const isOwn = slot.in === 'parameter' && slot.parameter === parameter;
      return entry !== undefined && (isOwn || (parameter.in === 'path' && entry.parents.has(parameter.name)));
    });
  }

  /**
   * Whether a path parameter is the id of an item that a server must know: an item that an operation creates, or an id
   * that only a server assigns, if the server has shown one. In a fixed collection, any name may be valid, and a server
   * that accepts an id of ours may accept all.
   */
  namesItem(operation: Operation, parameter: Parameter): boolean {
    const kind = this.#places.namesItem(operation, parameter);
    return kind === 'created' || (kind === 'assigned' && this.isKnown(operation, parameter));
  }

  /** The member with the id of the item of an operation, if another parameter than this has it in paths. */
  ownIdBeside(operation: Operation, { name }: Parameter): string | undefined {
    const made = this.resources.find(({ create, creators }) => create === operation || creators.includes(operation));
    const own = made ?? this.slotsOf(operation)[0]?.[0];
    return own === undefined || own.parameter === name ? undefined : own.id?.path.at(-1);
  }

  /** Whether an operation on an item shows the id that this parameter takes in a member of another name. */
  hasOtherName(operation: Operation, { name }: Parameter): boolean {
    const own = this.resources.find(
      ({ read, replace, patch, slots }) =>
        [read, replace, patch].includes(operation) && slots.get(operation)?.in === 'parameter',
    );
    const [member, ...deeper] = own?.parameter === name ? (own.id?.path ?? []) : [];
    return member !== undefined && deeper.length === 0 && foldName(member) !== foldName(name);
  }

  /** Returns the same creation with another idempotency key: with the old one, it would create nothing. */
  withFreshKey(call: Call): Call {
    return this.#fresh.withFreshKey(call);
  }

  /**
   * Returns the same creation with values that no other creation of the run has, if the operation requires unique ones.
   */
  withDistinctValues(call: Call): Call {
    return this.withGivenValues(this.#fresh.reserve(call));
  }

  /** The creations of items that an operation requires and that the run does not know. */
  missingCreations(operation: Operation): Operation[] {
    return this.#places.slotsOf(operation).flatMap(([resource, slot]) => {
      const { create } = resource;
      const isKnown =
        !this.#places.isRequired(operation, slot) ||
        this.#values.has(operation, slot) ||
        this.#pick(resource, operation, slot) !== undefined;
      return isKnown || create === undefined || create === operation ? [] : [create];
    });
  }

  /** Whether an operation changes items of a kind that the run has not created. */
  lacksOwnItem(operation: Operation): boolean {
    const slots = this.#places.slotsOf(operation).slice(0, 1);
    return (
      this.#isHarmful(operation) &&
      slots.some(([resource, slot]) => this.#pick(resource, operation, slot) === undefined)
    );
  }

  /** Where a call names items: in its path, where its operation takes or references ids, and where links put them. */
  idPlaces({ operation, parameters }: Call): Slot[] {
    const inPath = [...parameters.keys()].filter(({ in: place }) => place === 'path');
    const linked = this.#links.slotsOf(operation);
    const own = getOrInsert(this.#ownSlots, operation, () =>
      this.resources.flatMap(({ slots, references }) => slots.get(operation) ?? references.get(operation) ?? []),
    );
    const all = [...inPath.map((parameter): Slot => ({ in: 'parameter', parameter })), ...own, ...linked];
    return [...new Map(all.map((slot) => [slot.in === 'body' ? slot.name : slot.parameter, slot])).values()];
  }

  /** Whether the user gave a value for a slot: any, or this one. */
  isGivenByUser(operation: Operation, slot: Slot, value?: unknown): boolean {
    return this.#values.has(operation, slot, value);
  }

  /** Whether a value is one that the user gave for a member of a body. */
  isGivenInBody(value: unknown): boolean {
    return this.#values.hasInBody(value);
  }

  /** Where an operation takes ids, innermost items first. */
  slotsOf(operation: Operation): readonly (readonly [Resource, Slot])[] {
    return this.#places.slotsOf(operation);
  }

  /** Returns the same creation with unused ids. */
  withFreshIds(call: Call): Call {
    return this.#fresh.renew(call);
  }

  /** The members of the body that take ids. */
  bodySlots(operation: Operation): string[] {
    return this.#places.slotsOf(operation).flatMap(([, slot]) => (slot.in === 'body' ? [slot.name] : []));
  }

  /** The operations to send first, so that an item exists for an operation. */
  stepsTo(operation: Operation): Operation[] {
    if (this.attempts.isGivenUp(operation)) return [];
    const missing = this.#places
      .slotsOf(operation)
      .filter(
        ([resource, slot]) =>
          this.#places.isRequired(operation, slot) &&
          !this.#values.has(operation, slot) &&
          this.#pick(resource, operation, slot) === undefined,
      );
    const steps = missing.flatMap(([{ create, list, views }]) => [create ?? list ?? views[0] ?? []].flat());
    const sources = this.#places.sourcesOf(operation);
    const isLed = sources.length === 0 || this.#links.find(operation, this.items) !== undefined;
    return [...new Set([...steps, ...(isLed ? [] : sources)])].filter((one) => one !== operation);
  }

  /** Picks an item for an operation. Items that the run did not create are not changed. */
  #pick(resource: Resource, operation: Operation, slot: Slot): RegisteredItem | undefined {
    const isOwnOnly = this.#isHarmful(operation) && !this.#places.isInside(operation, resource);
    return this.items.pick(resource, operation, slot, isOwnOnly);
  }

  /** Whether an operation may change or delete the item that it is called on. */
  #isHarmful(operation: Operation): boolean {
    if (this.#touchesExisting || operation.method === 'get' || operation.method === 'head') return false;
    return operation.method !== 'post' || !this.roles.isCreation(operation);
  }

  /** If the run has created no item, a harmful operation gets an id that probably no item has. */
  #withHarmlessId(call: Call, resource: Resource, slot: Slot): Call {
    const { operation } = call;
    if (slot.in !== 'parameter' || !this.#isHarmful(operation) || this.#values.has(operation, slot)) return call;
    const value = call.parameters.get(slot.parameter);
    const isKnown = this.items.isFound(value) || this.#isExample(call, slot);
    if (value === undefined || (!isKnown && this.items.isFree(value, [resource]))) return call;
    // A POST may only use the item.
    if (operation.method === 'post' && !isKnown && !isSmall(value)) return call;
    return withSlot(call, slot, unlikelyId(slot.parameter, this.#api));
  }

  /**
   * After a creation that used to work is refused, marks its parents as unusable (their state may forbid children).
   * Returns whether there are any, so that others can be created.
   */
  avoidParents(call: Call, status: number | undefined): boolean {
    const { operation } = call;
    if (![400, 403, 422].includes(status ?? 0) || !this.attempts.hasWorked(operation)) return false;
    const around = this.#places.slotsAround(operation);
    for (const slot of around) this.items.refuse(operation, slotValue(call, slot));
    return around.length > 0;
  }

  /** Whether the run has seen an item of this kind and id. */
  knows(resource: Resource, id: unknown): boolean {
    return isId(id) && this.items.has(resource, id);
  }

  /** Learns from the response to a request. */
  learn(call: Call, exchange: Exchange, isValid: boolean): void {
    const { operation } = call;
    const { status } = exchange;
    this.#fresh.learnSent(call, status);
    if (isSuccess({ status })) {
      this.attempts.noteSuccess(operation);
      this.#learner.learnItems(call, exchange, isValid);
      this.#links.learn(call, exchange);
    } else this.#learner.learnRefusal(call, exchange);
  }

  /** Learns what a request of the second identity, or one with an undocumented method, has made. */
  learnElsewhere(call: Call, exchange: Exchange): void {
    if (isSuccess(exchange)) this.#learner.learnElsewhere(call, exchange);
  }

  /** Whether a value is an example of the spec, which is as good as an id that was found. */
  #isExample(call: Call, slot: Slot): boolean {
    const value = slotValue(call, slot);
    const isRefused = this.items.isRefused(call.operation, value);
    return slot.in === 'parameter' && !isRefused && slot.parameter.examples.some((example) => example.value === value);
  }

  /** Whether a call takes an id at a slot: an omitted optional id stays omitted. */
  #hasPlace(call: Call, slot: Slot): boolean {
    return this.#places.isRequired(call.operation, slot) || slotValue(call, slot) !== undefined;
  }

  #put(call: Call, slot: Slot, value: unknown): Call {
    const filled = withId(call, slot, value);
    this.#given.add(scalarText(slotValue(filled, slot)));
    return filled;
  }
}
