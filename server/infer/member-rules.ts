import { toPointer, valueAtPath } from '../../model/document/pointer.js';
import type { PathGroup } from '../../resources/collections.js';
import { correctionFor } from '../../resources/corrections.js';
import { withoutSlash } from '../../resources/corrected-resources.js';
import { describeUnique } from '../../resources/map/describe-members.js';
import { memberPath } from '../../resources/member-paths.js';
import { nameItem } from '../../resources/inflection.js';
import { parametersOf } from '../../resources/path-template.js';
import { documents } from '../../resources/success-response.js';
import type { HandlerResponse } from '../handler-api.js';
import { inTurn } from '../in-turn.js';
import { hasText } from './conditions.js';
import { itemKeyOf } from './item-key.js';
import { type Item, textOrEmpty } from './json-path.js';
import { readItemBody } from './new-item.js';
import { type Scope, keyOfCall, presence } from './request-context.js';

/** What the map of a resource says about the values of its members, and a correction about references. */
export interface MemberRules {
  readonly unique: readonly (readonly string[])[];
  /** Whether a correction names the unique members. Otherwise only an operation that documents 409 refuses a second one. */
  readonly isCorrected: boolean;
  readonly references: readonly { readonly path: readonly string[]; readonly group: PathGroup }[];
}

/** Reads the rules of a resource; `undefined` if there are none. */
export function readRules({ core, assignment, state }: Scope): MemberRules | undefined {
  const { group } = assignment;
  const correction = correctionFor(group.collectionPath, state.api) || {};
  const { unique, references = {} } = correction;
  const { memberParent } = core;
  const parent = memberParent && [[toPointer(memberParent.member.path), memberParent.path] as const];
  const groups = [...state.finder.groups.groups];
  const rules = {
    unique: describeUnique(state.finder.partsOf(group), state.api).map(({ member }) => memberPath(member)),
    isCorrected: unique !== undefined,
    references: [...Object.entries(references), ...(parent ?? [])].flatMap(([member, path]) => {
      const target = groups.find((one) => withoutSlash(one.collectionPath) === withoutSlash(path));
      return target === undefined ? [] : [{ path: memberPath(member), group: target }];
    }),
  };
  return rules.unique.length + rules.references.length === 0 ? undefined : rules;
}

/**
 * Refuses a request whose values break what the map says: a value that another item has, or a reference to an item that
 * does not exist.
 */
export function refuseByRules(scope: Scope, rules: MemberRules): Promise<HandlerResponse | undefined> | undefined {
  const { role } = scope.part;
  if (role !== 'create' && role !== 'replace' && role !== 'patch') return undefined;
  return applyRules(scope, rules, readItemBody(scope));
}

/** Runs creations in turn where members are unique: of two equal ones at the same time, the second is refused. */
export function inTurnIfUnique<T>(
  { call, part, name }: Scope,
  { unique }: MemberRules,
  work: () => Promise<T>,
): Promise<T> {
  return part.role === 'create' && unique.length > 0 ? inTurn(call, `unique in ${name}`, work) : work();
}

async function applyRules(scope: Scope, rules: MemberRules, body: Item): Promise<HandlerResponse | undefined> {
  const { call, core } = scope;
  const taken = documented(scope, rules.isCorrected ? [409, 422] : [409]) ?? (rules.isCorrected ? 400 : undefined);
  for (const path of taken === undefined ? [] : rules.unique) {
    const value = textOrEmpty(valueAtPath(body, path));
    if (value === '' || !(await isTaken(scope, { path, value, body }))) continue;
    const message = `There is already a ${nameItem(core.collectionPath)} with this ${path.join('.')}.`;
    return call.refuse(taken ?? 409, message);
  }
  const status = documented(scope, [404, 422, 400]);
  if (status === undefined) return undefined;
  for (const { path, group } of rules.references) {
    for (const id of [valueAtPath(body, path)].flat().map(textOrEmpty)) {
      if (id === '' || (await exists(scope, group, id))) continue;
      return call.refuse(
        status,
        `There is no ${nameItem(group.collectionPath)} '${id}', which ${path.join('.')} names.`,
      );
    }
  }
  return undefined;
}

/** The first status that the operation documents. */
function documented({ call }: Scope, statuses: readonly number[]): number | undefined {
  return statuses.find((status) => documents(call.operation, status));
}

/** A value of a unique member in a request. */
interface UniqueValue {
  readonly path: readonly string[];
  readonly value: string;
  readonly body: Item;
}

/** Whether another item has a value. */
async function isTaken(scope: Scope, { path, value, body }: UniqueValue): Promise<boolean> {
  const own = scope.part.role === 'create' ? itemKeyOf(scope.core, body) : keyOfCall(scope);
  const { items } = await scope.collection.query({
    match: [hasText(path, value)],
    ...presence(scope),
    take: 2,
  });
  return items.some(({ id }) => id !== own);
}

/** Whether an item exists. True if the state does not have all items of its collection, or the call does not say which. */
async function exists({ call, state, parents }: Scope, group: PathGroup, id: string): Promise<boolean> {
  const core = state.finder.coreOf(group);
  const values = parametersOf(group.collectionPath).map((name) => parents.get(name));
  if (core?.id === undefined || values.includes(undefined) || !(await state.knowsAllItems(call, group))) return true;
  const key = id.startsWith(core.id.prefix) ? id.slice(core.id.prefix.length) : id;
  return state.hasItem(call, group, [...values.map((value) => value ?? ''), key]);
}
