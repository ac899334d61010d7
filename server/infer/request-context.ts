import { isRecord } from '../../model/document/records.js';
import type { Call, Collection, OperationTypes, RequestContext } from '../handler-api.js';
import type { Operation } from '../../model/api.js';
import type { Assignment } from '../../resources/resource-finder.js';
import type { ResourceStore } from './resource-store.js';
import { type Item, textOrEmpty } from './json-path.js';
import { valueAtPath } from '../../model/document/pointer.js';
import { SINGLETON_KEY, itemKeyOf, joinKey } from './item-key.js';
import { fillTemplate, parametersOf } from '../../resources/path-template.js';
import type { ResourceCore, ResourceOperation, Slot } from '../../resources/resource.js';
import type { ResourceHooks } from '../resource-hooks.js';
import { openItem } from '../../resources/envelope.js';
import { hasText } from './conditions.js';
import type { StoreQuery } from '../stores/store.js';

export type AnyCall = Call<OperationTypes[string]>;

/** The scope of an inferred handler: a request and its collection. */
export interface Scope {
  readonly call: AnyCall;
  readonly core: ResourceCore;
  readonly part: ResourceOperation;
  readonly assignment: Assignment;
  readonly state: ResourceStore;
  /** The name of the collection: its path with the values of the call. */
  readonly name: string;
  readonly collection: Collection<Item>;
  /** The values of the collection's path parameters, by their names in the collection's path. */
  readonly parents: ReadonlyMap<string, string>;
  readonly input: CallInput;
  readonly hooks: ResourceHooks<Item> | undefined;
  /** The members that a defined handler passes to `default`. */
  readonly members: Item | undefined;
}

interface CallInput {
  /** The values of the path parameters, in order. */
  readonly path: readonly string[];
  readonly query: Item;
  readonly headers: Item;
  /** The body without its envelope. */
  readonly body: unknown;
}

/** Creates the scope of a call. */
export function createScope(
  call: AnyCall,
  assignment: Assignment,
  { state, members }: Pick<Scope, 'state' | 'members'>,
): Scope {
  const { core, part } = assignment;
  const input = readInput(call, part);
  const names = parametersOf(core.collectionPath);
  const name = fillTemplate(core.collectionPath, input.path);
  const parents = names.length === 0 ? NO_PARENTS : nameParents(names, input.path);
  const collection = call.collection<Item>(name);
  const hooks = state.hooksOf(core);
  return { call, core, part, assignment, state, name, collection, parents, input, hooks, members };
}

const NO_PARENTS: ReadonlyMap<string, string> = new Map();

function nameParents(names: readonly string[], values: readonly string[]): ReadonlyMap<string, string> {
  const parents = new Map<string, string>();
  for (const [index, name] of names.entries()) parents.set(name, values[index] ?? '');
  return parents;
}

const NO_VALUES: readonly string[] = [];

/** Returns the values of a call's path parameters, in order. */
export function pathValuesOf({ input, operation }: AnyCall): readonly string[] {
  const path = valueAtPath(input, ['path']);
  const names = parametersOf(operation.path);
  return names.length === 0 ? NO_VALUES : names.map((name) => textOrEmpty(valueAtPath(path, [name])));
}

/** Reads the input of a call, whose type is known only from the spec. */
function readInput(call: AnyCall, part: ResourceOperation): CallInput {
  const { input } = call;
  const groups: Item = isRecord(input) ? input : {};
  const sent = groups['body'];
  const { path, isList } = part.bodyEnvelope;
  const body = path.length === 0 && !isList ? sent : openItem(part.bodyEnvelope, sent);
  const query = isRecord(groups['query']) ? groups['query'] : {};
  return {
    path: pathValuesOf(call),
    // The body of a list by POST has the parameters of the list.
    query: part.role === 'list' && isRecord(body) ? { ...body, ...query } : query,
    headers: isRecord(groups['headers']) ? groups['headers'] : {},
    body,
  };
}

export interface KeyedItem {
  readonly key: string;
  readonly item: Item;
}

/** Finds the item that a call names in its path, or else by the id in its body. */
export async function findStored(scope: Scope): Promise<KeyedItem | undefined> {
  const key = keyOfCall(scope);
  if (key !== undefined) {
    const item = presentItem(await scope.collection.get(key), scope);
    return item === undefined ? undefined : { key, item };
  }
  const named = namedMember(scope);
  if (named === undefined) return undefined;
  const { items } = await scope.collection.query({
    match: [hasText([named.name], named.text)],
    ...presence(scope),
    take: 1,
  });
  const [found] = items;
  return found === undefined ? undefined : { key: found.id, item: found.value };
}

/** Returns the key of a call's item, if the call has it. */
export function keyOfCall({ core, input, part, parents }: Scope): string | undefined {
  if (core.kind === 'singleton') return SINGLETON_KEY;
  if (part.idSlot !== undefined) return keyAt(part, input, core);
  if (core.id !== undefined && input.path.length > parents.size) {
    const end = parents.size + 1 + (core.outerIds?.length ?? 0);
    return joinKey(input.path.slice(parents.size, end));
  }
  if (part.role === 'action' || input.path.length > parents.size) return undefined;
  return isRecord(input.body) ? itemKeyOf(core, input.body) : undefined;
}

/** Returns the key of the item that a call names, which has no role for it. */
export function idOfCall({ input, operation }: AnyCall, slot: Slot, core: ResourceCore): string | undefined {
  const groups: Item = isRecord(input) ? input : {};
  const [query, headers] = [groups['query'], groups['headers']].map((group) => (isRecord(group) ? group : {}));
  const sent = { path: [], query: query ?? {}, headers: headers ?? {}, body: groups['body'] };
  return keyAt({ idSlot: slot, operation }, sent, core);
}

function keyAt(
  { idSlot, operation }: Pick<ResourceOperation, 'idSlot' | 'operation'>,
  input: CallInput,
  { id }: ResourceCore,
): string | undefined {
  const text = idSlot === undefined ? '' : textOrEmpty(valueAtSlot(idSlot, operation, input));
  const prefix = id?.prefix ?? '';
  return text === '' ? undefined : text.startsWith(prefix) ? text.slice(prefix.length) : text;
}

function valueAtSlot(slot: Slot, operation: Operation, { path, query, headers, body }: CallInput): unknown {
  if (slot.in === 'body') return valueAtPath(body, [slot.name]);
  const { in: place, name } = slot.parameter;
  if (place === 'path') return path[parametersOf(operation.path).indexOf(name)];
  return valueAtPath(place === 'header' ? headers : query, [name]);
}

/** Returns the member and its value if a path names an item by both, as in `/users/email/a@b.c`. */
export function namedMember({
  core,
  input,
  parents,
}: Scope): { readonly name: string; readonly text: string } | undefined {
  const [name, text] = input.path.slice(parents.size);
  return core.itemParameters.length === 2 && name !== undefined && text !== undefined ? { name, text } : undefined;
}

/** A call of a resource that may have hooks. */
interface Hooked {
  readonly hooks: ResourceHooks<Item> | undefined;
  readonly call: RequestContext;
}

/** Returns an item, unless the hook `isPresent` says that it does not exist. */
export function presentItem(item: Item | undefined, { hooks, call }: Hooked): Item | undefined {
  return item !== undefined && hooks?.isPresent?.(item, call) === false ? undefined : item;
}

/** The filter of items that the hook `isPresent` says exist; nothing without the hook. */
export function presence(scope: Hooked): Pick<StoreQuery, 'filter'> {
  if (scope.hooks?.isPresent === undefined) return {};
  return { filter: (item) => presentItem(item as Item, scope) !== undefined };
}
