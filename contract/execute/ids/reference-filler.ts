import { isId } from '../../../resources/extract-id.js';
import { getOrInsert } from '../../../model/maps.js';
import type { Api, Operation } from '../../../model/api.js';
import type { Resource } from '../../../resources/resource.js';
import { scalarText } from '../http/serialize-parameter.js';
import type { Call } from '../../types.js';
import { type BodyReference, findBodyReferences, placesAt, replaceValues, valuesAt } from './body-references.js';
import { slotValue } from './id-slot.js';
import type { ItemRegistry } from './item-registry.js';

/** Fills the ids in bodies with those of items that are there. */
export class ReferenceFiller {
  readonly #api: Api;
  readonly #resources: readonly Resource[];
  readonly #items: ItemRegistry;
  /** Values that the run has put into requests. */
  readonly #given: Set<string>;
  readonly #found = new Map<Operation, readonly BodyReference[]>();
  /** References to collections of which no item could be had. */
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

  /** The ids in the body of an operation. */
  of(operation: Operation): readonly BodyReference[] {
    return getOrInsert(this.#found, operation, () => findBodyReferences(operation, this.#resources, this.#api));
  }

  /** Where the body of a call has them. */
  placesIn({ operation, body }: Call): readonly (readonly (string | number)[])[] {
    return this.of(operation).flatMap(({ path }) => placesAt(body?.value, path));
  }

  /** What the id at a place of the body of a call may be of. */
  kindsAt({ operation, body }: Call, place: readonly (string | number)[]): Resource[] {
    const isHere = (at: readonly (string | number)[]): boolean => at.join('/') === place.join('/');
    return this.of(operation).flatMap(({ path, resource }) =>
      placesAt(body?.value, path).some(isHere) ? [resource] : [],
    );
  }

  /** References for which there is no item, and what to call so that there is one. */
  missing(operation: Operation): readonly { readonly reference: BodyReference; readonly step: Operation }[] {
    return this.of(operation).flatMap((reference) => {
      const { create, list, views, slots } = reference.resource;
      const step = create ?? list ?? views[0];
      const isOwn = slots.has(operation);
      if (step === undefined || step === operation || isOwn || this.#unmet.has(reference)) return [];
      return this.#items.newest(reference.resource, reference.schema) === undefined ? [{ reference, step }] : [];
    });
  }

  /** No item can be had for a reference. */
  giveUp(reference: BodyReference): void {
    this.#unmet.add(reference);
  }

  /** The same call, with ids of items that are there where its body names others. */
  withReferences(call: Call, isWanted: (old: unknown) => boolean): Call {
    const { body } = call;
    if (body === undefined || body.raw !== undefined) return call;
    const value = this.of(call.operation).reduce<unknown>((made, { resource, path, schema }) => {
      const entry = this.#items.newest(resource, schema);
      if (entry === undefined || resource.slots.has(call.operation)) return made;
      this.#given.add(scalarText(entry.id));
      return replaceValues(made, path, (old) => (isWanted(old) && isId(old) ? entry.id : old));
    }, body.value);
    return value === body.value ? call : { ...call, body: { ...body, value } };
  }

  /** The same call, whose body names the items that the body of another call names. */
  withReferencesOf(call: Call, from: Call): Call {
    const { body, operation } = call;
    if (body === undefined || from.body === undefined) return call;
    const value = this.of(operation).reduce<unknown>((made, { path }) => {
      const [id] = valuesAt(from.body?.value, path);
      return id === undefined ? made : replaceValues(made, path, (old) => (isId(old) ? id : old));
    }, body.value);
    return { ...call, body: { ...body, value } };
  }

  /** The same call, whose body repeats the id of its path. */
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

  /** References that the pool did not put there stay: they may be broken on purpose. */
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

  /** Whether all items that the body of a call names are there, as far as one knows. */
  isReady({ operation, body }: Call): boolean {
    return this.of(operation).every(({ path }) => valuesAt(body?.value, path).every((id) => !this.#items.isGone(id)));
  }
}
