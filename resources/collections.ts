import { getOrInsert, groupBy } from '../model/maps.js';
import type { Api, Operation } from '../model/api.js';
import {
  type PathTemplate,
  countTrailingParameters,
  hasMixedSegment,
  joinSegments,
  nounOf,
  parametersIn,
  parseTemplate,
  templateKey,
} from './path-template.js';
import { type CorrectedRoles, correctedRolesOf } from './corrected-roles.js';
import { toSingular, wordsOf } from './inflection.js';
import type { MainRole } from './resource.js';
import type { VerbCall } from './rpc-verbs.js';
import { type VerbGroup, findVerbGroups } from './verb-groups.js';

/** The operations on a collection and on its items. A path that is neither has a group of its own. */
export interface PathGroup {
  readonly key: string;
  readonly collectionPath: string;
  itemPath?: string;
  /** The parameters that the item's path adds to the collection's. */
  itemParameters: readonly string[];
  readonly collectionOperations: Operation[];
  readonly itemOperations: Operation[];
  /** Set for calls by verb (`/api/createcase`), which have a folder and a noun instead of paths. */
  verbs?: VerbGroup;
  /** The operations that a correction gives to the resource, wherever their paths are. */
  corrected?: CorrectedRoles;
  /** Whether only a correction says that the resource exists. */
  readonly isSaid?: boolean;
}

/** A collection that an operation may belong to. */
export type OperationPlace =
  | { readonly kind: 'corrected'; readonly group: PathGroup; readonly role: MainRole }
  | { readonly kind: 'own'; readonly group: PathGroup }
  /** Below an item: `/things/{id}:archive`, `/things/{id}/archive`. */
  | { readonly kind: 'action'; readonly group: PathGroup; readonly verb: string }
  /** Below a collection: `/things/search`. */
  | { readonly kind: 'view'; readonly group: PathGroup }
  | { readonly kind: 'verb'; readonly group: PathGroup; readonly call: VerbCall };

/**
 * Sorts the paths of an API into collections and items. Only compares text, so it is fast for any number of operations.
 */
export class PathGroups {
  readonly #groups = new Map<string, PathGroup>();
  readonly #itemGroups = new Map<string, PathGroup>();
  readonly #parents = new Map<PathGroup, PathGroup | undefined>();
  readonly #corrected = new Map<Operation, OperationPlace>();
  readonly #verbPlaces = new Map<Operation, OperationPlace>();
  readonly #folders = new Map<Operation, PathGroup>();
  /** Collections whose items are elsewhere, by the path of the items without the id. */
  readonly #joined = new Map<string, PathGroup>();
  #children: Map<PathGroup | undefined, PathGroup[]> | undefined;
  readonly #templates: readonly (readonly [Operation, PathTemplate])[];

  constructor(api: Api) {
    this.#templates = api.operations
      .map((operation) => [operation, parseTemplate(operation.path)] as const)
      .filter(([, { segments }]) => !hasMixedSegment(segments));
    const plain = this.#templates.filter(([, { verb }]) => verb === undefined);
    const readable = new Set(
      plain
        .filter(([{ method }]) => method === 'get' || method === 'post')
        .map(([, { segments }]) => templateKey(segments)),
    );
    const claimed = this.#claimCollections(readable);
    for (const [operation, { segments, path }] of plain) {
      const tail = isCollection(segments, { claimed, readable }) ? 0 : countTail(segments, readable);
      if (tail === 0) this.#groupAt(segments).collectionOperations.push(operation);
      else this.#addItem(operation, { segments, path, tail });
    }
    this.#joinSiblings();
    for (const verbs of findVerbGroups(api)) this.#addVerbs(verbs);
    for (const corrected of correctedRolesOf(api)) this.#addCorrected(corrected);
  }

  get groups(): Iterable<PathGroup> {
    return this.#groups.values();
  }

  /** The collections that an operation may belong to, likeliest first. */
  placesOf(operation: Operation): OperationPlace[] {
    const corrected = this.#corrected.get(operation);
    if (corrected !== undefined) return [corrected];
    const { segments, verb } = parseTemplate(operation.path);
    if (hasMixedSegment(segments)) return [];
    const key = templateKey(segments);
    if (verb !== undefined) return toPlaces(this.#itemGroups.get(key), (group) => ({ kind: 'action', group, verb }));
    const outer = templateKey(segments.slice(0, -1));
    const item = this.#itemGroups.get(key);
    if (item !== undefined) return [{ kind: 'own', group: item }];
    const own = this.#groups.get(key) ?? this.#joined.get(key);
    const isCollection = own?.itemPath !== undefined;
    return [
      ...toPlaces(isCollection ? own : undefined, (group) => ({ kind: 'own', group })),
      ...toPlaces(this.#itemGroups.get(outer), (group) => ({ kind: 'action', group, verb: segments.at(-1) ?? '' })),
      ...toPlaces(this.#groups.get(outer) ?? this.#joined.get(outer), (group) => ({ kind: 'view', group })),
      ...(this.#verbPlaces.has(operation) ? [this.#verbPlaces.get(operation) as OperationPlace] : []),
      ...toPlaces(isCollection ? undefined : own, (group) => ({ kind: 'own', group })),
    ];
  }

  /** The group for whose items a call by word is that has no role: `/documents.move` beside `/documents.create`. */
  folderOf(operation: Operation): PathGroup | undefined {
    return this.#folders.get(operation);
  }

  /** The nearest group whose item is at or above the path of an operation. */
  itemAround(operation: Operation): PathGroup | undefined {
    const { segments } = parseTemplate(operation.path);
    for (let length = segments.length; length > 0; length -= 1) {
      const found = this.#itemGroups.get(templateKey(segments.slice(0, length)));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The nearest group whose item contains a collection. */
  parentOf(group: PathGroup): PathGroup | undefined {
    return getOrInsert(this.#parents, group, () => this.#findParent(group));
  }

  #findParent(group: PathGroup): PathGroup | undefined {
    const { segments } = parseTemplate(group.collectionPath);
    for (let length = segments.length; length > 0; length -= 1) {
      const found = this.#itemGroups.get(templateKey(segments.slice(0, length)));
      if (found !== undefined && found !== group) return found;
    }
    return undefined;
  }

  /** The collections directly below the item of a group. */
  childrenOf(parent: PathGroup): readonly PathGroup[] {
    this.#children ??= groupBy(this.#groups.values(), (group) => this.parentOf(group));
    return this.#children.get(parent) ?? [];
  }

  /** The keys of item paths without the parameters that name the item. */
  #claimCollections(readable: ReadonlySet<string>): ReadonlySet<string> {
    const claimed = this.#templates.flatMap(([, { segments }]) => {
      const tail = countTail(segments, readable);
      return tail > 0 ? [templateKey(segments.slice(0, -tail))] : [];
    });
    return new Set(claimed);
  }

  /** Joins a collection with its items on a path of their own: `/silences` and `/silence/{id}`. */
  #joinSiblings(): void {
    const plurals = new Map(
      [...this.#groups.values()]
        .filter(({ itemPath, collectionPath }) => itemPath === undefined && toItemKey(collectionPath) !== undefined)
        .map((group) => [toItemKey(group.collectionPath), group] as const),
    );
    for (const [key, items] of plurals.size === 0 ? [] : [...this.#groups]) {
      const collection = items.itemPath === undefined ? undefined : plurals.get(key.toLowerCase());
      if (collection === undefined || items.collectionOperations.some(({ method }) => method === 'get')) continue;
      collection.collectionOperations.push(...items.collectionOperations);
      collection.itemOperations.push(...items.itemOperations);
      collection.itemParameters = items.itemParameters;
      if (items.itemPath !== undefined) collection.itemPath = items.itemPath;
      this.#groups.delete(key);
      this.#joined.set(key, collection);
      for (const [itemKey, group] of this.#itemGroups) if (group === items) this.#itemGroups.set(itemKey, collection);
    }
  }

  #addVerbs(verbs: VerbGroup): void {
    const operations = verbs.calls.map(({ operation }) => operation);
    const group: PathGroup = {
      key: `verbs ${verbs.name}`,
      collectionPath: verbs.path,
      itemParameters: [],
      collectionOperations: operations,
      itemOperations: [],
      verbs,
    };
    this.#groups.set(group.key, group);
    for (const call of verbs.calls) this.#verbPlaces.set(call.operation, { kind: 'verb', group, call });
    for (const operation of verbs.others) this.#folders.set(operation, group);
  }

  /** Moves the operations of a correction from the groups of their paths to that of the correction. */
  #addCorrected(corrected: CorrectedRoles): void {
    for (const operation of corrected.roles.keys()) this.#remove(operation);
    const group = this.#groupOf(corrected.path);
    group.corrected = corrected;
    for (const [operation, role] of corrected.roles) {
      this.#corrected.set(operation, { kind: 'corrected', group, role });
      const { segments } = parseTemplate(operation.path);
      const isItem = isItemPath(operation, { group, role });
      const itemKey = templateKey(segments);
      if (isItem && group.itemPath === undefined) this.#moveItems(segments, group);
      const isOwnItem = isItem && this.#itemGroups.get(itemKey) === group;
      (isOwnItem ? group.itemOperations : group.collectionOperations).push(operation);
    }
  }

  /** Makes a path that of the items of a group, with the other operations on it. */
  #moveItems(segments: readonly string[], group: PathGroup): void {
    const key = templateKey(segments);
    const others = [...(this.#itemGroups.get(key)?.itemOperations ?? [])];
    for (const operation of others) this.#remove(operation);
    group.itemOperations.push(...others);
    group.itemPath = joinSegments(segments);
    group.itemParameters = parametersIn(segments.slice(-1));
    this.#itemGroups.set(key, group);
  }

  /** Removes an operation from all groups, and groups that have no other. */
  #remove(operation: Operation): void {
    for (const [key, group] of this.#groups) {
      const lists = [group.collectionOperations, group.itemOperations];
      const list = lists.find((one) => one.includes(operation));
      list?.splice(list.indexOf(operation), 1);
      if (list !== undefined && group.verbs !== undefined) group.verbs = withoutCall(group.verbs, operation);
      if (list === undefined || lists.some((one) => one.length > 0)) continue;
      this.#groups.delete(key);
      for (const [itemKey, one] of this.#itemGroups) if (one === group) this.#itemGroups.delete(itemKey);
    }
  }

  /** The group of a correction, by its path or the folder and noun of its calls. */
  #groupOf(path: string): PathGroup {
    const collectionPath = path.startsWith('/') ? path : `/${path}`;
    const known = [...this.#groups.values()].find((group) =>
      [group.collectionPath, group.verbs?.path].includes(collectionPath),
    );
    if (known !== undefined) return known;
    const key = `corrected ${collectionPath}`;
    const made = {
      key,
      collectionPath,
      itemParameters: [],
      collectionOperations: [],
      itemOperations: [],
      isSaid: true,
    };
    this.#groups.set(key, made);
    return made;
  }

  #groupAt(segments: readonly string[]): PathGroup {
    const key = templateKey(segments);
    return getOrInsert(this.#groups, key, () => ({
      key,
      collectionPath: joinSegments(segments),
      itemParameters: [],
      collectionOperations: [],
      itemOperations: [],
    }));
  }

  #addItem(
    operation: Operation,
    { segments, path, tail }: { readonly segments: readonly string[]; readonly path: string; readonly tail: number },
  ): void {
    const group = this.#groupAt(segments.slice(0, -tail));
    const itemKey = templateKey(segments);
    if (group.itemPath !== undefined && templateKey(parseTemplate(group.itemPath).segments) !== itemKey) return;
    group.itemPath ??= path;
    group.itemParameters = parametersIn(segments.slice(-tail));
    group.itemOperations.push(operation);
    this.#itemGroups.set(itemKey, group);
  }
}

/**
 * Finds the collection that has the same items at another path: its last word and the parameter of its items are equal,
 * as in `/download/reports/{report_id}` and `/reports/{report_id}`. A parameter of one word, such as `id`, says too
 * little.
 */
export function findTwin(group: PathGroup, groups: Iterable<PathGroup>): PathGroup | undefined {
  const [parameter = '', ...others] = group.itemParameters;
  if (others.length > 0 || wordsOf(parameter).length < 2) return undefined;
  const word = nounOf(group);
  return [...groups].find(
    (one) =>
      one !== group &&
      one.itemParameters.length === 1 &&
      one.itemParameters[0] === parameter &&
      !one.collectionPath.includes('{') &&
      nounOf(one) === word,
  );
}

/** The key of a collection with its last word in the singular; `undefined` if it is the same, or a parameter. */
function toItemKey(collectionPath: string): string | undefined {
  const { segments } = parseTemplate(collectionPath);
  const last = segments.at(-1) ?? '';
  const singular = toSingular(last);
  if (singular === last || last.includes('{')) return undefined;
  return templateKey([...segments.slice(0, -1), singular]).toLowerCase();
}

/** Whether an operation that takes an id is on the path of an item: it has one parameter more than the collection. */
function isItemPath(
  { path }: Operation,
  { group, role }: { readonly group: PathGroup; readonly role: MainRole },
): boolean {
  const { segments, verb } = parseTemplate(path);
  const isOnItem = role !== 'create' && role !== 'list' && verb === undefined && !hasMixedSegment(segments);
  const outer = parametersIn(parseTemplate(group.collectionPath).segments).length;
  return isOnItem && countTrailingParameters(segments) === 1 && parametersIn(segments).length === outer + 1;
}

function withoutCall(verbs: VerbGroup, operation: Operation): VerbGroup {
  const calls = verbs.calls.filter((call) => call.operation !== operation);
  return { ...verbs, calls, creators: verbs.creators.filter((one) => one !== operation) };
}

function toPlaces(group: PathGroup | undefined, make: (group: PathGroup) => OperationPlace): OperationPlace[] {
  return group === undefined ? [] : [make(group)];
}

/**
 * How many parameters at the end of a path name an item: those after the nearest path that can be listed or posted to,
 * else one.
 */
function countTail(segments: readonly string[], readable: ReadonlySet<string>): number {
  const trailing = countTrailingParameters(segments);
  for (let tail = 1; tail <= trailing; tail += 1) {
    if (readable.has(templateKey(segments.slice(0, -tail)))) return tail;
  }
  return Math.min(trailing, 1);
}

interface KnownPaths {
  readonly claimed: ReadonlySet<string>;
  readonly readable: ReadonlySet<string>;
}

/**
 * Whether a path that ends in a parameter is a collection: it has items and is not an item itself, such as
 * `/api/{entity}`.
 */
function isCollection(segments: readonly string[], { claimed, readable }: KnownPaths): boolean {
  const isClaimed = claimed.has(templateKey(segments)) && readable.has(templateKey(segments));
  return isClaimed && !readable.has(templateKey(segments.slice(0, -1)));
}
