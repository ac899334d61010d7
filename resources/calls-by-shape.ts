import type { Api, Operation } from '../model/api.js';
import type { Schema } from '../model/schema-types.js';
import { isObjectSchema, isSameSchema, itemsOf, membersOf, requiredMembers, typesOf } from '../schema/facts/members.js';
import { findListEnvelope, sharesMembers } from './envelope.js';
import { foldName } from './inflection.js';
import { changesItems, readingOf } from './reading-words.js';
import { idNameOf } from './references.js';
import type { Basis, MainRole } from './resource.js';
import { bodySchemaOf, successSchema } from './success-response.js';
import type { UnsureCall, VerbCall } from './rpc-verbs.js';

interface Kind {
  readonly noun: string;
  readonly api: Api;
}

/** A call and what its word says. */
type ShowingCall = Pick<VerbCall, 'operation' | 'role'>;

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
  { noun, group, api }: Kind & { readonly group: readonly ShowingCall[] },
): Pick<VerbCall, 'role' | 'basis'> {
  const basis = { reason: `its path has a word for ${NAMES[role]}`, isSure: true, place: operation.source };
  if (role !== 'list' || findListEnvelope(successSchema(operation), api, noun) !== undefined) return { role, basis };
  const isRead =
    takesIdAlone(operation, { noun, api }) &&
    group.some((one) => one.operation !== operation && showsSame(operation, one, { noun, api }));
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
 * Finds reads, actions, lists and creations among calls whose words have no role. A read takes the id alone and returns
 * what the other calls return, and nothing says that it changes something; if several words are unknown, none is taken
 * for a read.
 */
export function callsByShape(
  known: readonly VerbCall[],
  others: readonly OtherCall[],
  kind: Kind,
): { readonly found: readonly VerbCall[]; readonly unsure: readonly UnsureCall[] } {
  const shown = known.filter(({ role }) => role !== 'delete');
  const words = others.map(({ word }) => word);
  const single = others.filter(({ operation }) => shown.some((one) => showsSame(operation, one, kind)));
  const lists = others.filter((call) => !single.includes(call) && isOtherList(call, shown, kind)).map(toList);
  const alike = single
    .filter(({ operation }) => takesId(operation, kind))
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
    .filter(({ operation, reading, word }) => reading === 'no' && operation.method !== 'get' && !CREATES.test(word))
    .map(toAction);
  const said = others.filter((call) => isCreation(call, shown, kind)).map(toCreation);
  const hasCreation = said.length > 0 || known.some(({ role }) => role === 'create');
  const creations = hasCreation ? said : onlyCreation(others, shown, kind);
  const copies = alike.filter(({ operation, word }) => operation.method !== 'get' && CREATES.test(word)).map(toCopy);
  return { found: [...reads, ...actions, ...lists, ...creations, ...copies], unsure };
}

/** Words for calls that make another item: what they return is not the item that they take. */
const CREATES =
  /^(?:duplicate|copy|clone|fork|branch|split|create|add|import|template|invite|upload|register|generate|issue)/;

function toAction({ operation, word }: OtherCall): VerbCall {
  const basis = { reason: 'it takes the id and returns the item', isSure: true, place: operation.source };
  return { operation, role: 'action', basis, verb: word };
}

/** Whether a call returns a list of the items, or of objects with an item each, and requires no id of an item. */
function isOtherList({ operation, word }: OtherCall, shown: readonly ShowingCall[], kind: Kind): boolean {
  if (operation.method !== 'get' && (changesItems(word) || requiresId(operation, kind))) return false;
  const list = findListEnvelope(successSchema(operation), kind.api, kind.noun);
  if (list === undefined) return false;
  const entries = [list.item, ...objectsIn(list.item, kind.api)];
  return shown.some((one) => sharesItem(entries, itemsShown(one, kind), kind));
}

function toList({ operation }: OtherCall): VerbCall {
  return {
    operation,
    role: 'list',
    basis: { reason: 'it returns a list of the items', isSure: true, place: operation.source },
  };
}

/** Whether a call takes no id and returns one or several new items: its word or status says so. */
function isCreation({ operation, word }: OtherCall, shown: readonly ShowingCall[], kind: Kind): boolean {
  if (operation.method === 'get' || operation.body === undefined || takesId(operation, kind)) return false;
  if (!CREATES.test(word) && operation.responses.every(({ status }) => status !== '201')) return false;
  const list = itemsShown({ operation, role: 'list' }, kind);
  return shown.some((one) => showsSame(operation, one, kind) || sharesItem(list, itemsShown(one, kind), kind));
}

/**
 * Without a call whose word creates, the only one that takes members of an item without its id, and returns the item or
 * the id: `/OpenCase`.
 */
function onlyCreation(others: readonly OtherCall[], shown: readonly ShowingCall[], kind: Kind): readonly VerbCall[] {
  const items = shown.flatMap((one) => itemsShown(one, kind)).filter((schema) => hasId(schema, kind));
  const found = others.filter(({ operation, word }) => {
    const body = operation.method === 'get' ? undefined : bodySchemaOf(operation);
    if (body === undefined || takesId(operation, kind) || KEEPS_NOTHING.test(word)) return false;
    const returned = successSchema(operation);
    if (findListEnvelope(returned, kind.api, kind.noun) !== undefined) return false;
    const isShown = [returned, ...objectsIn(returned, kind.api)].some((schema) => hasId(schema, kind));
    return isShown && items.some((item) => sharesMembers(body, item, kind.api));
  });
  return found.length === 1
    ? found.map((call) => {
        const made = toCreation(call);
        return { ...made, basis: { ...made.basis, isSure: changesItems(call.word) } };
      })
    : [];
}

/** Words for calls that take an item but do not keep it. */
const KEEPS_NOTHING =
  /^(?:validate|check|verify|preview|calculate|compute|estimate|test|simulate|search|match|compare)/;

function hasId(schema: Schema, { noun, api }: Kind): boolean {
  const names = idNamesOf(noun);
  return [...membersOf(schema, api).keys()].some((name) => names.includes(foldName(name)));
}

function toCreation({ operation }: OtherCall): VerbCall {
  const basis = { reason: 'it takes no id and returns what is new', isSure: true, place: operation.source };
  return { operation, role: 'create', basis };
}

function toCopy({ operation }: OtherCall): VerbCall {
  const basis = { reason: 'it takes the id and returns another item', isSure: true, place: operation.source };
  return { operation, role: 'create', basis, isCopy: true };
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

function requiresId(operation: Operation, { noun, api }: Kind): boolean {
  const names = idNamesOf(noun);
  return inputsOf(operation, api).some(({ name, isRequired }) => isRequired && names.includes(foldName(name)));
}

/** Whether a call requires nothing but the id of an item. */
function takesIdAlone(operation: Operation, kind: Kind): boolean {
  const names = idNamesOf(kind.noun);
  const inputs = inputsOf(operation, kind.api);
  const isId = (name: string): boolean => names.includes(foldName(name));
  return inputs.some(({ name }) => isId(name)) && inputs.every(({ name, isRequired }) => !isRequired || isId(name));
}

/** Whether a call returns the same as another one, or an item that the other one shows. */
function showsSame(operation: Operation, call: ShowingCall, kind: Kind): boolean {
  const own = successSchema(operation);
  if (!isObjectSchema(own, kind.api)) return false;
  if (call.role !== 'list' && hasSameShape(own, successSchema(call.operation), kind.api)) return true;
  return sharesItem([own, ...objectsIn(own, kind.api)], itemsShown(call, kind), kind);
}

/** The schemas that may be the item which a call shows: of the entries of its list, or of its response. */
function itemsShown({ operation, role }: ShowingCall, { noun, api }: Kind): readonly Schema[] {
  const shown = successSchema(operation);
  const list = role === 'list' ? findListEnvelope(shown, api, noun) : undefined;
  return list === undefined ? [shown, ...objectsIn(shown, api)] : [list.item];
}

function objectsIn(schema: Schema, api: Api): Schema[] {
  return [...membersOf(schema, api).values()].flatMap((member) =>
    isObjectSchema(member.schema, api) ? [member.schema] : [],
  );
}

/** Whether one of the schemas is that of an item, which has an id and at least another member. */
function sharesItem(schemas: readonly Schema[], items: readonly Schema[], { noun, api }: Kind): boolean {
  const names = idNamesOf(noun);
  return schemas.some((schema) => {
    const members = [...membersOf(schema, api).keys()];
    const isItem = members.length > 1 && members.some((name) => names.includes(foldName(name)));
    return isItem && items.some((item) => hasSameShape(schema, item, api));
  });
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
