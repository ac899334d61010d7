import type { CheckItem } from '../sandbox/check-item.js';
import { type IsInferred, fillFromExamples } from './fill-from-examples.js';
import type { Api, Operation } from '../../model/api.js';
import type { HandlerContext, HandlerResponse } from '../handler-api.js';
import { applyAction } from './handlers/action.js';
import { create, createMany } from './handlers/create.js';
import { listItems } from './handlers/list.js';
import { patch, removeItem, replace } from './handlers/write.js';
import type { ResourceMap } from '../../resources/map/resource-map.js';
import { finderOf, type ResourceFinder } from '../../resources/resource-finder.js';
import { type InferOptions, ResourceStore } from './resource-store.js';
import type { Item } from './json-path.js';
import type { ResourceCore, Role } from '../../resources/resource.js';
import { guardOf, guardsOf } from './guards.js';
import { refuseUnknown } from './refusals.js';
import { type AnyCall, type Scope, createScope, findStored } from './request-context.js';
import { type MemberRules, inTurnIfUnique, readRules, refuseByRules } from './member-rules.js';
import { getOrInsert, groupBy } from '../../model/maps.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { schemasAt } from '../../schema/schema-places.js';
import type { PathGroup } from '../../resources/collections.js';
import { checkIfNoneMatch } from './etags.js';
import type { DataCollections } from '../data/data-collection.js';
import { InferredCollections } from './data/inferred-collections.js';
import { respondWithItem } from './item-response.js';
import { describeMap } from '../../resources/map/describe-map.js';

/**
 * An inferred handler. `members` are those that a defined handler passes to `default`. Returns `undefined` if the
 * operation has no inferred effect, so that the response comes from the spec.
 */
export interface InferredHandler {
  (call: AnyCall, members?: Item): Promise<HandlerResponse | undefined>;
  /** Whether the hooks of a mock take part, which a person wrote. */
  readonly hasHooks?: boolean;
}

export interface InferredBehaviour {
  readonly operations: Readonly<Record<string, InferredHandler | undefined>>;
  /**
   * Returns the handler of an operation that has none in `operations`: it responds once a sandbox was given items of the
   * operation's collection.
   */
  readonly givenHandlerOf: (operation: Operation) => InferredHandler | undefined;
  /** The collections that start data can fill. */
  readonly collections: (isInferred: IsInferred, seed: number) => DataCollections;
  /** Fills all collections of inferred operations with their examples. */
  readonly fill: (context: HandlerContext, isInferred: IsInferred) => Promise<void>;
  readonly checkItem: CheckItem;
  /** Describes the resources whose items are kept. */
  readonly describe: () => ResourceMap;
}

const HANDLERS: Readonly<Record<Role, (scope: Scope) => Promise<HandlerResponse | undefined>>> = {
  list: listItems,
  create,
  createMany,
  read,
  replace,
  patch,
  delete: removeItem,
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
  const finder = finderOf(api);
  const state = new ResourceStore(api, finder, options);
  const operations: Record<string, InferredHandler | undefined> = {};
  for (const operation of api.operations)
    defineLazily(operations, operation, () => findHandler(operation, finder, state));
  return {
    operations,
    givenHandlerOf: (operation) => findGivenHandler(operation, finder, state),
    collections: (isInferred, seed) => new InferredCollections(state, { isInferred, seed }),
    fill: (context, isInferred) => fillFromExamples(state, context, isInferred),
    checkItem: createStoredItemCheck(state),
    describe: () => describeState(state),
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
  if (assignment === undefined || !state.isStateful(assignment.group)) return guardOf(operation, finder, state);
  const handler: InferredHandler = (call, members) => respond(createScope(call, assignment, { state, members }));
  return Object.assign(handler, { hasHooks: state.hooksOf(assignment.core) !== undefined });
}

/** Returns a handler for sandboxes that were given the items that the calls of an operation name. */
function findGivenHandler(
  operation: Operation,
  finder: ResourceFinder,
  state: ResourceStore,
): InferredHandler | undefined {
  const assignment = finder.assign(operation);
  const [guard] = assignment === undefined ? guardsOf(operation, finder, state) : [];
  const group = assignment?.group ?? guard?.group;
  if (group === undefined) return undefined;
  return async (call, members) => {
    if (!(await state.wasGiven(call, group))) return undefined;
    if (assignment === undefined) return guard?.refuse(call);
    return respond(createScope(call, assignment, { state, members }));
  };
}

/** What the map says about the values of members, read once for each resource. */
const rulesOf = new WeakMap<ResourceCore, MemberRules | undefined>();

async function respond(scope: Scope): Promise<HandlerResponse | undefined> {
  const { call, assignment, state, parents, part, name } = scope;
  const values = [...parents.values()];
  if (values.length > 0 && !(await state.hasParents(call, assignment, values)))
    return call.refuse(404, `There is nothing at ${name}: its parent item does not exist.`);
  await state.prepare(call, assignment.group, values);
  const rules = getOrInsert(rulesOf, scope.core, () => readRules(scope));
  if (rules === undefined) return HANDLERS[part.role](scope);
  return inTurnIfUnique(scope, rules, async () => (await refuseByRules(scope, rules)) ?? HANDLERS[part.role](scope));
}

/** Creates a check of restored items in inferred collections against the response schema of their resource. */
function createStoredItemCheck({ finder, api }: Pick<ResourceStore, 'finder' | 'api'>): CheckItem {
  let groups: ReadonlyMap<number, readonly PathGroup[]> | undefined;
  const findGroup = (collection: string): PathGroup | undefined => {
    groups ??= groupBy(finder.groups.groups, ({ collectionPath }) => segmentsOf(collectionPath).length);
    const segments = segmentsOf(collection);
    return groups.get(segments.length)?.find(({ collectionPath }) => fits(segmentsOf(collectionPath), segments));
  };
  return (collection, value) => {
    const group = collection.startsWith('/') ? findGroup(collection) : undefined;
    const core = group === undefined ? undefined : finder.coreOf(group);
    if (core === undefined) return undefined;
    const errors = compileValidator(api, core.schema, { direction: 'response' })(value);
    // Ignores writeOnly members: the state has them, although responses never show them.
    const error = errors.find(
      ({ pointer }) => !schemasAt(core.schema, pointer, api).some((one) => one.writeOnly === true),
    );
    return error === undefined ? undefined : { pointer: error.pointer, message: `It ${error.message}.` };
  };
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

function fits(template: readonly string[], segments: readonly string[]): boolean {
  return template.every((segment, index) => segment.startsWith('{') || segment === segments[index]);
}

/** Handles GET of an item. */
async function read(scope: Scope): Promise<HandlerResponse> {
  const stored = await findStored(scope);
  if (stored === undefined) return refuseUnknown(scope);
  return checkIfNoneMatch(scope, stored.item) ?? respondWithItem(scope, stored);
}

/**
 * Describes the resources whose items the mock keeps. The operations of all others are listed with the reason for which
 * their responses are made from the spec.
 */
function describeState(state: ResourceStore): ResourceMap {
  const { resources, others } = describeMap(state.api);
  const kept = new Set(
    [...state.finder.groups.groups]
      .filter((group) => state.isStateful(group))
      .map(({ collectionPath }) => collectionPath),
  );
  const lost = resources
    .filter(({ path }) => !kept.has(path))
    .flatMap(({ path, operations }) =>
      operations.map(({ operationId, method, path: own }) => ({
        operationId,
        method,
        path: own,
        reason: `no operation creates an item of ${path}, and the spec shows no example of one; start data would give it some`,
      })),
    );
  return { resources: resources.filter(({ path }) => kept.has(path)), others: [...others, ...lost] };
}
