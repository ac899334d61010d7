import { findParameter } from '../model/find-parameter.js';
import type { Api, Operation } from '../model/api.js';
import { stepInto } from '../model/document/pointer.js';
import type { Schema } from '../model/schema-types.js';
import type { PathGroup } from './collections.js';
import { findCorrectedMember, findMemberParent } from './corrected-parent.js';
import { findEnclosedItem, findListEnvelope, findNamedItem, sharesMembers } from './envelope.js';
import { findId, findOuterMember, findParentMember } from './find-id.js';
import { collectHints, correctionOf, findNamedId } from './id-hints.js';
import { findNameTemplate, findPrefix } from './id-locations.js';
import { nounOf, parametersOf } from './path-template.js';
import type { IdMember, MainRole, OuterId, ResourceCore } from './resource.js';
import { isFreeObject, isObjectSchema, isSameSchema, keywordOf, membersOf } from '../schema/facts/members.js';
import { bodySchemaOf, findSuccess } from './success-response.js';

/** Finds the resource that a group of paths serves; `undefined` if its operations cannot be identified. */
export function analyzeCollection(group: PathGroup, api: Api): ResourceCore | undefined {
  const correction = correctionOf(group, api);
  if (correction === false) return undefined;
  const operations = operationsByUse(group);
  const found = findCanonical(group, operations, api);
  if (found === undefined)
    return group.verbs === undefined && group.corrected === undefined ? analyzeSingleton(group, api) : undefined;
  const { schema, id } = found;
  const named = findNamedId(group, api);
  const memberParent = findMemberParent(schema, correction, api);
  const outerIds = id === undefined ? [] : findOuterIds(group, schema, api);
  // Otherwise two parameters are the name and the value of a member, which requires free members.
  if (outerIds === undefined || (id === undefined && group.itemParameters.length > 2)) return undefined;
  return {
    kind: 'collection',
    collectionPath: group.collectionPath,
    ...(group.itemPath === undefined ? {} : { itemPath: group.itemPath }),
    schema,
    parameter: named?.name ?? 'id',
    ...(named === undefined ? {} : { takes: named.schema }),
    ...(correction === undefined ? {} : { correction }),
    ...(id === undefined ? {} : { id: withPrefix(id, group, api) }),
    ...(outerIds.length === 0 ? {} : { outerIds }),
    itemParameters: group.itemParameters,
    parentMembers: findParentMembers(group, { schema, id }, api),
    ...(memberParent === undefined ? {} : { memberParent }),
  };
}

/** The members for the parameters before the id of an item; `undefined` if one of them has none. */
function findOuterIds({ itemParameters, itemOperations }: PathGroup, schema: Schema, api: Api): OuterId[] | undefined {
  const names = itemParameters.slice(0, -1);
  const [operation] = itemOperations;
  const found = names.flatMap((name) => {
    const parameter = operation && findParameter(operation, 'path', name);
    const member = parameter && findOuterMember(schema, api, parameter);
    return member === undefined ? [] : [{ ...member, parameter: name }];
  });
  return found.length === names.length ? found : undefined;
}

/** The operations of a group by what they probably do. */
interface OperationsByUse {
  readonly read: readonly Operation[];
  readonly create: readonly Operation[];
  readonly write: readonly Operation[];
  readonly list: readonly Operation[];
}

function operationsByUse(group: PathGroup): OperationsByUse {
  const { read, create, write, list } = inferUses(group);
  const roles = group.corrected?.roles;
  if (roles === undefined) return { read, create, write, list };
  const said = (wanted: readonly MainRole[], others: readonly Operation[]): Operation[] => [
    ...[...roles].flatMap(([operation, role]) => (wanted.includes(role) ? [operation] : [])),
    ...others.filter((operation) => !roles.has(operation)),
  ];
  return {
    read: said(['read'], read),
    create: said(['create'], create),
    write: said(['patch', 'replace'], write),
    list: said(['list'], list),
  };
}

function inferUses({ verbs, collectionOperations, itemOperations }: PathGroup): OperationsByUse {
  if (verbs === undefined)
    return {
      read: itemOperations.filter(isReading),
      create: collectionOperations.filter(({ method }) => method === 'post'),
      write: itemOperations.filter(isWriting),
      list: collectionOperations.filter(isReading),
    };
  const of = (...roles: MainRole[]): Operation[] =>
    verbs.calls.flatMap(({ operation, role }) => (roles.some((one) => one === role) ? [operation] : []));
  return { read: of('read'), create: of('create'), write: of('patch', 'replace'), list: of('list') };
}

interface Canonical {
  readonly schema: Schema;
  /** Absent if items are free objects. */
  readonly id?: IdMember;
}

/**
 * Finds the schema that describes an item best. Responses come before bodies, which lack the members that the server
 * sets.
 */
function findCanonical(
  group: PathGroup,
  { read, create, write, list }: OperationsByUse,
  api: Api,
): Canonical | undefined {
  const hints = collectHints(group, api);
  const noun = nounOf(group);
  const sent = new Set([...create, ...write].flatMap((one) => [...membersOf(bodySchemaOf(one) ?? true, api).keys()]));
  const toCanonical = (schema: Schema | undefined): Canonical[] => {
    if (schema === undefined) return [];
    if (group.itemParameters.length > 0 && isFreeObject(schema, api)) return [freeItem(schema, group)];
    const isWhole = isWholeItem(schema, { read, create, write, list }, { noun, api });
    const id = isObjectSchema(schema, api) ? findId(schema, api, { ...hints(schema), isWhole, sent }) : undefined;
    return id === undefined ? [] : [{ schema, id }];
  };
  const inside = (schema: Schema | undefined): Canonical[] => {
    if (schema === undefined) return [];
    // Envelopes have addresses too, so a member with an id comes first.
    const isShown = (one: Schema): boolean => toCanonical(one).some(({ id }) => id?.isLink !== true);
    const item =
      findNamedItem(schema, { api, noun, isItem: isShown }) ??
      findEnclosedItem(schema, api, isShown) ??
      findEnclosedItem(schema, api, (one) => toCanonical(one).length > 0);
    return item === undefined ? [] : toCanonical(item.schema);
  };
  const responses = [
    ...read.flatMap((operation) => inside(findSuccess(operation, 'read')?.schema)),
    ...create.flatMap((operation) => inside(findSuccess(operation, 'create')?.schema)),
    ...write.flatMap((operation) => inside(findSuccess(operation, 'patch')?.schema)),
    ...list.flatMap((operation) =>
      toCanonical(findListEnvelope(findSuccess(operation, 'list')?.schema ?? false, api, noun)?.item),
    ),
  ];
  const bodies = [...create, ...(group.verbs === undefined ? group.itemOperations : write)];
  return pickRichest(responses, api) ?? bodies.flatMap((operation) => inside(bodySchemaOf(operation)))[0];
}

/**
 * Whether a schema is that of an item and not of an envelope: bodies have members of it that are no objects, or lists
 * have such entries.
 */
function isWholeItem(
  schema: Schema,
  { create, write, list }: OperationsByUse,
  { noun, api }: { readonly noun: string; readonly api: Api },
): boolean {
  const bodies = [...create, ...write].flatMap((operation) => bodySchemaOf(operation) ?? []);
  const own = [...membersOf(schema, api).values()].filter((member) => !isObjectSchema(member.schema, api));
  const sent = bodies.map((body) => membersOf(body, api));
  if (own.some(({ name }) => sent.some((members) => members.has(name)))) return true;
  if (bodies.length > 0 && bodies.every((body) => !sharesMembers(body, schema, api))) return false;
  return list.some((operation) => {
    const entry = findListEnvelope(findSuccess(operation, 'list')?.schema ?? false, api, noun)?.item;
    return entry !== undefined && sharesMembers(entry, schema, api) && sharesMembers(schema, entry, api);
  });
}

function isReading({ method }: Operation): boolean {
  return method === 'get';
}

function isWriting({ method }: Operation): boolean {
  return method === 'put' || method === 'patch' || method === 'post';
}

/** Returns the first schema with nearly the most members. Unions come last: they count the members of all branches. */
function pickRichest(found: readonly Canonical[], api: Api): Canonical | undefined {
  const most = Math.max(0, ...found.map(({ schema }) => membersOf(schema, api).size));
  const rich = found.filter(({ schema }) => membersOf(schema, api).size >= most * 0.6);
  return (
    rich.find(({ schema }) => typeof schema === 'object' && schema.anyOf === undefined && schema.oneOf === undefined) ??
    rich[0]
  );
}

function freeItem(schema: Schema, { itemParameters }: PathGroup): Canonical {
  const basis = { reason: 'items have no members of their own', isSure: false };
  return itemParameters.length === 2 ? { schema } : { schema, id: { path: ['id'], schema: true, prefix: '', basis } };
}

function withPrefix(id: IdMember, group: PathGroup, api: Api): IdMember {
  if (id.isLink === true) return { ...id, prefix: addressOf(id, group, api) };
  const operations = [...group.itemOperations, ...group.collectionOperations];
  const shown = operations.flatMap((operation) => {
    const success = findSuccess(operation, 'read');
    return (success?.examples ?? []).flatMap(({ value }) => id.path.reduce(stepInto, value) ?? []);
  });
  const place = { collectionPath: group.collectionPath, api };
  const template = findNameTemplate(id, shown, place);
  if (template === undefined) return { ...id, prefix: findPrefix(id, shown, place) };
  const basis = { ...id.basis, reason: 'its examples name the item and its parents', isSure: true };
  return { ...id, basis, isLink: true, prefix: template };
}

/** The address of an item without its id. Its origin is that of the mock once a request is known. */
function addressOf({ schema }: IdMember, { collectionPath, itemPath }: PathGroup, api: Api): string {
  const path = itemPath?.slice(0, itemPath.lastIndexOf('{')) ?? `${collectionPath}/`;
  return keywordOf(schema, 'format', api) === 'uri' ? `http://localhost${path}` : path;
}

/** The members that repeat parameters of the collection's path. The id of the item is its own, whatever its name. */
function findParentMembers(
  group: PathGroup,
  { schema, id }: { readonly schema: Schema; readonly id?: IdMember | undefined },
  api: Api,
): ReadonlyMap<string, IdMember> {
  const own = id?.path.join('/');
  const members = new Map<string, IdMember>();
  const [operation] = [...group.collectionOperations, ...group.itemOperations];
  if (operation === undefined) return members;
  const said = correctionOf(group, api);
  const correction = said === false ? undefined : said;
  for (const name of parametersOf(group.collectionPath)) {
    const parameter = findParameter(operation, 'path', name);
    const member =
      findCorrectedMember(name, { schema, correction }, api) ??
      (parameter === undefined ? undefined : findParentMember(schema, api, parameter));
    if (member !== undefined && member.path.join('/') !== own) members.set(name, member);
  }
  return members;
}

/** Finds a path that is read and written as the same object: `/me`, `/settings`. */
function analyzeSingleton(group: PathGroup, api: Api): ResourceCore | undefined {
  if (group.itemPath !== undefined) return undefined;
  const read = group.collectionOperations.find(isReading);
  const shown = read === undefined ? undefined : findSuccess(read, 'read')?.schema;
  if (shown === undefined || !isObjectSchema(shown, api) || findListEnvelope(shown, api, nounOf(group)) !== undefined)
    return undefined;
  const schema = findWritten(shown, group, api);
  if (schema === undefined) return undefined;
  return {
    kind: 'singleton',
    collectionPath: group.collectionPath,
    schema,
    parameter: 'id',
    itemParameters: [],
    parentMembers: findParentMembers(group, { schema }, api),
  };
}

/**
 * Finds the part of a body that is the item: the whole body, or its only object member, as in `{ code, message, result
 * }`.
 */
function findWritten(shown: Schema, group: PathGroup, api: Api): Schema | undefined {
  const isWritten = (schema: Schema): boolean =>
    group.collectionOperations.some((operation) => isWriting(operation) && writesSame(operation, schema, api));
  const writing = group.collectionOperations.filter((operation) => isWriting(operation) && operation.method !== 'post');
  const bodies = writing.flatMap((operation) => bodySchemaOf(operation) ?? []);
  const isSent = (schema: Schema): boolean => bodies.some((body) => sharesMembers(body, schema, api));
  const inner = isSent(shown) ? undefined : findEnclosedItem(shown, api, isSent)?.schema;
  return inner ?? (isWritten(shown) ? shown : undefined);
}

function writesSame(operation: Operation, schema: Schema, api: Api): boolean {
  const shown = findSuccess(operation, 'patch')?.schema;
  if (shown !== undefined && isSameSchema(shown, schema)) return true;
  const body = bodySchemaOf(operation);
  return operation.method !== 'post' && body !== undefined && sharesMembers(body, schema, api);
}
