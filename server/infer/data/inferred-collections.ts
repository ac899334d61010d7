import type { PathGroup } from '../../../resources/collections.js';
import type { ResourceCore } from '../../../resources/resource.js';
import { parametersOf } from '../../../resources/path-template.js';
import type {
  DataCollection,
  DataCollections,
  PrepareOptions,
  PreparedCollection,
} from '../../data/data-collection.js';
import { InputError } from '../../../model/diagnostics/input-error.js';
import type { IsInferred } from '../fill-from-examples.js';
import type { ResourceStore } from '../resource-store.js';
import { InferredCollection, type CollectionPlace } from './inferred-collection.js';
import { linkItems } from './link-items.js';
import { stringifyExactJson } from '../../../runtime/json-integers.js';

/** A group whose items are inferred state, and what an item is. */
interface KnownGroup {
  readonly group: PathGroup;
  readonly core: ResourceCore;
}

/** The collections that are inferred from a spec, as users name them. */
export class InferredCollections implements DataCollections {
  readonly #state: ResourceStore;
  readonly #isInferred: IsInferred;
  readonly #seed: number;
  #known: readonly KnownGroup[] | undefined;

  constructor(state: ResourceStore, options: { readonly isInferred: IsInferred; readonly seed: number }) {
    this.#state = state;
    this.#isInferred = options.isInferred;
    this.#seed = options.seed;
  }

  find(name: string): DataCollection | undefined {
    const path = segmentsOf(name);
    const place = this.#findPlace(path) ?? this.#findByWord(path);
    return place === undefined ? undefined : this.#open(place);
  }

  names(): readonly string[] {
    return this.#groups().flatMap(({ group: { collectionPath } }) => {
      const word = wordOf(collectionPath);
      return word === undefined ? [collectionPath] : [collectionPath, word];
    });
  }

  all(): readonly DataCollection[] {
    return this.#groups().map((known) => this.#open(known));
  }

  link(
    prepared: readonly PreparedCollection[],
    { idsIn }: Pick<PrepareOptions, 'idsIn'>,
  ): readonly PreparedCollection[] {
    return linkItems(prepared, this.#state, idsIn);
  }

  startWith(collections: readonly DataCollection[]): void {
    this.#state.startWith(collections.flatMap((one) => (one instanceof InferredCollection ? [one.place.group] : [])));
  }

  #open(place: CollectionPlace): InferredCollection {
    return new InferredCollection(place, this.#state, this.#seed);
  }

  /** The groups that at least one operation without a handler shows or changes. */
  #groups(): readonly KnownGroup[] {
    this.#known ??= [...this.#state.finder.groups.groups].flatMap((group) => {
      const core = this.#state.finder.coreOf(group);
      const parts = this.#state.finder.partsOf(group);
      const isOwn = parts.some(({ part }) => this.#isInferred(part.operation));
      if (core === undefined || !(isOwn || this.#state.hooksOf(core) !== undefined)) return [];
      return core.kind === 'singleton' || core.id !== undefined ? [{ group, core }] : [];
    });
    return this.#known;
  }

  /** Finds a collection by its path, with parameters or with the ids of its parents. */
  #findPlace(segments: readonly string[]): CollectionPlace | undefined {
    for (const known of this.#groups()) {
      const template = segmentsOf(known.group.collectionPath);
      if (template.length !== segments.length || segments.length === 0) continue;
      if (template.every((one, index) => one === segments[index])) return known;
      const fits = template.every((one, index) => one.startsWith('{') || one === segments[index]);
      if (!fits) continue;
      const values = template.flatMap((one, index) => (one.startsWith('{') ? [decode(segments[index] ?? '')] : []));
      return { ...known, values };
    }
    return undefined;
  }

  /** Finds a collection by the last word of its path. One without parents comes first. @throws InputError if several fit */
  #findByWord([word, ...more]: readonly string[]): CollectionPlace | undefined {
    if (word === undefined || more.length > 0) return undefined;
    const found = this.#groups().filter(({ group }) => wordOf(group.collectionPath) === word);
    const top = found.filter(({ group }) => parametersOf(group.collectionPath).length === 0);
    const [first, second] = top.length > 0 ? top : found;
    if (first === undefined || second === undefined) return first;
    throw new InputError(
      `Several collections are named ${stringifyExactJson(word)}: write ${first.group.collectionPath} or ${second.group.collectionPath}.`,
    );
  }
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '');
}

/** The last word of a path that is no parameter: `posts` in `/users/{userId}/posts`. */
function wordOf(path: string): string | undefined {
  return segmentsOf(path).findLast((segment) => !segment.startsWith('{'));
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
