import { groupBy } from '../../model/maps.js';
import type { Api, Operation } from '../../model/api.js';
import { toPointer } from '../../model/document/pointer.js';
import { withoutUndefined } from '../../model/document/records.js';
import { wireMethod } from '../../model/http-method.js';
import { refName } from '../../model/schema-types.js';
import type { OperationPlace, PathGroup } from '../collections.js';
import { correctionFor } from '../corrections.js';
import { findVerbSlot } from '../id-locations.js';
import { parametersOf } from '../path-template.js';
import { type Assignment, finderOf } from '../resource-finder.js';
import type { IdMember, MemberParent, ResourceCore, Slot } from '../resource.js';
import { describeList } from './describe-list.js';
import { type MapContext, describeReferences, describeUnique, findTargets } from './describe-members.js';
import type {
  MappedId,
  MappedOperation,
  MappedParent,
  MappedResource,
  ResourceMap,
  UnmappedOperation,
} from './resource-map.js';

/** Describes what an API manages. */
export function describeMap(api: Api): ResourceMap {
  const finder = finderOf(api);
  const context: MapContext = { api, finder, targets: findTargets(finder) };
  const assigned = api.operations.flatMap((operation) => finder.assign(operation) ?? []);
  const byGroup = groupBy(assigned, ({ group }) => group);
  const known = new Set(assigned.map(({ part }) => part.operation));
  return {
    resources: [...byGroup].map(([group, parts]) => describeResource(group, parts, context)),
    others: api.operations
      .filter((operation) => !known.has(operation))
      .map((operation) => describeOther(operation, context)),
  };
}

function describeResource(group: PathGroup, parts: readonly Assignment[], context: MapContext): MappedResource {
  const { api, finder } = context;
  const [{ core }] = parts as readonly [Assignment, ...Assignment[]];
  const parent = finder.groups.parentOf(group);
  return {
    path: group.collectionPath,
    kind: core.kind,
    ...withoutUndefined({
      itemPath: group.itemPath,
      schema: typeof core.schema === 'object' ? nameOf(core.schema.$ref, api) : undefined,
      id: core.id === undefined ? undefined : describeId(core, core.id, parts),
      parent:
        core.memberParent === undefined
          ? parent && describeParent(parent, core.parentMembers)
          : describeMemberParent(core.memberParent),
    }),
    operations: parts.map(describeOperation),
    references: describeReferences(core, group, context),
    unique: describeUnique(parts, api),
    lists: parts.filter(({ part }) => part.role === 'list').map((one) => describeList(one, api)),
  };
}

function nameOf(ref: string | undefined, api: Api): string | undefined {
  return ref === undefined ? undefined : api.schemas.get(refName(ref))?.originalName;
}

function describeId({ outerIds }: ResourceCore, id: IdMember, parts: readonly Assignment[]): MappedId {
  const [parameter] = parts.flatMap(({ core, part }) => {
    if (part.idSlot?.in === 'body') return [part.idSlot.name];
    return part.idSlot?.parameter.name ?? core.itemParameters.at(-1) ?? [];
  });
  const created = parts.flatMap(({ part }) => part.createdId ?? [])[0];
  return {
    member: toPointer(id.path),
    ...withoutUndefined({
      parameter,
      prefix: id.prefix === '' || id.isLink === true ? undefined : id.prefix,
      isLink: id.isLink,
      outer: outerIds && Object.fromEntries(outerIds.map((one) => [one.parameter, toPointer(one.path)])),
      inResponse: created && toPointer(created.path),
    }),
    ...id.basis,
  };
}

function describeParent(group: PathGroup, members: ReadonlyMap<string, IdMember>): MappedParent {
  const parameters = [...members].map(([name, { path }]) => [name, toPointer(path)] as const);
  return { path: group.collectionPath, parameters: Object.fromEntries(parameters) };
}

function describeMemberParent({ path, member }: MemberParent): MappedParent {
  return { path, parameters: {}, member: toPointer(member.path) };
}

function describeOperation({ core, part }: Assignment): MappedOperation {
  const { operation, role, basis, success, bodyEnvelope, envelope, list, verb } = part;
  const idSlot = part.idSlot ?? idInBody({ core, part });
  return {
    role: role === 'patch' ? 'update' : role,
    ...identify(operation),
    status: success.status,
    ...withoutUndefined({
      verb,
      idIn: idSlot === undefined ? undefined : placeOf(idSlot),
      bodyIn: bodyEnvelope.path.length === 0 ? undefined : toPointer(bodyEnvelope.path),
      itemIn: envelope === undefined || envelope.path.length === 0 ? undefined : toPointer(envelope.path),
      itemsIn: list === undefined ? undefined : toPointer(list.path),
    }),
    place: operation.source,
    ...basis,
  };
}

/** Where a change on the path of the collection names its item: `PUT /pets` with the id in the body. */
function idInBody({ core, part }: Pick<Assignment, 'core' | 'part'>): Slot | undefined {
  const isChange = part.role === 'replace' || part.role === 'patch';
  const [name, ...inner] = core.id?.path ?? [];
  if (!isChange || core.kind !== 'collection' || part.operation.path !== core.collectionPath) return undefined;
  return name === undefined || inner.length > 0 ? undefined : { in: 'body', name };
}

function placeOf(slot: Slot): NonNullable<MappedOperation['idIn']> {
  if (slot.in === 'body') return { in: 'body', name: slot.name };
  const { in: place, name } = slot.parameter;
  return { in: place === 'querystring' ? 'query' : place, name };
}

function identify({ id, method, path }: Operation): Pick<UnmappedOperation, 'operationId' | 'method' | 'path'> {
  return { operationId: id, method: wireMethod(method), path };
}

function describeOther(operation: Operation, context: MapContext): UnmappedOperation {
  return { ...identify(operation), reason: reasonFor(operation, context) };
}

/** Why an operation belongs to no resource. */
function reasonFor(operation: Operation, { api, finder }: MapContext): string {
  const places = finder.groups.placesOf(operation);
  const folder = finder.groups.folderOf(operation);
  if (folder !== undefined) return reasonInFolder(operation, folder, api);
  const [nearest] = places;
  if (nearest === undefined) return 'its path is neither that of a collection nor of an item';
  const off = places.find(({ group }) => correctionFor(group.collectionPath, api) === false);
  if (off !== undefined) return `a correction says that ${off.group.collectionPath} is no resource`;
  const found = places.find(({ group }) => finder.coreOf(group) !== undefined);
  if (found === undefined) return reasonWithoutItem(operation, nearest.group);
  if (found.kind === 'verb') return reasonForCall(operation, found, api);
  const { collectionPath, collectionOperations } = found.group;
  if (collectionOperations.length === 1 && collectionPath === operation.path && operation.method !== 'get')
    return ALONE;
  if (operation.method === 'get') return `its response shows no item of ${collectionPath}`;
  return `it neither takes nor returns an item of ${collectionPath}`;
}

const ALONE = 'no other operation reads or changes the same, so nothing tells what it works on';

/** Why a call with the word of a role does not have it. */
function reasonForCall(
  operation: Operation,
  { group: { collectionPath, verbs }, call: { role } }: Extract<OperationPlace, { kind: 'verb' }>,
  api: Api,
): string {
  const takesItem = verbs !== undefined && findVerbSlot(operation, verbs, api) !== undefined;
  const needsId = role !== 'list' && role !== 'create';
  if (needsId && !takesItem) return `no parameter or member of its request is the id of an item of ${collectionPath}`;
  return `its response shows no item of ${collectionPath}`;
}

/** Why a call by word has no role among the calls for the same items. */
function reasonInFolder(operation: Operation, { collectionPath, verbs }: PathGroup, api: Api): string {
  if (correctionFor(collectionPath, api) === false) return `a correction says that ${collectionPath} is no resource`;
  const unsure = verbs?.unsure.find((one) => one.operation === operation);
  if (unsure !== undefined) return unsure.basis.reason;
  const takesItem = verbs !== undefined && findVerbSlot(operation, verbs, api) !== undefined;
  if (!takesItem)
    return `it takes no id of an item of ${collectionPath}, and its response is neither a new one nor a list of them`;
  return `it takes the id of an item of ${collectionPath}, but returns something else`;
}

function reasonWithoutItem(
  { method, path }: Operation,
  { collectionPath, itemPath, itemParameters, verbs }: PathGroup,
): string {
  if (verbs !== undefined) return `no call shows an item of ${collectionPath} with its id`;
  if (itemPath === undefined) {
    if (parametersOf(path).length > 0)
      return method === 'get' ? 'no operation changes what it shows' : 'no operation shows what it changes there';
    return method === 'get' ? 'no operation changes what it shows' : ALONE;
  }
  return `no schema of the items of ${itemPath} has a member for {${itemParameters.at(-1) ?? 'id'}}`;
}
