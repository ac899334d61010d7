import { groupBy } from '../../model/maps.js';
import type { Api, Operation } from '../../model/api.js';
import { toPointer } from '../../model/document/pointer.js';
import { withoutUndefined } from '../../model/document/records.js';
import { wireMethod } from '../../model/http-method.js';
import { refName } from '../../model/schema-types.js';
import type { PathGroup } from '../collections.js';
import { correctionFor } from '../corrections.js';
import { parametersOf } from '../path-template.js';
import { type Assignment, finderOf } from '../resource-finder.js';
import type { IdMember, Slot } from '../resource.js';
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
      id: core.id === undefined ? undefined : describeId(core.id, parts),
      parent: parent === undefined ? undefined : describeParent(parent, core.parentMembers),
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

function describeId(id: IdMember, parts: readonly Assignment[]): MappedId {
  const [parameter] = parts.flatMap(({ core, part }) => {
    if (part.idSlot?.in === 'body') return [part.idSlot.name];
    return part.idSlot?.parameter.name ?? core.itemParameters.at(-1) ?? [];
  });
  const created = parts.flatMap(({ part }) => part.createdId ?? [])[0];
  return {
    member: toPointer(id.path),
    ...withoutUndefined({
      parameter,
      prefix: id.prefix === '' ? undefined : id.prefix,
      inResponse: created && toPointer(created.path),
    }),
    ...id.basis,
  };
}

function describeParent(group: PathGroup, members: ReadonlyMap<string, IdMember>): MappedParent {
  const parameters = [...members].map(([name, { path }]) => [name, toPointer(path)] as const);
  return { path: group.collectionPath, parameters: Object.fromEntries(parameters) };
}

function describeOperation({ part }: Assignment): MappedOperation {
  const { operation, role, basis, success, bodyEnvelope, envelope, list, verb, idSlot } = part;
  return {
    role: role === 'patch' ? 'update' : role,
    ...identify(operation),
    status: success.status,
    ...withoutUndefined({
      verb,
      idIn: idSlot === undefined ? undefined : placeOf(idSlot),
      bodyIn: bodyEnvelope.member,
      itemIn: envelope?.member,
      itemsIn: list === undefined ? undefined : toPointer(list.path),
    }),
    place: operation.source,
    ...basis,
  };
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
  const [nearest] = places;
  if (nearest === undefined) return 'its path is neither that of a collection nor of an item';
  const off = places.find(({ group }) => correctionFor(group.collectionPath, api) === false);
  if (off !== undefined) return `a correction says that ${off.group.collectionPath} is no resource`;
  const found = places.find(({ group }) => finder.coreOf(group) !== undefined);
  if (found === undefined) return reasonWithoutItem(operation, nearest.group);
  const { collectionPath } = found.group;
  if (operation.method === 'get') return `its response shows no item of ${collectionPath}`;
  return `it neither takes nor returns an item of ${collectionPath}`;
}

function reasonWithoutItem({ method, path }: Operation, { itemPath, itemParameters }: PathGroup): string {
  if (itemPath === undefined)
    return method === 'get'
      ? 'no operation changes what it shows'
      : `no operation shows what ${parametersOf(path).length > 0 ? 'it changes there' : 'it changes'}`;
  return `no schema of the items of ${itemPath} has a member for {${itemParameters.at(-1) ?? 'id'}}`;
}
