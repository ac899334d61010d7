import { isRecord } from '../../../model/document/records.js';
import { getOrInsert } from '../../../model/maps.js';
import type { HandlerResponse } from '../../handler-api.js';
import { type Item, withoutMembers } from '../json-path.js';
import { keyNameOf } from '../item-links.js';
import { COUNTERS } from '../../sandbox/reserved-collections.js';
import { countOfNumber, idAt, itemKeyOf, generatedId, joinKey, numberAt, withoutPrefix } from '../item-key.js';
import { nameItem } from '../../../resources/inflection.js';
import { buildItem, followWrite, prepareWrite, readItemBody } from '../new-item.js';
import { respondWithItem, respondWithItems } from '../item-response.js';
import type { MemberPlace } from '../../../resources/resource.js';
import { refuseCall, refuseUnknown } from '../refusals.js';
import { type AnyCall, type KeyedItem, type Scope, findStored, presentItem } from '../request-context.js';
import { documents } from '../../../resources/success-response.js';
import type { Api } from '../../../model/api.js';
import type { Schema } from '../../../model/schema-types.js';
import { compileValidator } from '../../../schema/compile-validator.js';
import { hasNumber, keywordOf, membersOf, typesOf } from '../../../schema/facts/members.js';

/** Handles POST to a collection: creates an item with the id in the body, or a new id. */
export async function create(scope: Scope): Promise<HandlerResponse> {
  const isCopy = scope.part.isCopy === true;
  const source = isCopy ? await findStored(scope) : undefined;
  if (isCopy && source === undefined) return refuseUnknown(scope);
  const body = source === undefined ? readItemBody(scope) : copyItem(scope, source.item);
  const made = await createOne(scope, body);
  if (made !== undefined) return respondWithItem(scope, made);
  return refuseCall(scope, {
    reason: 'taken',
    id: givenKey(scope, body),
    status: 409,
    message: `There is already a ${nameItem(scope.core.collectionPath)} with this id.`,
  });
}

/** Returns the members of an item that a copy of it has, with those of the request. */
function copyItem(scope: Scope, source: Item): Item {
  const { core, call, part } = scope;
  const members = membersOf(core.schema, call.api);
  const own = (name: string): boolean => name === core.id?.path[0] || members.get(name)?.isReadOnly === true;
  const sent = withoutMembers(readItemBody(scope), (name) => part.idSlot?.in === 'body' && part.idSlot.name === name);
  return { ...withoutMembers(source, own), ...sent };
}

/** Handles POST of a list: creates each of its items. */
export async function createMany(scope: Scope): Promise<HandlerResponse | undefined> {
  const bodies: readonly unknown[] = Array.isArray(scope.input.body) ? scope.input.body : [];
  const items: KeyedItem[] = [];
  for (const body of bodies) {
    const one: Scope = { ...scope, input: { ...scope.input, body } };
    const made = isRecord(body) ? await createOne(one, readItemBody(one)) : undefined;
    if (made !== undefined) items.push(made);
  }
  return respondWithItems(scope, items);
}

/** Creates or replaces an item. Returns `undefined` if no id is free, or its id is taken and the spec documents 409. */
async function createOne(scope: Scope, body: Item): Promise<KeyedItem | undefined> {
  const { core, call, collection } = scope;
  const given = givenKey(scope, body);
  const key = given ?? (await newKey(scope, body));
  if (key === undefined) return undefined;
  if (given !== undefined) await passNumber(scope, given);
  const named = core.id === undefined && given === undefined ? { ...body, [keyNameOf(scope)]: Number(key) } : body;
  const made = buildItem(scope, named, key);
  const prepare = (): Item => prepareWrite(scope, { kind: 'create', id: key, before: undefined, item: made });
  let item: Item | undefined;
  if (documents(call.operation, 409)) {
    let isTaken = false;
    item = await collection.update(key, (known) => {
      isTaken = presentItem(known, scope) !== undefined;
      return isTaken ? known : prepare();
    });
    if (isTaken || item === undefined) return undefined;
  } else {
    item = prepare();
    await collection.put(key, item);
  }
  await followWrite(scope, { kind: 'create', id: key, before: undefined, item });
  return { key, item };
}

async function keyOfHook(
  { call, collection }: Scope,
  makeId: (call: Scope['call']) => string,
): Promise<string | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const key = makeId(call);
    if (isAbsent(await collection.get(key))) return key;
  }
  return undefined;
}

function isAbsent(item: Item | undefined): boolean {
  return item === undefined;
}

/** Returns the key in a body. */
function givenKey(scope: Scope, body: Item): string | undefined {
  return scope.core.id === undefined ? idAt(body, [keyNameOf(scope)]) : itemKeyOf(scope.core, body);
}

async function newKey(scope: Scope, body: Item): Promise<string | undefined> {
  const { outerIds, id } = scope.core;
  if (outerIds === undefined || id === undefined) return newId(scope);
  const parts: string[] = [];
  for (const { parameter, ...member } of outerIds) {
    const sent = idAt(body, member.path) ?? idAt(body, [parameter]) ?? idAt(body, member.path.slice(0, 1));
    parts.push(sent ?? (generatedId(member, scope.call.random.integer(0, 0x7fffffff), scope.call.api) || 'me'));
  }
  const last = idAt(body, id.path) ?? (await newId(scope));
  return last === undefined ? undefined : joinKey([...parts, last]);
}

/** Lets the counter of a collection pass a number that a caller chose: no other item gets it, even once it is deleted. */
async function passNumber({ call, core: { id }, name }: Scope, key: string): Promise<void> {
  const count = id === undefined || !hasNumber(typesOf(id.schema, call.api)) ? 0 : countOfNumber(id, key, call.api);
  if (count <= 0) return;
  const counters = call.collection<number>(COUNTERS);
  if (((await counters.get(counterOf(name))) ?? 0) < count)
    await counters.update(counterOf(name), (known) => Math.max(known ?? 0, count));
}

function counterOf(name: string): string {
  return `id of ${name}`;
}

function newId(scope: Scope): Promise<string | undefined> {
  const { call, core, collection, name, state, assignment, hooks } = scope;
  if (hooks?.makeId !== undefined) return keyOfHook(scope, hooks.makeId);
  const id: MemberPlace = core.id ?? { path: [keyNameOf(scope)], schema: { type: 'integer' }, prefix: '' };
  return makeId(call, {
    id,
    takes: core.takes,
    api: call.api,
    counter: counterOf(name),
    shown: state.shownKeys(assignment.group),
    isFree: (key) => collection.get(key).then(isAbsent),
  });
}

interface IdRequest {
  readonly id: MemberPlace;
  /** The schema of the id in paths, which may be narrower than that of the item. */
  readonly takes: Schema | undefined;
  readonly api: Api;
  /** The name of the collection's counter. */
  readonly counter: string;
  /** Keys in the spec's examples; new keys look like them. */
  readonly shown: readonly string[];
  readonly isFree: (key: string) => Promise<boolean>;
}

/** How many ids are tried, of a hook or of our own. */
const ATTEMPTS = 200;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A candidate for the key of a new item. */
interface Candidate {
  readonly key: string;
  /** Whether the key is already known to be free. */
  readonly isFree: boolean;
}

const NONE: Candidate = { key: '', isFree: false };

/**
 * Makes a new key that fits the id's schema and format, or else looks like those in examples, or else is a UUID.
 * Returns `undefined` if no free key is found.
 */
async function makeId(call: AnyCall, request: IdRequest): Promise<string | undefined> {
  const { id, api, takes = true } = request;
  const validate = compileValidator(api, id.schema, { direction: 'response' });
  const validateTaken = compileValidator(api, takes, { direction: 'request' });
  const { types } = idFacts(id, api);
  const taken = typesOf(takes, api);
  const isCounted = hasNumber(taken) && !taken.has('string');
  const isNumber = types.size === 0 ? request.shown.every((key) => /^\d+$/.test(key)) : !types.has('string');
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { key, isFree } =
      isNumber || isCounted ? await nextNumber(call, request) : await makeText(call, request, attempt);
    const value = isNumber ? Number(key) : id.prefix + key;
    // A path that accepts no id that the item accepts is a fault of the spec.
    const isAccepted = attempt > ATTEMPTS / 2 || validateTaken(isCounted ? Number(key) : key).length === 0;
    if (key !== '' && isAccepted && validate(value).length === 0 && (isFree || (await request.isFree(key)))) return key;
  }
  return undefined;
}

/** Facts about an id that each new key needs. */
interface IdFacts {
  readonly types: ReadonlySet<string>;
  /** Whether there is neither a format nor a pattern. */
  readonly isPlain: boolean;
  /** An example, or an empty text. */
  readonly example: string;
}

const factsOfIds = new WeakMap<MemberPlace, IdFacts>();

function idFacts(id: MemberPlace, api: Api): IdFacts {
  return getOrInsert(factsOfIds, id, () => {
    const [format, pattern] = [keywordOf(id.schema, 'format', api), keywordOf(id.schema, 'pattern', api)];
    const example = (keywordOf(id.schema, 'examples', api) ?? []).find((value) => typeof value === 'string') ?? '';
    return { types: typesOf(id.schema, api), isPlain: format === undefined && pattern === undefined, example };
  });
}

function nextNumber(call: AnyCall, { id, api, counter }: IdRequest): Promise<Candidate> {
  return call.next(counter).then((count) => ({ key: numberAt(id, count - 1, api), isFree: false }));
}

/** Returns the next number that is free, because examples may use some. */
async function nextFreeNumber(call: AnyCall, request: IdRequest): Promise<Candidate> {
  let next = NONE;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    next = await nextNumber(call, request);
    if (await request.isFree(next.key)) return { key: next.key, isFree: true };
  }
  return next;
}

type TextKind = 'shown' | 'prefixed' | 'uuid' | 'short' | 'generated' | 'number' | 'long';

/** The kinds of text to try for an id without format and pattern; the first valid one is used. */
const PLAIN_ORDER: readonly TextKind[] = ['shown', 'uuid', 'short', 'generated', 'number', 'long'];
/** The kinds of text to try for an id with a format or a pattern. */
const ORDER: readonly TextKind[] = ['uuid', 'prefixed', 'generated', 'shown', 'short', 'number', 'long'];

function makeText(call: AnyCall, request: IdRequest, attempt: number): Candidate | Promise<Candidate> {
  const { id, api } = request;
  const order = idFacts(id, api).isPlain ? PLAIN_ORDER : ORDER;
  const kind = order[attempt % order.length];
  if (kind === 'shown') return likeShown(call, request);
  if (kind === 'prefixed') return { key: withPatternPrefix(call, request), isFree: false };
  if (kind === 'number') return nextNumber(call, request);
  if (kind === 'uuid') return { key: call.random.uuid(), isFree: false };
  if (kind === 'generated') return { key: generatedId(id, call.random.integer(0, 0x7fffffff), api), isFree: false };
  const length = kind === 'short' ? 12 : (keywordOf(id.schema, 'maxLength', api) ?? 24);
  return { key: randomText(call, length), isFree: false };
}

function likeShown(call: AnyCall, request: IdRequest): Candidate | Promise<Candidate> {
  const shown = request.shown[0] ?? idFacts(request.id, request.api).example;
  if (/^\d+$/.test(shown)) return nextFreeNumber(call, request);
  const prefix = /^[a-z]{1,12}[_-](?=[\w-]*\d)/i.exec(shown)?.[0];
  return prefix === undefined || /^[0-9a-f]{8}-/i.test(shown)
    ? NONE
    : { key: prefix + randomText(call, shown.length - prefix.length), isFree: false };
}

/** For a pattern that is only a prefix, such as `^thg_`, returns the prefix with a random end. */
function withPatternPrefix(call: AnyCall, { id, api }: IdRequest): string {
  const prefix = /^\^([\w:~-]+)(?:\.[*+])?$/.exec(keywordOf(id.schema, 'pattern', api) ?? '')?.[1];
  if (prefix === undefined) return '';
  return withoutPrefix(prefix + randomText(call, 16), id);
}

function randomText(call: AnyCall, length: number): string {
  return Array.from({ length: Math.max(1, Math.min(length, 64)) }, () =>
    ALPHABET.charAt(call.random.integer(0, ALPHABET.length - 1)),
  ).join('');
}
