import { isId } from '../../../resources/extract-id.js';
import { getOrInsert } from '../../../model/maps.js';
import type { Api, Operation } from '../../../model/api.js';
import type { Resource } from '../../../resources/resource.js';
import { scalarText } from '../../../http/request/write-request.js';
import type { Call } from '../../types.js';
import { type BodyReference, findBodyReferences, placesAt, replaceValues, valuesAt } from './body-references.js';
import { slotValue } from './id-slot.js';
import type { ItemRegistry } from './item-registry.js';

/** Fills the ids in bodies with those of existing items. */
export class ReferenceFiller {
  readonly #api: Api;
  readonly #resources: readonly Resource[];
  readonly #items: ItemRegistry;
  /** Values that the run has put into requests. */
  readonly #given: Set<string>;
  readonly #found = new Map<Operation, readonly BodyReference[]>();
  /** References to collections for which no item could be found or created. */
  readonly #unmet = new Set<BodyReference>();

  constructor(
    api: Api,
    known: {
      readonly resources: readonly Resource[];
      readonly items: ItemRegistry;
      readonly given: Set<string>;
    },
  ) {
    this.#api = api;
    this.#resources = known.resources;
    this.#items = known.items;
    this.#given = known.given;
  }

  /** The references in the body of an operation. */
  of(operation: Operation): readonly BodyReference[] {
    return getOrInsert(this.#found, operation, () => findBodyReferences(operation, this.#resources, this.#api));
  }

  /** Where the body of a call has references. */
  placesIn({ operation, body }: Call): readonly (readonly (string | number)[])[] {
    return this.of(operation).flatMap(({ path }) => placesAt(body?.value, path));
  }

  /** The resources that the id at a place of a body may belong to. */
  kindsAt({ operation, body }: Call, place: readonly (string | number)[]): Resource[] {
    const isHere = (at: readonly (string | number)[]): boolean => at.join('/') === place.join('/');
    return this.of(operation).flatMap(({ path, resource }) =>
      placesAt(body?.value, path).some(isHere) ? [resource] : [],
    );
  }

  /** References that have no item yet, each with the operation to call to get one. */
  missing(operation: Operation): readonly { readonly reference: BodyReference; readonly step: Operation }[] {
    return this.of(operation).flatMap((reference) => {
      const { create, list, views, slots } = reference.resource;
      const step = create ?? list ?? views[0];
      const isOwn = slots.has(operation);
      if (step === undefined || step === operation || isOwn || this.#unmet.has(reference)) return [];
      return this.#hasItem(operation, reference) ? [] : [{ reference, step }];
    });
  }

  /** Whether there is an item for a reference: another one than for the references of the same kind before it. */
  #hasItem(operation: Operation, { resource, path, schema }: BodyReference): boolean {
    const same = this.of(operation).filter((one) => one.resource === resource);
    const taken = new Set<string>();
    const index = same.findIndex((one) => one.path === path);
    for (const one of same.slice(0, index)) {
      const before = this.#items.newest(resource, one.schema, taken);
      if (before !== undefined) taken.add(scalarText(before.id));
    }
    const found = this.#items.newest(resource, schema, taken);
    return found !== undefined && (resource.create === undefined || !taken.has(scalarText(found.id)));
  }

  /** Notes that no item can be found or created for a reference. */
  giveUp(reference: BodyReference): void {
    this.#unmet.add(reference);
  }

  /**
   * Returns the same call with the references in its body replaced by ids of existing items: of different ones, where
   * several references are of one kind, such as the two accounts of a transfer.
   */
  withReferences(call: Call, isWanted: (old: unknown) => boolean): Call {
    const { body } = call;
    if (body === undefined || body.raw !== undefined) return call;
    const references = this.of(call.operation);
    const taken = new Set(
      references.flatMap(({ path }) =>
        valuesAt(body.value, path).flatMap((old) => (isWanted(old) ? [] : scalarText(old))),
      ),
    );
    const value = references.reduce<unknown>((made, { resource, path, schema }) => {
      const entry = this.#items.newest(resource, schema, taken);
      if (entry === undefined || resource.slots.has(call.operation)) return made;
      this.#given.add(scalarText(entry.id));
      taken.add(scalarText(entry.id));
      return replaceValues(made, path, (old) => (isWanted(old) && isId(old) ? entry.id : old));
    }, body.value);
    return value === body.value ? call : { ...call, body: { ...body, value } };
  }

  /** Returns the same call with the references in the body of another call. */
  withReferencesOf(call: Call, from: Call): Call {
    const { body, operation } = call;
    if (body === undefined || from.body === undefined) return call;
    const value = this.of(operation).reduce<unknown>((made, { path }) => {
      const [id] = valuesAt(from.body?.value, path);
      return id === undefined ? made : replaceValues(made, path, (old) => (isId(old) ? id : old));
    }, body.value);
    return { ...call, body: { ...body, value } };
  }

  /** Returns the same call with the id of its path repeated in its body. */
  withOwnId(call: Call): Call {
    const { body, operation } = call;
    if (body === undefined || body.raw !== undefined) return call;
    const value = this.of(operation).reduce<unknown>((made, { resource, path }) => {
      const slot = resource.slots.get(operation);
      const own = slot?.in === 'parameter' ? slotValue(call, slot) : undefined;
      if (own === undefined) return made;
      return replaceValues(made, path, (old) => (typeof old === 'string' ? scalarText(own) : own));
    }, body.value);
    return value === body.value ? call : { ...call, body: { ...body, value } };
  }

  /** Keeps references that the pool did not put there: they may be broken on purpose. */
  keepOwn(made: Call, from: Call): Call {
    if (made.body === undefined || from.body === undefined) return made;
    const value = this.of(from.operation).reduce<unknown>((at, { path }) => {
      const olds = valuesAt(from.body?.value, path);
      let index = -1;
      return replaceValues(at, path, (fresh) => {
        index += 1;
        const old = olds[index];
        return old === undefined || this.#given.has(scalarText(old)) ? fresh : old;
      });
    }, made.body.value);
    return { ...made, body: { ...made.body, value } };
  }

  /** Whether all items that a body names exist, as far as the run knows. */
  isReady({ operation, body }: Call): boolean {
    return this.of(operation).every(({ path }) => valuesAt(body?.value, path).every((id) => !this.#items.isGone(id)));
  }
}
