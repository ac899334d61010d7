import type { CheckItem } from '../sandbox/check-item.js';
import { createStoredItemCheck } from './check-stored-item.js';
import { type IsInferred, fillState } from './fill-from-examples.js';
import type { Api, Operation } from '../../model/api.js';
import type { HandlerContext, HandlerResponse } from '../handler-api.js';
import { applyAction } from './handlers/action.js';
import { create, createMany } from './handlers/create.js';
import { list } from './handlers/list.js';
import { read } from './handlers/read.js';
import { patch, remove, replace } from './handlers/write.js';
import { ResourceFinder } from '../../resources/resource-finder.js';
import { type InferOptions, ResourceStore } from './resource-store.js';
import type { Item } from './json-path.js';
import { refuseCall } from './refusals.js';
import type { Role } from '../../resources/resource.js';
import { nameItem } from '../../resources/inflection.js';
import { parametersOf } from '../../resources/path-template.js';
import { type AnyCall, type Scope, createScope, pathValuesOf } from './request-context.js';

/**
 * An inferred handler. `members` are those that a defined handler passes to `default`. Returns `undefined` if the
 * operation has no inferred effect, so that the response comes from the spec.
 */
export type InferredHandler = (call: AnyCall, members?: Item) => Promise<HandlerResponse | undefined>;

export interface InferredBehaviour {
  readonly operations: Readonly<Record<string, InferredHandler | undefined>>;
  /** Fills all collections of inferred operations with their examples. */
  readonly fill: (context: HandlerContext, isInferred: IsInferred) => Promise<void>;
  readonly checkItem: CheckItem;
}

const HANDLERS: Readonly<Record<Role, (scope: Scope) => Promise<HandlerResponse>>> = {
  list,
  create,
  createMany,
  read,
  replace,
  patch,
  delete: remove,
  action: applyAction,
};

/**
 * Infers stateful behaviour from a spec alone. Handlers are keyed by {@link Operation.name}; operations that cannot be
 * inferred have none. Each handler is created on first access, so large APIs cost nothing at the start.
 *
 * Collections are named by path, such as `/users/7/posts`, and their items are stored under the text of their id.
 * Defined handlers may use the same collections. A collection is filled with the spec's examples on first use.
 *
 * @example
 * const { operations } = inferBehaviour(api);
 * operations['createPet']?.(call); // 201 with the new pet
 */
export function inferBehaviour(api: Api, options: InferOptions = {}): InferredBehaviour {
  const finder = new ResourceFinder(api);
  const state = new ResourceStore(api, finder, options);
  const operations: Record<string, InferredHandler | undefined> = {};
  for (const operation of api.operations)
    defineLazily(operations, operation, () => findHandler(operation, finder, state));
  return {
    operations,
    fill: (context, isInferred) => fillState(state, context, isInferred),
    checkItem: createStoredItemCheck(state),
  };
}

/** Defines a member that is computed on first access. */
function defineLazily(target: object, { name }: Operation, make: () => unknown): void {
  let made: { readonly value: unknown } | undefined;
  Object.defineProperty(target, name, {
    enumerable: true,
    configurable: true,
    get: () => {
      made ??= { value: make() };
      return made.value;
    },
  });
}

function findHandler(operation: Operation, finder: ResourceFinder, state: ResourceStore): InferredHandler | undefined {
  const assignment = finder.assign(operation);
  if (assignment === undefined || !state.isKept(assignment.group)) return findGuard(operation, finder, state);
  return (call, members) => respond(createScope(call, assignment, { state, members }));
}

/** Returns a handler that refuses calls below an item that does not exist. */
function findGuard(operation: Operation, finder: ResourceFinder, state: ResourceStore): InferredHandler | undefined {
  const group = finder.groups.itemAround(operation);
  const core = group === undefined ? undefined : finder.coreOf(group);
  if (group === undefined || core?.id === undefined || core.itemParameters.length !== 1) return undefined;
  if (!state.hasAllItems(group)) return undefined;
  return async (call) => {
    const values = pathValuesOf(call);
    if (await state.hasItem(call, group, values)) return undefined;
    const id = values[parametersOf(core.collectionPath).length];
    const message = `There is no ${nameItem(core.collectionPath)} '${id}'.`;
    return refuseCall({ hooks: state.hooksOf(core), call }, { reason: 'unknown', id, status: 404, message });
  };
}

const NO_VALUES: readonly string[] = [];

function respond(scope: Scope): Promise<HandlerResponse> {
  const { call, assignment, state } = scope;
  const values = scope.parents.size === 0 ? NO_VALUES : [...scope.parents.values()];
  const hasParents = state.hasParents(call, assignment, values);
  return hasParents === true ? respondFilled(scope, values) : respondBelow(scope, values, hasParents);
}

/** Responds 404 if the parent item does not exist. */
async function respondBelow(
  scope: Scope,
  values: readonly string[],
  hasParents: boolean | Promise<boolean>,
): Promise<HandlerResponse> {
  if (await hasParents) return respondFilled(scope, values);
  return scope.call.refuse(404, `There is nothing at ${scope.name}: what it belongs to does not exist.`);
}

function respondFilled(scope: Scope, values: readonly string[]): Promise<HandlerResponse> {
  const { call, state, assignment, part } = scope;
  const handle = HANDLERS[part.role];
  const preparing = state.prepare(call, assignment.group, values);
  return preparing === undefined ? handle(scope) : preparing.then(() => handle(scope));
}
