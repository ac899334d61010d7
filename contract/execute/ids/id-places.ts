import { getOrInsert } from '../../../model/maps.js';
import type { Resource, Slot } from '../../../resources/resource.js';
import type { Api, Operation, Parameter } from '../../../model/api.js';
import { parseTemplate, templateKey } from '../../../resources/path-template.js';
import { linkSources } from './openapi-links.js';
import { requiredMembers } from '../../../schema/facts/members.js';

/**
 * Finds where operations take ids, and which operations provide them. Cached, since it depends on the spec alone and is
 * needed for every request.
 */
export class IdPlaces {
  readonly #api: Api;
  readonly #operations: readonly Operation[];
  readonly #resources: readonly Resource[];
  readonly #slots = new Map<Operation, readonly (readonly [Resource, Slot])[]>();
  readonly #sources = new Map<Operation, readonly Operation[]>();
  readonly #required = new Map<Operation, ReadonlySet<string>>();

  constructor(api: Api, operations: readonly Operation[], resources: readonly Resource[]) {
    this.#api = api;
    this.#operations = operations;
    this.#resources = resources;
  }

  /** Where an operation takes ids, innermost items first: they decide about the items around them. */
  slotsOf(operation: Operation): readonly (readonly [Resource, Slot])[] {
    return getOrInsert(this.#slots, operation, () =>
      this.#resources
        .flatMap((resource) => {
          const slot = resource.slots.get(operation);
          return slot === undefined ? [] : [[resource, slot] as const];
        })
        .sort(([one], [other]) => other.name.length - one.name.length),
    );
  }

  /** Whether a path parameter is the id of an item: of one that an operation creates, or one that only a server assigns. */
  namesItem(operation: Operation, parameter: Parameter): 'created' | 'assigned' | undefined {
    const own = this.slotsOf(operation).find(([, slot]) => slot.in === 'parameter' && slot.parameter === parameter);
    if (own === undefined) return undefined;
    if (own[0].create !== undefined || own[0].creators.length > 0) return 'created';
    const { schema } = parameter;
    const isCounted = typeof schema === 'object' && (schema.type === 'integer' || schema.format === 'uuid');
    return isCounted ? 'assigned' : undefined;
  }

  /** Parameters with parent ids, for parents that the run can create. */
  slotsAround(operation: Operation): readonly Slot[] {
    return this.slotsOf(operation).flatMap(([{ create }, slot]) =>
      create !== undefined && create !== operation && slot.in === 'parameter' ? [slot] : [],
    );
  }

  /** The operations whose responses have a link to this one. */
  sourcesOf(operation: Operation): readonly Operation[] {
    return getOrInsert(this.#sources, operation, () => linkSources(operation, this.#operations));
  }

  /**
   * Whether an operation is about something inside an item that the run cannot create, such as the settings of a
   * workspace. It does not change the item itself.
   */
  isInside({ path }: Operation, { name, create, creators }: Resource): boolean {
    if (create !== undefined || creators.length > 0) return false;
    const outer = parseTemplate(name).segments;
    const inner = parseTemplate(path).segments;
    const collection = templateKey(inner.slice(0, outer.length + 1));
    if (inner.length <= outer.length || templateKey(inner.slice(0, outer.length)) !== templateKey(outer)) return false;
    return this.#resources.some((one) =>
      `${templateKey(parseTemplate(one.name).segments)}/`.startsWith(`${collection}/`),
    );
  }

  /** Whether an operation requires an id. */
  isRequired(operation: Operation, slot: Slot): boolean {
    if (slot.in === 'parameter') return slot.parameter.required;
    const { method, path, body } = operation;
    // Nothing else names the item.
    if (['put', 'patch'].includes(method) && !path.includes('{')) return true;
    const schema = body?.content[0]?.schema ?? true;
    return getOrInsert(this.#required, operation, () => requiredMembers(schema, this.#api)).has(slot.name);
  }
}
