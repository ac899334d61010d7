import type { Api, Operation } from '../model/api.js';
import type { Schema } from '../model/schema-types.js';
import { isObjectSchema, isSameSchema, itemsOf, membersOf, requiredMembers, typesOf } from '../schema/facts/members.js';
import { findListEnvelope } from './envelope.js';
import { foldName } from './inflection.js';
import { readingOf } from './reading-words.js';
import { idNameOf } from './references.js';
import type { Basis, MainRole } from './resource.js';
import { bodySchemaOf, successSchema } from './success-response.js';
import type { UnsureCall, VerbCall } from './rpc-verbs.js';

interface Kind {
  readonly noun: string;
  readonly api: Api;
}

/** A call whose word has no role. */
interface OtherCall {
  readonly operation: Operation;
  readonly word: string;
}

/**
 * The role that the word of a call names, unless its request and response say another: `find` with an id alone, beside
 * `create` that returns the same, reads.
 */
export function roleByShape(
  operation: Operation,
  role: MainRole,
  { noun, group, api }: Kind & { readonly group: readonly Operation[] },
): Pick<VerbCall, 'role' | 'basis'> {
  const basis = { reason: `its path has a word for ${NAMES[role]}`, isSure: true, place: operation.source };
  if (role !== 'list' || findListEnvelope(successSchema(operation), api, noun) !== undefined) return { role, basis };
  const isRead =
    takesIdAlone(operation, { noun, api }) &&
    group.some((one) => one !== operation && showsSame(operation, one, { noun, api }));
  return isRead ? { role: 'read', basis: { ...basis, reason: READS } } : { role, basis };
}

const NAMES: Readonly<Record<MainRole, string>> = {
  list: 'listing',
  create: 'creating',
  read: 'reading',
  replace: 'replacing',
  patch: 'changing',
  delete: 'deleting',
};

const READS = 'it takes the id alone and returns what the creation returns';

/**
 * Finds reads and actions among calls whose words have no role. A read takes the id alone and returns what the other
 * calls return, and nothing says that it changes something; if several words are unknown, none is taken for a read.
 */
export function callsByShape(
  known: readonly VerbCall[],
  others: readonly OtherCall[],
  kind: Kind,
): { readonly found: readonly VerbCall[]; readonly unsure: readonly UnsureCall[] } {
  const shown = known.filter(({ role }) => role !== 'delete').map(({ operation }) => operation);
  const words = others.map(({ word }) => word);
  const alike = others
    .filter(({ operation }) => shown.some((one) => showsSame(operation, one, kind)) && takesId(operation, kind))
    .map((call) => ({ ...call, reading: takesIdAlone(call.operation, kind) ? readingOf(call, words) : 'no' }));
  const sure = alike.filter(({ reading }) => reading === 'sure');
  const maybe = alike.filter(({ reading }) => reading === 'maybe');
  const hasRead = sure.length > 0 || known.some(({ role }) => role === 'read');
  const isOnly = maybe.length === 1 && !hasRead;
  const reads = [...sure, ...(isOnly ? maybe : [])].map(({ operation, reading }): VerbCall => {
    const basis = { reason: READS, isSure: reading === 'sure', place: operation.source };
    return { operation, role: 'read', basis };
  });
  const unsure = isOnly ? [] : maybe.map(({ operation, word }) => ({ operation, basis: unsureBasis(operation, word) }));
  const actions = alike
    .filter(({ operation, reading, word }) => reading === 'no' && operation.method !== 'get' && !COPIES.test(word))
    .map(toAction);
  return { found: [...reads, ...actions], unsure };
}

/** Words for calls that make another item: what they return is not the item that they take. */
const COPIES = /^(?:duplicate|copy|clone|fork|branch|split|create|add|import|template)/;

function toAction({ operation, word }: OtherCall): VerbCall {
  const basis = { reason: 'it takes the id and returns the item', isSure: true, place: operation.source };
  return { operation, role: 'action', basis, verb: word };
}

function unsureBasis({ source }: Operation, word: string): Basis {
  return {
    reason: `it takes the id alone and returns an item, but "${word}" may also change it`,
    isSure: false,
    place: source,
  };
}

/** Names of inputs with the id of an item. */
export function idNamesOf(noun: string): readonly string[] {
  return [idNameOf(noun), 'id', 'uuid', 'guid', `${foldName(noun)}uuid`, `${foldName(noun)}key`, foldName(noun)];
}

function inputsOf(operation: Operation, api: Api): { readonly name: string; readonly isRequired: boolean }[] {
  const body = bodySchemaOf(operation) ?? true;
  const required = requiredMembers(body, api);
  return [
    ...operation.parameters
      .filter(({ in: place }) => place === 'query')
      .map(({ name, required: isRequired }) => ({ name, isRequired })),
    ...[...membersOf(body, api).keys()].map((name) => ({ name, isRequired: required.has(name) })),
  ];
}

function takesId(operation: Operation, { noun, api }: Kind): boolean {
  const names = idNamesOf(noun);
  return inputsOf(operation, api).some(({ name }) => names.includes(foldName(name)));
}

/** Whether a call requires nothing but the id of an item. */
function takesIdAlone(operation: Operation, kind: Kind): boolean {
  const names = idNamesOf(kind.noun);
  const inputs = inputsOf(operation, kind.api);
  const isId = (name: string): boolean => names.includes(foldName(name));
  return inputs.some(({ name }) => isId(name)) && inputs.every(({ name, isRequired }) => !isRequired || isId(name));
}

/** Whether a call returns the same as another one, or an item of the list that the other one returns. */
function showsSame(operation: Operation, other: Operation, { noun, api }: Kind): boolean {
  const [own, shown] = [successSchema(operation), successSchema(other)];
  if (!isObjectSchema(own, api)) return false;
  const item = findListEnvelope(shown, api, noun)?.item;
  if (item === undefined) return hasSameShape(own, shown, api);
  return (
    hasSameShape(own, item, api) ||
    [...membersOf(own, api).values()].some(
      ({ schema }) => isObjectSchema(schema, api) && hasSameShape(schema, item, api),
    )
  );
}

/** Whether two schemas are the same, or have the same members, which have the same schemas or types. */
function hasSameShape(one: Schema, other: Schema, api: Api, depth = 0): boolean {
  if (isSameSchema(one, other)) return true;
  const [first, second] = [membersOf(one, api), membersOf(other, api)];
  if (first.size !== second.size) return false;
  if (first.size === 0)
    return (
      [...typesOf(one, api)].join(' ') === [...typesOf(other, api)].join(' ') &&
      depth > 0 &&
      hasSameItems(one, other, api)
    );
  return (
    depth < 3 &&
    [...first].every(([name, { schema }]) => {
      const same = second.get(name);
      return same !== undefined && hasSameShape(schema, same.schema, api, depth + 1);
    })
  );
}

function hasSameItems(one: Schema, other: Schema, api: Api): boolean {
  const [first, second] = [itemsOf(one, api), itemsOf(other, api)];
  return first === second || (first !== undefined && second !== undefined && hasSameShape(first, second, api, 2));
}
