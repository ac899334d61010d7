import { getOrInsert } from '../../model/maps.js';
import { type ExampleItem, collectExampleItems } from './example-items.js';
import { DATA, EXAMPLES } from '../sandbox/reserved-collections.js';
import type { Api } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';
import { refName } from '../../model/schema-types.js';
import type { ResourceCore } from '../../resources/resource.js';
import type { HandlerContext } from '../handler-api.js';
import type { MockDefinition } from '../mock-definition.js';
import type { ResourceHooks } from '../resource-hooks.js';
import { hasText } from './conditions.js';
import { endingsOf, isOver, isOverBy } from './expiry.js';
import type { Assignment, ResourceFinder } from '../../resources/resource-finder.js';
import { type Item, seedFrom } from './json-path.js';
import { correctionsOf } from '../../resources/corrections.js';
import { SINGLETON_KEY, joinKey, splitKey } from './item-key.js';
import type { PathGroup } from '../../resources/collections.js';
import { fillTemplate, parametersOf } from '../../resources/path-template.js';
import { documents } from '../../resources/success-response.js';
import { sampleValue } from '../../schema/sample-value.js';
import { GeneratedItems } from './generated-items.js';
import { isChangedOnly, leastShown, MADE_UP } from './least-shown.js';

interface FilledCollection {
  readonly name: string;
  readonly values: readonly string[];
}

/** The options of inference. */
export interface InferOptions {
  readonly hooks?: MockDefinition['resources'];
  readonly generate?: {
    /** The number of items that each collection starts with, including examples. */
    readonly count: number;
    readonly seed: number;
  };
}

/** The collections of inferred resources and their initial items. */
export class ResourceStore {
  readonly api: Api;
  readonly finder: ResourceFinder;
  readonly #generated: GeneratedItems;
  /** The number of items that the user wants each collection to start with. */
  readonly #wanted: number;
  readonly #hooks: NonNullable<MockDefinition['resources']>;
  readonly #hooksOf = new Map<ResourceCore, ResourceHooks<Item> | undefined>();
  readonly #examples = new Map<PathGroup, readonly ExampleItem[]>();
  readonly #shown = new Map<PathGroup, readonly string[]>();
  readonly #memberChildren = new Map<PathGroup, readonly PathGroup[]>();
  readonly #counts = new Map<PathGroup, number>();
  #given: ReadonlySet<PathGroup> = new Set();

  constructor(api: Api, finder: ResourceFinder, { hooks = {}, generate }: InferOptions) {
    this.api = api;
    this.#hooks = hooks;
    this.#wanted = generate?.count ?? 0;
    this.#generated = new GeneratedItems(api, finder, {
      seed: generate?.seed ?? 1,
      countOf: (group) => this.#countOf(group),
      shownKeys: (group) => this.shownKeys(group),
    });
    this.finder = finder;
  }

  /** Notes that every sandbox starts with given items of these groups. */
  startWith(groups: Iterable<PathGroup>): void {
    this.#given = new Set(groups);
  }

  /**
   * Whether the items of a group come from state: it has hooks, operations that write, examples, generated items or
   * start data.
   */
  isStateful(group: PathGroup): boolean {
    const core = this.finder.coreOf(group);
    return (
      core !== undefined &&
      (core.kind === 'singleton' ||
        this.#given.has(group) ||
        this.hooksOf(core) !== undefined ||
        this.#wanted > 0 ||
        this.isCreatable(group) ||
        this.#startsMadeUp(group) ||
        this.exampleItemsOf(group).length > 0)
    );
  }

  isCreatable(group: PathGroup): boolean {
    return this.finder
      .partsOf(group)
      .some(
        ({ part }) =>
          part.role === 'create' ||
          part.role === 'createMany' ||
          (part.role === 'replace' && documents(part.operation, 201)),
      );
  }

  #startsMadeUp(group: PathGroup): boolean {
    const hasOwn = this.isCreatable(group) || this.exampleItemsOf(group).length > 0;
    return !hasOwn && isChangedOnly(this.finder.coreOf(group), this.finder.partsOf(group));
  }

  /** Returns the hooks of a resource, by the schema name of its items. */
  hooksOf(core: ResourceCore): ResourceHooks<Item> | undefined {
    if (!this.#hooksOf.has(core)) this.#hooksOf.set(core, this.#findHooks(core));
    return this.#hooksOf.get(core);
  }

  #findHooks({ schema }: ResourceCore): ResourceHooks<Item> | undefined {
    const name = typeof schema === 'object' && schema.$ref !== undefined ? refName(schema.$ref) : undefined;
    const known = name === undefined ? undefined : this.api.schemas.get(name);
    const key = [name, known?.originalName].find((one) => one !== undefined && Object.hasOwn(this.#hooks, one));
    return key === undefined ? undefined : (this.#hooks[key] as ResourceHooks<Item> | undefined);
  }

  /** Whether the state of every sandbox has all items of a group, so that no others exist. */
  hasAllItems(group: PathGroup): boolean {
    const core = this.finder.coreOf(group);
    const hasHooks = core !== undefined && this.hooksOf(core) !== undefined;
    return (
      this.isCreatable(group) ||
      this.#startsMadeUp(group) ||
      ((hasHooks || this.#wanted > 0 || this.#given.has(group)) && this.isStateful(group))
    );
  }

  /** Like {@link hasAllItems}, but also true for a sandbox that was given the items of the group. */
  async knowsAllItems(context: HandlerContext, group: PathGroup): Promise<boolean> {
    return this.hasAllItems(group) || this.wasGiven(context, group);
  }

  /** Whether a sandbox was given items of a group, by a file or by the control API. */
  async wasGiven(context: HandlerContext, group: PathGroup): Promise<boolean> {
    return (await context.collection<true>(DATA).get(group.collectionPath)) === true;
  }

  /** Notes that a sandbox was given the items of a collection, which therefore does not start with examples. */
  async markGiven(context: HandlerContext, group: PathGroup, name: string): Promise<void> {
    await context.collection<true>(DATA).put(group.collectionPath, true);
    await context.collection<true>(EXAMPLES).put(name, true);
  }

  /** Returns the ids of the parents of each collection of a group that the state has: of all existing parents. */
  async placesOf(context: HandlerContext, group: PathGroup): Promise<readonly (readonly string[])[]> {
    const names = parametersOf(group.collectionPath);
    if (names.length === 0) return [[]];
    const parent = this.finder.groups.parentOf(group);
    if (parent === undefined) return [];
    const places: (readonly string[])[] = [];
    for (const values of await this.placesOf(context, parent)) {
      await this.fill(context, parent, values);
      const { items } = await context.collection(fillTemplate(parent.collectionPath, values)).query();
      places.push(...items.map(({ id }) => [...values, ...splitKey(id, this.finder.coreOf(parent))]));
    }
    return places.filter((values) => values.length === names.length);
  }

  exampleItemsOf(group: PathGroup): readonly ExampleItem[] {
    return getOrInsert(this.#examples, group, () => {
      const core = this.finder.coreOf(group);
      const roles = core === undefined ? undefined : this.hooksOf(core)?.examples;
      return collectExampleItems(this.finder.partsOf(group), this.api, roles);
    });
  }

  /** Returns the keys of the examples. */
  shownKeys(group: PathGroup): readonly string[] {
    return getOrInsert(this.#shown, group, () => this.exampleItemsOf(group).map(({ key }) => key));
  }

  /** Returns how many items a collection starts with: as many as wanted, and as many as its lists must show. */
  #countOf(group: PathGroup): number {
    return getOrInsert(this.#counts, group, () => {
      const core = this.finder.coreOf(group);
      // Hooks decide themselves what there is.
      const isPlain = core !== undefined && this.hooksOf(core) === undefined;
      const least = isPlain ? leastShown(this.finder.partsOf(group), this.api) : 0;
      return Math.max(this.#wanted, least, isPlain && this.#startsMadeUp(group) ? MADE_UP : 0);
    });
  }

  /** Adds the examples of a collection and removes its expired items. Returns `undefined` if it is ready. */
  prepare(context: HandlerContext, group: PathGroup, values: readonly string[]): Promise<void> | undefined {
    const filling = this.fill(context, group, values);
    const core = this.finder.coreOf(group);
    const endings = core === undefined ? [] : endingsOf(core.schema, this.api);
    if (endings.length === 0) return filling;
    const drop = (): Promise<void> => this.#dropExpired(context, group, { values, endings });
    return filling === undefined ? drop() : filling.then(drop);
  }

  /** Removes expired items, except those from examples, whose times are mostly long past. */
  async #dropExpired(
    context: HandlerContext,
    group: PathGroup,
    { values, endings }: { readonly values: readonly string[]; readonly endings: ReturnType<typeof endingsOf> },
  ): Promise<void> {
    const collection = context.collection<Item>(fillTemplate(group.collectionPath, values));
    const now = context.clock.now();
    const shown = new Set(this.shownKeys(group));
    const { items } = await collection.query({ match: [isOverBy(endings, now)] });
    const isSingle = this.finder.coreOf(group)?.kind === 'singleton';
    for (const { id } of items.filter((item) => !shown.has(item.id))) {
      // Checks again, because another call may have extended the item.
      const left = await collection.update(id, (item) =>
        item === undefined || isOver(item, endings, now) ? undefined : item,
      );
      if (left === undefined)
        await this.deleteChildren(
          context,
          group,
          isSingle ? values : [...values, ...splitKey(id, this.finder.coreOf(group))],
        );
    }
  }

  /** Fills a collection with its examples before its first use. */
  fill(context: HandlerContext, group: PathGroup, values: readonly string[]): Promise<void> | undefined {
    const isEmpty = this.#countOf(group) === 0 && this.exampleItemsOf(group).length === 0;
    if (this.finder.coreOf(group)?.kind !== 'singleton' && isEmpty) return undefined;
    const name = fillTemplate(group.collectionPath, values);
    return context
      .collection<true>(EXAMPLES)
      .get(name)
      .then((isFilled) => (isFilled === true ? undefined : this.#fillFirst(context, group, { name, values })));
  }

  async #fillFirst(context: HandlerContext, group: PathGroup, { name, values }: FilledCollection): Promise<void> {
    const filled = context.collection<true>(EXAMPLES);
    // Concurrent requests wait for the one that fills: none may see a partial collection, or restore a deleted item.
    // They check again, because it may have filled the collection of another account.
    while ((await filled.get(name)) !== true) {
      const running = context.memory<Map<string, Promise<void>>>(EXAMPLES, () => new Map());
      const other = running.get(name);
      if (other === undefined) await this.#fillAlone(context, group, { name, values, running });
      else await other;
    }
  }

  async #fillAlone(
    context: HandlerContext,
    group: PathGroup,
    { name, values, running }: FilledCollection & { readonly running: Map<string, Promise<void>> },
  ): Promise<void> {
    const work = this.#fillOnce(context, group, { name, values });
    running.set(name, work);
    try {
      await work;
    } finally {
      running.delete(name);
    }
  }

  async #fillOnce(context: HandlerContext, group: PathGroup, { name, values }: FilledCollection): Promise<void> {
    const collection = context.collection<Item>(name);
    for (const { key, item } of this.#startOf(group, { name, values }))
      await collection.update(key, (known) => known ?? item);
    await context.collection<true>(EXAMPLES).put(name, true);
  }

  #startOf(group: PathGroup, { name, values }: FilledCollection): readonly Pick<ExampleItem, 'key' | 'item'>[] {
    const core = this.finder.coreOf(group);
    const examples = this.exampleItemsOf(group).filter((example) => this.#belongs(example, group, values));
    if (core?.kind !== 'singleton') {
      const parents = new Map(parametersOf(group.collectionPath).map((one, index) => [one, values[index] ?? '']));
      return [...examples, ...this.#generated.itemsOf(group, name, parents)];
    }
    const [example] = examples;
    if (example !== undefined) return [example];
    const canBeAbsent = this.finder.partsOf(group).some(({ part }) => part.role === 'delete');
    if (canBeAbsent) return [];
    const sample = sampleValue(this.api, core.schema, seedFrom(name))?.value;
    return isRecord(sample) ? [{ key: SINGLETON_KEY, item: sample }] : [];
  }

  /** Whether an example belongs to the collection with these path values. */
  hasExamples(group: PathGroup, values: readonly string[]): boolean {
    return this.exampleItemsOf(group).some((example) => this.#belongs(example, group, values));
  }

  /** An example belongs to the parent that its members name, else to the first parent, else to every collection. */
  #belongs(example: ExampleItem, group: PathGroup, values: readonly string[]): boolean {
    const names = parametersOf(group.collectionPath);
    if (
      !names.every(
        (name, index) => example.parents.get(name) === undefined || example.parents.get(name) === values[index],
      )
    )
      return false;
    const parent = this.finder.groups.parentOf(group);
    if (parent === undefined || !this.isCreatable(parent)) return true;
    const index = parametersOf(parent.collectionPath).length;
    if (example.parents.has(names[index] ?? '')) return true;
    return this.exampleItemsOf(parent)[0]?.key === values[index];
  }

  /** Whether the parent of a collection exists. Always true if the state does not have all parents. */
  hasParents(
    context: HandlerContext,
    { group }: Pick<Assignment, 'group'>,
    values: readonly string[],
  ): boolean | Promise<boolean> {
    const parent = this.finder.groups.parentOf(group);
    const core = parent === undefined ? undefined : this.finder.coreOf(parent);
    if (parent === undefined || core?.id === undefined) return true;
    if (this.hasAllItems(parent)) return this.hasItem(context, parent, values);
    return this.wasGiven(context, parent).then((isGiven) => !isGiven || this.hasItem(context, parent, values));
  }

  /** Whether the parent item that the first path values name exists. */
  async hasItem(context: HandlerContext, parent: PathGroup, values: readonly string[]): Promise<boolean> {
    const count = parametersOf(parent.collectionPath).length;
    await this.prepare(context, parent, values.slice(0, count));
    const end = count + 1 + (this.finder.coreOf(parent)?.outerIds?.length ?? 0);
    const key = joinKey(values.slice(count, end));
    return (
      key !== '' &&
      values.length >= end &&
      this.#isPresent(
        await context.collection<Item>(fillTemplate(parent.collectionPath, values)).get(key),
        parent,
        context,
      )
    );
  }

  #isPresent(item: Item | undefined, group: PathGroup, context: HandlerContext): boolean {
    const core = this.finder.coreOf(group);
    const hooks = core === undefined ? undefined : this.hooksOf(core);
    return item !== undefined && hooks?.isPresent?.(item, context) !== false;
  }

  /** Deletes the collections of a deleted item, so that a new item with its id does not get them. */
  async deleteChildren(context: HandlerContext, group: PathGroup, values: readonly string[]): Promise<void> {
    await this.#deleteMembers(context, group, values);
    for (const child of this.finder.groups.childrenOf(group)) {
      const count = parametersOf(child.collectionPath).length;
      if (count !== values.length) continue;
      const name = fillTemplate(child.collectionPath, values);
      const collection = context.collection<Item>(name);
      for (const { id } of (await collection.query()).items) {
        await collection.delete(id);
        await this.deleteChildren(context, child, [...values, ...splitKey(id, this.finder.coreOf(child))]);
      }
      if (this.exampleItemsOf(child).length > 0) await context.collection<true>(EXAMPLES).put(name, true);
    }
  }

  /** Deletes the items that belong to a deleted item by a member. */
  async #deleteMembers(context: HandlerContext, parent: PathGroup, values: readonly string[]): Promise<void> {
    const key = values.at(-1);
    for (const group of this.#memberChildrenOf(parent)) {
      const member = this.finder.coreOf(group)?.memberParent?.member;
      if (key === undefined || member === undefined) continue;
      const collection = context.collection<Item>(group.collectionPath);
      for (const { id } of (await collection.query({ match: [hasText(member.path, key)] })).items) {
        await collection.delete(id);
        await this.deleteChildren(context, group, splitKey(id, this.finder.coreOf(group)));
      }
    }
  }

  /** The collections at fixed paths whose items belong to those of a group by a member. */
  #memberChildrenOf(parent: PathGroup): readonly PathGroup[] {
    return getOrInsert(this.#memberChildren, parent, () =>
      correctionsNameParents(this.api)
        ? [...this.finder.groups.groups].filter((group) => {
            const said = this.finder.coreOf(group)?.memberParent;
            return said?.path === parent.collectionPath && parametersOf(group.collectionPath).length === 0;
          })
        : [],
    );
  }
}

function correctionsNameParents(api: Api): boolean {
  return Object.values(correctionsOf(api)).some((one) => one !== false && one.parent !== undefined);
}
