import { findParameter } from '../model/find-parameter.js';
import { getOrInsert } from '../model/maps.js';
import type { Api, Operation, Parameter } from '../model/api.js';
import { foldName, toSingular } from './inflection.js';
import { parametersIn, parseTemplate, templateKey } from './path-template.js';
import { idNameOf } from './references.js';
import { idNamesOf } from './calls-by-shape.js';
import { readVerbWords } from './rpc-verbs.js';
import type { VerbGroup } from './verb-groups.js';
import type { IdMember, Slot } from './resource.js';
import { bodySchemaOf } from './success-response.js';
import { keywordOf, membersOf, requiredMembers, typesOf } from '../schema/facts/members.js';

/**
 * The name and schema of an item's id in requests: of a path parameter, or for a call by verb of a query parameter or
 * member of the body.
 */
export type NamedId = Pick<Parameter, 'name' | 'schema'> &
  Partial<Pick<Parameter, 'description' | 'examples' | 'source'>>;

/**
 * The prefix of an id member that the path leaves out: resource names such as `files/abc` below `/files/{name}`.
 *
 * @param values - values of the member in the document's examples.
 */
export function findPrefix(
  id: IdMember,
  values: readonly unknown[],
  place: { readonly collectionPath: string; readonly api: Api },
): string {
  const literal = place.collectionPath.split('/').at(-1) ?? '';
  const prefix = `${literal}/`;
  if (literal === '' || literal.includes('{')) return '';
  const pattern = keywordOf(id.schema, 'pattern', place.api)?.replaceAll('\\/', '/');
  if (pattern?.startsWith(`^${prefix}`) === true) return prefix;
  const texts = textsOf(id, values, place.api);
  return texts.length > 0 && texts.every((text) => text.startsWith(prefix)) ? prefix : '';
}

/**
 * The template of an id member that names its parents too: `boards/{board}/cards/` for `boards/roadmap/cards/12`.
 * `undefined` if the member has no examples of this form.
 */
export function findNameTemplate(
  id: IdMember,
  values: readonly unknown[],
  { collectionPath, api }: { readonly collectionPath: string; readonly api: Api },
): string | undefined {
  const template = `${collectionPath.slice(1)}/`;
  const parts = template.split('/');
  const fits = (text: string): boolean => {
    const words = text.split('/');
    return (
      words.length === parts.length && parts.slice(0, -1).every((part, at) => part.includes('{') || part === words[at])
    );
  };
  const texts = textsOf(id, values, api);
  return template.includes('{') && texts.length > 0 && texts.every(fits) ? template : undefined;
}

/** The texts among the examples of a member. */
function textsOf({ schema }: IdMember, values: readonly unknown[], api: Api): readonly string[] {
  return [...values, ...(keywordOf(schema, 'examples', api) ?? [])].filter((value) => typeof value === 'string');
}

const slotCaches = new WeakMap<Operation, ReadonlyMap<string, Slot>>();

/** The inputs of an operation by their names without case and separators. */
function slotsOf(operation: Operation, api: Api): ReadonlyMap<string, Slot> {
  return getOrInsert(slotCaches, operation, () => {
    const slots = new Map<string, Slot>();
    const add = (name: string, slot: Slot): void => {
      if (!slots.has(foldName(name))) slots.set(foldName(name), slot);
    };
    for (const parameter of operation.parameters)
      if (parameter.in !== 'cookie') add(parameter.name, { in: 'parameter', parameter });
    const body = bodySchemaOf(operation);
    for (const name of body === undefined ? [] : membersOf(body, api).keys()) add(name, { in: 'body', name });
    return slots;
  });
}

/** Finds a slot with one of these names, in any spelling. Earlier names come first. */
export function findSlot(operation: Operation, names: readonly string[], api: Api): Slot | undefined {
  const slots = slotsOf(operation, api);
  const name = names.find((one) => slots.has(one));
  return name === undefined ? undefined : slots.get(name);
}

/** The only scalar that an operation requires outside of its path. */
export function onlyRequiredSlot(operation: Operation, api: Api): Slot | undefined {
  const body = bodySchemaOf(operation) ?? true;
  const required = requiredMembers(body, api);
  const slots = [...slotsOf(operation, api).values()].filter((slot) => {
    const isRequired = slot.in === 'body' ? required.has(slot.name) : slot.parameter.required;
    if (!isRequired || (slot.in === 'parameter' && slot.parameter.in === 'path')) return false;
    const types = typesOf(namedIdAt(slot, operation, api).schema, api);
    return !types.has('object') && !types.has('array') && !types.has('boolean');
  });
  return slots.length === 1 ? slots[0] : undefined;
}

/** The name and schema of the value at a slot. */
export function namedIdAt(slot: Slot, operation: Operation, api: Api): NamedId {
  if (slot.in === 'parameter') return slot.parameter;
  const schema = membersOf(bodySchemaOf(operation) ?? true, api).get(slot.name)?.schema ?? true;
  return { name: slot.name, schema };
}

/** Operations by the key of each prefix of their paths. */
export function indexByPrefix(operations: readonly Operation[]): ReadonlyMap<string, readonly Operation[]> {
  const index = new Map<string, Operation[]>();
  for (const operation of operations) {
    const { segments } = parseTemplate(operation.path);
    for (let length = 1; length <= segments.length; length += 1) {
      if (segments[length - 1]?.startsWith('{') !== true) continue;
      const key = templateKey(segments.slice(0, length));
      const known = index.get(key);
      if (known === undefined) index.set(key, [operation]);
      else known.push(operation);
    }
  }
  return index;
}

/** The slots of the operations on an item and below it: the parameter at the position of the item's id. */
export function findPathSlots(
  itemPath: string,
  index: ReadonlyMap<string, readonly Operation[]>,
): ReadonlyMap<Operation, Slot> {
  const { segments } = parseTemplate(itemPath);
  const slots = new Map<Operation, Slot>();
  for (const operation of index.get(templateKey(segments)) ?? []) {
    const [name] = parametersIn(parseTemplate(operation.path).segments.slice(segments.length - 1, segments.length));
    const parameter = findParameter(operation, 'path', name);
    if (parameter !== undefined) slots.set(operation, { in: 'parameter', parameter });
  }
  return slots;
}

/** Finds operations that mention an item elsewhere, by an id whose name says what it is: `petId` in an order. */
export function findMentions(
  { itemPath, parameter, own }: { itemPath: string; parameter: string; own: ReadonlyMap<Operation, Slot> },
  api: Api,
): ReadonlyMap<Operation, Slot> {
  const noun = foldName(toSingular(itemPath.split('/').at(-2) ?? ''));
  const wanted = foldName(parameter);
  const isSpecific = noun.length > 2 && wanted.length > 3 && wanted !== 'name';
  const names = [...(isSpecific ? [wanted] : []), ...(noun.length > 2 ? [idNameOf(noun)] : [])];
  const references = new Map<Operation, Slot>();
  for (const operation of names.length === 0 ? [] : api.operations) {
    const slot = own.has(operation) ? undefined : findSlot(operation, names, api);
    // A path parameter with the same name identifies another resource.
    if (slot !== undefined && !(slot.in === 'parameter' && slot.parameter.in === 'path'))
      references.set(operation, slot);
  }
  return references;
}

/** Where a call by verb takes the id of an item. */
export function findVerbSlot(operation: Operation, verbs: VerbGroup, api: Api): Slot | undefined {
  const { noun, calls, creators } = verbs;
  const own = calls.find((call) => call.operation === operation);
  if (own?.role === 'list' || creators.includes(operation)) return undefined;
  if (own?.role === 'create' && own.isCopy !== true) return undefined;
  return findSlot(operation, isOwnCall(operation, verbs) ? idNamesOf(noun) : [idNameOf(noun)], api);
}

/** Whether a call is for the items of a group; others may name one of them. */
export function isOwnCall(operation: Operation, { noun, folder, calls, others, isOnly }: VerbGroup): boolean {
  if (others.includes(operation) || calls.some((call) => call.operation === operation)) return true;
  const last = operation.path.split('/').at(-1) ?? '';
  const text = foldName(last);
  // `/shelves.add_book` is a call on a shelf, which names a book.
  const before = foldName(toSingular(last.slice(0, Math.max(0, last.lastIndexOf('.')))));
  if (before !== '' && !before.endsWith(noun) && !isOnly) return false;
  const isInside = operation.path.startsWith(folder === '/' ? '/' : `${folder}/`);
  return isInside && (isOnly || text.endsWith(noun) || readVerbWords(operation)?.noun.startsWith(noun) === true);
}
