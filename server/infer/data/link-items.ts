import type { Api } from '../../../model/api.js';
import { appendPointer } from '../../../model/document/pointer.js';
import { isRecord } from '../../../model/document/records.js';
import type { PathGroup } from '../../../resources/collections.js';
import { correctionFor } from '../../../resources/corrections.js';
import { withoutSlash } from '../../../resources/corrected-resources.js';
import { nameItem } from '../../../resources/inflection.js';
import { memberPath } from '../../../resources/member-paths.js';
import { EACH_ITEM, type PathStep, findReferences } from '../../../resources/references.js';
import type { IdMember } from '../../../resources/resource.js';
import { isValidValue } from '../../../schema/compile-validator.js';
import { Random } from '../../../schema/sample/random.js';
import { fillTemplate, parametersOf } from '../../../resources/path-template.js';
import type { PrepareOptions, PreparedCollection, PreparedItem } from '../../data/data-collection.js';
import { DataProblem } from '../../data/given-data.js';
import { findTargets } from '../generated-items.js';
import { toMemberValue, withoutPrefix } from '../item-key.js';
import { replaceAt, seedFrom, textOrEmpty } from '../json-path.js';
import type { ResourceStore } from '../resource-store.js';
import { InferredCollection } from './inferred-collection.js';
import { stringifyExactJson } from '../../../runtime/json-integers.js';

/** A member that names items of another collection, whose items are known. */
interface Link {
  readonly path: readonly PathStep[];
  readonly group: PathGroup;
  readonly id: IdMember;
  readonly keys: ReadonlySet<string>;
}

/**
 * Checks the references of given items to other given collections. A reference that was made up gets the id of an item
 * that exists.
 *
 * @throws DataProblem for a given reference to an item that does not exist
 */
export function linkItems(
  prepared: readonly PreparedCollection[],
  state: ResourceStore,
  idsIn: PrepareOptions['idsIn'],
): readonly PreparedCollection[] {
  const keys = new Map<string, Set<string>>();
  for (const { items } of prepared)
    for (const { collection, key } of items) keys.set(collection, (keys.get(collection) ?? new Set()).add(key));
  for (const one of prepared) checkParents(one, state, (name) => keys.get(name) ?? idsIn?.(name));
  return prepared.map((one) => {
    const links = linksOf(one, keys, state);
    if (links.length === 0) return one;
    return {
      ...one,
      items: one.items.map((item, index) =>
        links.reduce((linked, link) => followLink(linked, link, { one, index, api: state.api }), item),
      ),
    };
  });
}

/** @throws DataProblem if an item is below a parent that does not exist */
function checkParents(
  { collection, given, items }: PreparedCollection,
  state: ResourceStore,
  idsIn: (collection: string) => ReadonlySet<string> | undefined,
): void {
  const group = collection instanceof InferredCollection ? collection.place.group : undefined;
  const parent = group === undefined ? undefined : state.finder.groups.parentOf(group);
  if (parent === undefined || state.finder.coreOf(parent)?.id === undefined) return;
  const depth = parametersOf(parent.collectionPath).length;
  for (const [index, { parents = [] }] of items.entries()) {
    const known = idsIn(fillTemplate(parent.collectionPath, parents.slice(0, depth)));
    const id = parents[depth];
    const isKnown =
      known === undefined
        ? !state.hasAllItems(parent) || state.shownKeys(parent).includes(id ?? '')
        : known.has(id ?? '');
    if (id === undefined || isKnown || (known?.size === 0 && !state.hasAllItems(parent))) continue;
    throw new DataProblem(
      `There is no ${nameItem(parent.collectionPath)} ${stringifyExactJson(id)}, to which an item of ${collection.name} would belong.`,
      given.pointerOf(index),
    );
  }
}

function linksOf(
  { collection, items }: PreparedCollection,
  keys: ReadonlyMap<string, ReadonlySet<string>>,
  state: ResourceStore,
): readonly Link[] {
  if (!(collection instanceof InferredCollection)) return [];
  const { core, group } = collection.place;
  const values = items.map(({ value }) => value);
  const targets = findTargets(state.finder);
  const said = correctionFor(group.collectionPath, state.api);
  const references = said === undefined || said === false ? {} : (said.references ?? {});
  const groups = [...state.finder.groups.groups];
  const named = Object.entries(references).map(([member, target]) => ({
    path: memberPath(member) as readonly PathStep[],
    group: groups.find((one) => withoutSlash(one.collectionPath) === withoutSlash(target)),
  }));
  const inferred = findReferences(core.schema, state.api, values).map(({ path, isList, noun }) => {
    const steps: readonly PathStep[] = isList ? [...path, EACH_ITEM] : path;
    return { path: steps, group: targets(noun) };
  });
  return [...named, ...inferred].flatMap(({ path, group: target }) => {
    const found = target === undefined ? undefined : keys.get(target.collectionPath);
    const id = target === undefined ? undefined : state.finder.coreOf(target)?.id;
    if (target === undefined || found === undefined || id === undefined || target === group) return [];
    return [{ path, group: target, id, keys: found }];
  });
}

/** The value and the item that were given, and where. */
interface LinkPlace {
  readonly one: PreparedCollection;
  readonly index: number;
  readonly api: Api;
}

function followLink(item: PreparedItem, { path, group, id, keys }: Link, { one, index, api }: LinkPlace): PreparedItem {
  const wrong = valuesAt(item.value, path).find(({ value }) => {
    const text = textOrEmpty(value);
    return text !== '' && !keys.has(withoutPrefix(text, id));
  });
  if (wrong === undefined) return item;
  if (isGiven(one.given.items[index], path[0]))
    throw new DataProblem(
      `There is no ${nameItem(group.collectionPath)} ${stringifyExactJson(textOrEmpty(wrong.value))}, which ${wrong.pointer} names.`,
      one.given.pointerOf(index) + wrong.pointer,
    );
  const random = new Random(seedFrom(`${item.collection} ${item.key} ${wrong.pointer}`));
  const pick = (): unknown => toMemberValue(id, random.pick([...keys]), api);
  const value = replaceAt(item.value, path, pick);
  const { collection } = one;
  const isValid =
    collection instanceof InferredCollection && isValidValue(value, collection.place.core.schema, api, 'response');
  return isValid ? { ...item, value } : item;
}

/** Whether an item, or a record of CSV, has a member or a column for a part of it. */
function isGiven(given: unknown, member: PathStep | undefined): boolean {
  if (!isRecord(given) || typeof member !== 'string') return false;
  return Object.keys(given).some((name) => name.replace(/^\//, '').split(/[./]/, 1)[0] === member || name === member);
}

/** The values at a path with their JSON pointers. */
function valuesAt(
  value: unknown,
  path: readonly PathStep[],
  pointer = '',
): readonly { readonly value: unknown; readonly pointer: string }[] {
  const [step, ...rest] = path;
  if (step === undefined) return [{ value, pointer }];
  if (step === EACH_ITEM)
    return Array.isArray(value)
      ? value.flatMap((one, index) => valuesAt(one, rest, appendPointer(pointer, index)))
      : [];
  return isRecord(value) && Object.hasOwn(value, step) ? valuesAt(value[step], rest, appendPointer(pointer, step)) : [];
}
