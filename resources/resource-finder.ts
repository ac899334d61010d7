import { getOrInsert } from '../model/maps.js';
import { isSameSchema } from '../schema/facts/members.js';
import type { Api, Operation } from '../model/api.js';
import { analyzeCollection } from './analyze-collection.js';
import { classifyOperation } from './classify-operation.js';
import { type PathGroup, PathGroups, type OperationPlace } from './collections.js';
import type { ResourceCore, ResourceOperation } from './resource.js';

/** An operation with its resource. */
export interface Assignment {
  readonly core: ResourceCore;
  readonly group: PathGroup;
  readonly part: ResourceOperation;
}

const finders = new WeakMap<Api, ResourceFinder>();

/** The finder of an API: what it manages is analysed once, for everything that asks. */
export function finderOf(api: Api): ResourceFinder {
  return getOrInsert(finders, api, () => new ResourceFinder(api));
}

/** Finds the resource of an operation on first use: operations that are never called cost nothing. */
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
    return getOrInsert(this.#cores, group, () => analyzeCollection(group, this.#api));
  }

  /** The role of an operation, and its resource. */
  assign(operation: Operation): Assignment | undefined {
    return getOrInsert(this.#assignments, operation, () => this.#findAssignment(operation));
  }

  /** The operations on the paths of a group itself, and calls below a collection that has none of its own. */
  partsOf(group: PathGroup): readonly Assignment[] {
    return getOrInsert(this.#parts, group, () => {
      const isEmpty = group.collectionOperations.length === 0;
      const calls = isEmpty ? this.#api.operations.filter((one) => isCallBelow(one, group)) : [];
      const operations = [...group.collectionOperations, ...group.itemOperations, ...calls];
      return operations
        .flatMap((operation) => this.assign(operation) ?? [])
        .filter((assignment) => assignment.group === group);
    });
  }

  /** Whether any operation shows the items of a collection. Otherwise the spec's examples are a better source. */
  #isVisible(group: PathGroup, core: ResourceCore): boolean {
    return getOrInsert(this.#visible, group, () =>
      readersOf(group).some(
        ([operation, place]) => classifyOperation(operation, core, { place, api: this.#api }) !== undefined,
      ),
    );
  }

  #findAssignment(operation: Operation): Assignment | undefined {
    const places = this.groups.placesOf(operation);
    const own = places.find(({ kind, group }) => kind === 'own' && group.itemPath !== undefined);
    const ownCore = own && this.coreOf(own.group);
    for (const place of places) {
      const core = this.coreOf(place.group);
      // A POST to a collection below an item makes an item of that collection, and does not change the one around it.
      const isOfOwn = ownCore !== undefined && core !== undefined && !isSameSchema(ownCore.schema, core.schema);
      if (place.kind === 'action' && isOfOwn) continue;
      const part = core === undefined ? undefined : classifyOperation(operation, core, { place, api: this.#api });
      if (core !== undefined && part !== undefined && this.#isVisible(place.group, core))
        return { core, group: place.group, part };
    }
    return undefined;
  }
}

/** The operations of a group that may show its items. */
function readersOf(group: PathGroup): (readonly [Operation, OperationPlace])[] {
  const corrected = [...(group.corrected?.roles ?? [])].flatMap(([operation, role]) =>
    role === 'read' || role === 'list' ? [[operation, { kind: 'corrected', group, role }] as const] : [],
  );
  if (group.verbs !== undefined)
    return [
      ...corrected,
      ...group.verbs.calls
        .filter(({ role }) => role === 'read' || role === 'list')
        .map((call) => [call.operation, { kind: 'verb', group, call }] as const),
    ];
  const inferred = [...group.collectionOperations, ...group.itemOperations]
    .filter((operation) => operation.method === 'get' && group.corrected?.roles.has(operation) !== true)
    .map((operation) => [operation, { kind: 'own', group }] as const);
  return [...corrected, ...inferred];
}

/** Whether an operation is a POST to a word below a collection: `/exports/enqueue`. */
function isCallBelow({ method, path }: Operation, { collectionPath }: PathGroup): boolean {
  const [outer, word] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)];
  return method === 'post' && outer === collectionPath && !word.includes('{');
}
