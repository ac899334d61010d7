import type { Api, Operation } from '../model/api.js';
import { analyzeCollection } from './analyze-collection.js';
import { classifyOperation } from './classify-operation.js';
import { type PathGroup, PathGroups, type Place } from './collections.js';
import type { ResourceCore, ResourceOperation } from './resource.js';

/** An operation with the resource that it is about. */
export interface Assignment {
  readonly core: ResourceCore;
  readonly group: PathGroup;
  readonly part: ResourceOperation;
}

/** Finds what operations are about when it is first asked for: operations that are never called cost nothing. */
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
    const core = analyzeCollection(group, this.#api);
    this.#cores.set(group, core);
    return core;
  }

  /** The role of an operation, and its resource. */
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

  /** Skips collections that no operation shows: there the examples of the spec say more. */
  #isVisible(group: PathGroup, core: ResourceCore): boolean {
    const known = this.#visible.get(group);
    if (known !== undefined) return known;
    const isVisible = readersOf(group).some(
      ([operation, place]) => classifyOperation(operation, core, { place, api: this.#api }) !== undefined,
    );
    this.#visible.set(group, isVisible);
    return isVisible;
  }

  #findAssignment(operation: Operation): Assignment | undefined {
    for (const place of this.groups.placesOf(operation)) {
      const core = this.coreOf(place.group);
      const part = core === undefined ? undefined : classifyOperation(operation, core, { place, api: this.#api });
      if (core !== undefined && part !== undefined && this.#isVisible(place.group, core))
        return { core, group: place.group, part };
    }
    return undefined;
  }
}

/** The operations of a group that may show its items. */
function readersOf(group: PathGroup): (readonly [Operation, Place])[] {
  if (group.verbs !== undefined)
    return group.verbs.calls
      .filter(({ words }) => words.role === 'read' || words.role === 'list')
      .map((call) => [call.operation, { kind: 'verb', group, call }] as const);
  return [...group.collectionOperations, ...group.itemOperations]
    .filter(({ method }) => method === 'get')
    .map((operation) => [operation, { kind: 'own', group }] as const);
}
