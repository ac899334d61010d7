import type { Api, Operation } from '../model/api.js';
import { type ResourceCore, analyseGroup } from './analyze-collection.js';
import { assignRole } from './classify-operation.js';
import { groupBy } from './group-by.js';
import { type PathGroup, PathGroups } from './collections.js';
import type { Resource, ResourceOperation } from './resource.js';

/** An operation with the thing that it is about. */
export interface Assignment {
  readonly core: ResourceCore;
  readonly group: PathGroup;
  readonly part: ResourceOperation;
}

/**
 * What operations are about, found out when it is first asked for: nothing is done for the operations that nobody calls.
 */
export class ResourceFinder {
  readonly #api: Api;
  readonly #cores = new Map<PathGroup, ResourceCore | undefined>();
  readonly #assignments = new Map<Operation, Assignment | undefined>();
  readonly #parts = new Map<PathGroup, readonly Assignment[]>();
  readonly #visible = new Map<PathGroup, boolean>();
  #groups: PathGroups | undefined;

  constructor(api: Api) {
    this.#api = api;
  }

  get groups(): PathGroups {
    this.#groups ??= new PathGroups(this.#api);
    return this.#groups;
  }

  coreOf(group: PathGroup): ResourceCore | undefined {
    if (this.#cores.has(group)) return this.#cores.get(group);
    const core = analyseGroup(group, this.#api);
    this.#cores.set(group, core);
    return core;
  }

  /** What an operation does with which resource. */
  assign(operation: Operation): Assignment | undefined {
    if (this.#assignments.has(operation)) return this.#assignments.get(operation);
    const assignment = this.#findAssignment(operation);
    this.#assignments.set(operation, assignment);
    return assignment;
  }

  /** The operations on the paths of a group itself. */
  partsOf(group: PathGroup): readonly Assignment[] {
    const known = this.#parts.get(group);
    if (known !== undefined) return known;
    const operations = [...group.collectionOperations, ...group.itemOperations];
    const parts = operations
      .flatMap((operation) => this.assign(operation) ?? [])
      .filter((assignment) => assignment.group === group);
    this.#parts.set(group, parts);
    return parts;
  }

  /** State that no operation shows is none: then the examples of the spec say more. */
  #isVisible(group: PathGroup, core: ResourceCore): boolean {
    const known = this.#visible.get(group);
    if (known !== undefined) return known;
    const operations = [...group.collectionOperations, ...group.itemOperations].filter(
      ({ method }) => method === 'get',
    );
    const isVisible = operations.some(
      (operation) => assignRole(operation, core, { place: { kind: 'own', group }, api: this.#api }) !== undefined,
    );
    this.#visible.set(group, isVisible);
    return isVisible;
  }

  #findAssignment(operation: Operation): Assignment | undefined {
    for (const place of this.groups.placesOf(operation)) {
      const core = this.coreOf(place.group);
      const part = core === undefined ? undefined : assignRole(operation, core, { place, api: this.#api });
      if (core !== undefined && part !== undefined && this.#isVisible(place.group, core))
        return { core, group: place.group, part };
    }
    return undefined;
  }
}

/**
 * The resources of an API with their operations, in the order of the document. Operations that are about none are in none.
 *
 * @example
 * inferResources(api)[0]; // { collectionPath: '/pets', itemPath: '/pets/{petId}', id: { path: ['id'], … }, operations: [{ role: 'list', … }, …] }
 */
export function inferResources(api: Api): Resource[] {
  const finder = new ResourceFinder(api);
  const found = api.operations.flatMap((operation) => finder.assign(operation) ?? []);
  const byGroup = groupBy(found, ({ group }) => group);
  return [...byGroup.values()].flatMap((assignments) => {
    const [first] = assignments;
    return first === undefined ? [] : [{ ...first.core, operations: assignments.map(({ part }) => part) }];
  });
}
