import { fillServiceMembers, timeKindOf } from '../server-managed-fields.js';
import { isRecord } from '../../../model/document/records.js';
import type { HandlerResponse } from '../../handler-api.js';
import { checkIfMatch } from '../etags.js';
import { splitKey, toMemberValue, withPathValues } from '../item-key.js';
import { type Item, mergePatch, textOrEmpty, withMember, withoutMembers } from '../json-path.js';
import { foldName, isUpdateMask } from '../../../resources/inflection.js';
import { buildItem, followWrite, prepareWrite, readItemBody, touchItem, withDefaults } from '../new-item.js';
import { respondToDeletion, respondWithItem } from '../item-response.js';
import { membersOf, typesOf } from '../../../schema/facts/members.js';
import { refuseUnknown } from '../refusals.js';
import { type Scope, type KeyedItem, findStored, keyOfCall, namedMember, presentItem } from '../request-context.js';
import { bodySchemaOf, findSuccessFor } from '../../../resources/success-response.js';

/** Handles PUT of an item: replaces the members that clients set. Creates the item if the spec documents 201. */
export async function replace(scope: Scope): Promise<HandlerResponse> {
  return write(scope, (known, key) => replaceItem(known, scope, key));
}

/** Handles PATCH of an item as a JSON merge patch. Creates the item if the spec documents 201. */
export async function patch(scope: Scope): Promise<HandlerResponse> {
  return write(scope, (known) => patchItem(known, scope));
}

interface Outcome {
  before?: Item | undefined;
  stored?: KeyedItem;
  refusal?: HandlerResponse | undefined;
  isNew: boolean;
}

async function write(scope: Scope, change: (known: Item, key: string) => Item): Promise<HandlerResponse> {
  const stored = await findStored(scope);
  const key = stored?.key ?? keyOfCall(scope) ?? namedMember(scope)?.text;
  const created = findSuccessFor(scope.call.operation, 201);
  const mayCreate = created !== undefined || scope.core.kind === 'singleton';
  if (key === undefined || (stored === undefined && !mayCreate)) return refuseUnknown(scope);
  const outcome: Outcome = { isNew: false };
  await scope.collection.update(key, (known) => writeOne(known, { scope, key, change, outcome }));
  if (outcome.refusal !== undefined) return outcome.refusal;
  if (outcome.stored === undefined) return refuseUnknown(scope);
  const { item } = outcome.stored;
  await followWrite(scope, { kind: kindOf(outcome, scope), id: key, before: outcome.before, item });
  return respondWithItem(scope, outcome.stored, outcome.isNew ? (created ?? scope.part.success) : scope.part.success);
}

interface Writing {
  readonly scope: Scope;
  readonly key: string;
  readonly change: (known: Item, key: string) => Item;
  readonly outcome: Outcome;
}

/** Checks conditions atomically with the write: of two writers with the same etag, only the first succeeds. */
function writeOne(known: Item | undefined, { scope, key, change, outcome }: Writing): Item | undefined {
  outcome.refusal = checkIfMatch(scope, known);
  if (outcome.refusal !== undefined) return known;
  const before = presentItem(known, scope);
  outcome.before = before;
  outcome.isNew = before === undefined;
  const place = { key, parents: scope.parents, api: scope.call.api };
  const made =
    before === undefined
      ? buildItem(scope, withNamedMember(readItemBody(scope), scope), key)
      : touchItem(withPathValues(change(before, key), scope.core, place), scope);
  const item = prepareWrite(scope, { kind: kindOf(outcome, scope), id: key, before, item: made });
  outcome.stored = { key, item };
  return item;
}

function kindOf({ isNew }: Outcome, { part }: Scope): 'create' | 'replace' | 'patch' {
  return isNew ? 'create' : part.role === 'replace' ? 'replace' : 'patch';
}

/** Sets the member by which the path names the item. */
function withNamedMember(item: Item, scope: Scope): Item {
  const named = namedMember(scope);
  if (named === undefined) return item;
  return withMember(
    item,
    named.name,
    toMemberValue({ path: [named.name], schema: true, prefix: '' }, named.text, scope.call.api),
  );
}

/** Replaces an item, but keeps the members that clients cannot send. */
function replaceItem(known: Item, scope: Scope, key: string): Item {
  const { api } = scope.call;
  const bodySchema = bodySchemaOf(scope.part.operation) ?? true;
  const sendable = membersOf(bodySchema, api);
  const members = membersOf(scope.core.schema, api);
  const kept = withoutMembers(known, (name) => {
    const member = members.get(name);
    const isSet = member?.isReadOnly === true || (member !== undefined && timeKindOf(member, api) !== undefined);
    return !isSet && (sendable.size === 0 || sendable.has(name));
  });
  const replaced = withNamedMember({ ...kept, ...withDefaults(readItemBody(scope), [bodySchema], scope) }, scope);
  return fillServiceMembers(replaced, scope, key);
}

function patchItem(known: Item, scope: Scope): Item {
  const change = onlyMasked(readItemBody(scope), scope);
  const merged = mergePatch(known, change);
  const item: Item = isRecord(merged) ? merged : known;
  return keepNulls(item, change, scope);
}

/** Restores nulls of nullable members that are required, or if the body is no merge patch. Others remove members. */
function keepNulls(item: Item, change: Item, { core, call }: Scope): Item {
  const isMergePatch = /merge-patch/.test(textOrEmpty(call.request.headers['content-type']));
  const members = membersOf(core.schema, call.api);
  let kept = item;
  for (const [name, value] of Object.entries(change)) {
    const member = members.get(name);
    if (value !== null || member === undefined) continue;
    const mayBeNull = typesOf(member.schema, call.api).has('null');
    if (mayBeNull && (member.isRequired || !isMergePatch)) kept = withMember(kept, name, null);
  }
  return kept;
}

/** Keeps only the members that the field mask names, if there is one. */
function onlyMasked(change: Item, { input }: Scope): Item {
  const mask = Object.entries(input.query).find(([name]) => isUpdateMask(name))?.[1];
  if (mask === undefined) return change;
  const names = new Set(
    textOrEmpty(mask)
      .split(',')
      .map((path) => foldName(path.split('.')[0] ?? '')),
  );
  return names.has('') || names.has('*') ? change : withoutMembers(change, (name) => !names.has(foldName(name)));
}

/** Handles DELETE of an item: deletes it and its collections. */
export async function removeItem(scope: Scope): Promise<HandlerResponse> {
  const stored = await findStored(scope);
  if (stored === undefined) return refuseUnknown(scope);
  const outcome: Outcome = { isNew: false };
  await scope.collection.update(stored.key, (known) => {
    outcome.refusal = checkIfMatch(scope, known);
    if (outcome.refusal !== undefined || known === undefined) return known;
    prepareWrite(scope, { kind: 'delete', id: stored.key, before: known, item: known });
    outcome.stored = { key: stored.key, item: known };
    return undefined;
  });
  if (outcome.refusal !== undefined) return outcome.refusal;
  if (outcome.stored === undefined) return refuseUnknown(scope);
  const { state, call, assignment, parents } = scope;
  const behind = scope.core.kind === 'singleton' ? [] : splitKey(stored.key, scope.core);
  await state.deleteChildren(call, assignment.group, [...parents.values(), ...behind]);
  const { key, item } = outcome.stored;
  await followWrite(scope, { kind: 'delete', id: key, before: item, item });
  return respondToDeletion(scope, outcome.stored);
}
