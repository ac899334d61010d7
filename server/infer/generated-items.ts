import type { Api } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';
import { getOrInsert } from '../../model/maps.js';
import type { PathGroup } from '../../resources/collections.js';
import { foldName, toSingular } from '../../resources/inflection.js';
import { nounOf, parametersOf } from '../../resources/path-template.js';
import { type PathStep, type Reference, findReferences } from '../../resources/references.js';
import type { IdMember, ResourceCore } from '../../resources/resource.js';
import type { ResourceFinder } from '../../resources/resource-finder.js';
import { hasNumber, typesOf } from '../../schema/facts/members.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { generateValue } from '../../schema/generate-value.js';
import { Random } from '../../schema/sample/random.js';
import { DifferentMembers } from './different-members.js';
import { generatedId, numberAt, itemKeyOf, toMemberValue, withPathValues } from './item-key.js';
import { type Item, replaceAt, seedFrom, withValueAt } from './json-path.js';

/** A generated item with its key. */
export interface GeneratedItem {
  readonly key: string;
  readonly item: Item;
}

export interface GeneratedItemsParts {
  readonly seed: number;
  /** Returns the number of items that a collection starts with, including examples. */
  readonly countOf: (group: PathGroup) => number;
  readonly shownKeys: (group: PathGroup) => readonly string[];
}

/** A reference in items, and the items that it can name. */
interface Target {
  readonly reference: Reference;
  readonly keys: readonly string[];
  /** The id of these items. */
  readonly id: IdMember;
}

/** The most attempts to find a free id. */
const ATTEMPTS = 50;

/**
 * Generates valid, realistic items for collections. They depend only on the spec and the seed, so an item can refer to
 * items of a collection that is not filled yet.
 */
export class GeneratedItems {
  readonly #api: Api;
  readonly #finder: ResourceFinder;
  readonly #parts: GeneratedItemsParts;
  /** Collections at fixed paths, by the singular noun of their items. */
  #targets: FindTarget | undefined;

  constructor(api: Api, finder: ResourceFinder, parts: GeneratedItemsParts) {
    this.#api = api;
    this.#finder = finder;
    this.#parts = parts;
  }

  /** Generates the items of a collection in addition to its examples. */
  itemsOf(group: PathGroup, name: string, parents: ReadonlyMap<string, string>): readonly GeneratedItem[] {
    const core = this.#finder.coreOf(group);
    if (core?.id === undefined || core.kind === 'singleton') return [];
    const made = this.#bareItems(group, core, name).map(({ key, item }) => ({
      key,
      item: withPathValues(item, core, { key, parents, api: this.#api }),
    }));
    const references = this.#referencesOf(group, core, made);
    return made.map(({ key, item }) => ({
      key,
      item: this.#withReferences(item, references, { core, seed: `${name} ${key}` }),
    }));
  }

  /** Generates items without references, to which other items can refer. */
  #bareItems(group: PathGroup, core: ResourceCore, name: string): readonly GeneratedItem[] {
    const shown = this.#parts.shownKeys(group);
    const taken = new Set(shown);
    const items: GeneratedItem[] = [];
    const differ = new DifferentMembers(this.#api, core);
    for (let index = shown.length; index < this.#parts.countOf(group); index += 1) {
      const seed = `${this.#parts.seed} ${name} ${index}`;
      const made = this.#makeItem(core, { seed, index, taken });
      if (made === undefined) continue;
      taken.add(made.key);
      const again = (attempt: number): unknown => this.#makeValue(core, { seed: `${seed} ${attempt}`, index });
      items.push({ key: made.key, item: differ.change(made.item, again) });
    }
    return items;
  }

  #makeValue(core: ResourceCore, { seed, index }: { readonly seed: string; readonly index: number }): unknown {
    const made = generateValue(this.#api, core.schema, {
      direction: 'response',
      seed: seedFrom(seed),
      variant: index % 3 === 0 ? 'full' : 'typical',
    });
    return made.ok ? made.value : undefined;
  }

  #makeItem(
    core: ResourceCore,
    { seed, index, taken }: { readonly seed: string; readonly index: number; readonly taken: ReadonlySet<string> },
  ): GeneratedItem | undefined {
    const { id } = core;
    const made = this.#makeValue(core, { seed, index });
    if (!isRecord(made) || id === undefined) return undefined;
    const isNamedByMany = core.outerIds !== undefined;
    const own = isNumeric(id, this.#api) && !isNamedByMany ? undefined : itemKeyOf(core, made);
    const isUsable = own !== undefined && !taken.has(own) && (isNamedByMany || !own.includes('/'));
    if (isNamedByMany) return isUsable ? { key: own, item: made } : undefined;
    const key = isUsable ? own : this.#freeKey(id, { seed, index, taken });
    if (key === undefined) return undefined;
    const item = withValueAt(made, id.path, toMemberValue(id, key, this.#api));
    return { key, item };
  }

  #freeKey(
    id: IdMember,
    { seed, index, taken }: { readonly seed: string; readonly index: number; readonly taken: ReadonlySet<string> },
  ): string | undefined {
    const validate = compileValidator(this.#api, id.schema, { direction: 'response' });
    const random = new Random(seedFrom(seed));
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const key = isNumeric(id, this.#api)
        ? numberAt(id, index + attempt, this.#api)
        : textAt(id, { api: this.#api, random, attempt });
      if (key !== '' && !taken.has(key) && validate(toMemberValue(id, key, this.#api)).length === 0) return key;
    }
    return undefined;
  }

  /** Finds the references in items for which there are items of other collections. */
  #referencesOf(group: PathGroup, core: ResourceCore, made: readonly GeneratedItem[]): readonly Target[] {
    this.#targets ??= findTargets(this.#finder);
    const parents = new Set([...core.parentMembers.values()].map(({ path }) => path.join('.')));
    const items = made.map(({ item }) => item);
    // Kept for all items, because finding the keys generates the other collection.
    const known = new Map<PathGroup, readonly string[]>();
    return findReferences(core.schema, this.#api, items).flatMap((reference) => {
      const target = this.#targets?.(reference.noun);
      if (target === undefined || target === group || parents.has(nameOfPath(reference.path))) return [];
      const keys = getOrInsert(known, target, () => this.#keysOf(target));
      const id = this.#finder.coreOf(target)?.id;
      return keys.length === 0 || id === undefined ? [] : [{ reference, keys, id }];
    });
  }

  /** Points the references of an item to items of the other collections, where its schema allows it. */
  #withReferences(
    item: Item,
    targets: readonly Target[],
    { core, seed }: { readonly core: ResourceCore; readonly seed: string },
  ): Item {
    const validate = compileValidator(this.#api, core.schema, { direction: 'response' });
    let referring = item;
    for (const { reference, keys, id } of targets) {
      const { path, isList, schema } = reference;
      const random = new Random(seedFrom(`${seed} ${nameOfPath(path)}`));
      const pick = (): unknown => toMemberValue({ ...id, schema }, random.pick(keys), this.#api);
      const changed = replaceAt(referring, path, () => (isList ? [...new Set([pick(), pick()])] : pick()));
      if (isRecord(changed) && validate(changed).length === 0) referring = changed;
    }
    return referring;
  }

  #keysOf(group: PathGroup): readonly string[] {
    const core = this.#finder.coreOf(group);
    const shown = this.#parts.shownKeys(group);
    if (core === undefined) return shown;
    return [...shown, ...this.#bareItems(group, core, group.collectionPath).map(({ key }) => key)];
  }
}

/** Finds the collection at a fixed path by the singular noun of its items. */
export type FindTarget = (noun: string) => PathGroup | undefined;

/** Analyses only the collections whose noun is asked for: all of a large spec would take a fifth of the first request. */
export function findTargets(finder: ResourceFinder): FindTarget {
  const byNoun = new Map<string, PathGroup[]>();
  for (const group of finder.groups.groups)
    if (parametersOf(group.collectionPath).length === 0)
      getOrInsert(byNoun, foldName(toSingular(nounOf(group))), () => []).push(group);
  const targets = new Map<string, PathGroup | undefined>();
  return (noun) =>
    getOrInsert(targets, noun, () => {
      const known = (byNoun.get(noun) ?? []).filter((group) => finder.coreOf(group)?.id !== undefined);
      return known.findLast(({ itemPath }) => itemPath !== undefined) ?? known[0];
    });
}

function nameOfPath(path: readonly PathStep[]): string {
  return path.map((step) => (typeof step === 'string' ? step : '*')).join('.');
}

function isNumeric({ schema }: IdMember, api: Api): boolean {
  const types = typesOf(schema, api);
  return hasNumber(types) && !types.has('string');
}

/** Alternates between an id generated from the schema and a random text that most schemas accept. */
export function textAt(
  id: IdMember,
  { api, random, attempt }: { readonly api: Api; readonly random: Random; readonly attempt: number },
): string {
  if (attempt % 2 === 1)
    return Array.from({ length: 12 }, () => random.pick([...'abcdefghijklmnopqrstuvwxyz0123456789'])).join('');
  return generatedId(id, random.int(1, 0x7fffffff), api);
}
