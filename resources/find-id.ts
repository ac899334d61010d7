import type { Api } from '../model/api.js';
import { splitPointer } from '../model/document/pointer.js';
import type { Schema } from '../model/schema-types.js';
import { isObjectSchema, keywordOf, type Member, membersOf, typesOf } from '../schema/facts/members.js';
import { isDescribedAs, isSameType, likeness } from './id-likeness.js';
import { foldName, wordsOf } from './inflection.js';
import type { NamedId } from './id-locations.js';
import type { Basis, IdMember, MemberPlace } from './resource.js';

/** Names of members that usually hold an id, the surest first. */
const USUAL_NAMES: readonly string[] = ['id', '_id', 'uuid', 'guid', 'number', 'key', 'slug', 'login', 'handle'];

/** Names of members that hold an id if nothing else does. */
const WEAK_NAMES: readonly string[] = ['name', 'code'];

/** Without a path for single items, only these names identify items. */
const SURE_NAMES: readonly string[] = ['id', '_id', 'uuid', 'guid'];

/** Names of members that describe an item to people: beside one of them, `name` is likely to identify it. */
const LABELS: ReadonlySet<string> = new Set(['fullname', 'displayname', 'title', 'label']);

/** What the requests of an API say about the id of an item. */
export interface IdHints {
  /** The id of an item in requests, if they have one. */
  readonly parameter?: NamedId | undefined;
  /** The names of an item: the last word of its collection's path, the name of its schema. */
  readonly nouns?: readonly string[];
  /** The member that a correction names, or a JSON pointer to it. */
  readonly corrected?: string | undefined;
  /** Where `links` of responses take the parameter from. */
  readonly linked?: readonly (readonly string[])[];
  /** Whether lists or bodies show that the schema is the item, and no envelope of it. */
  readonly isWhole?: boolean;
  /** The members that clients send. */
  readonly sent?: ReadonlySet<string>;
}

interface Found {
  readonly path: readonly string[];
  readonly schema: Schema;
  readonly isLink?: true;
}

/** A way to recognise the id. The first rule with a candidate decides. */
interface Rule {
  readonly reason: string;
  readonly isSure: boolean;
  readonly find: (search: Search) => readonly Found[];
}

interface Search {
  readonly item: Schema;
  readonly api: Api;
  readonly parameter: NamedId;
  /** Scalar members. */
  readonly members: readonly Member[];
  /** Without letter case and separators, longest first. */
  readonly nouns: readonly string[];
  readonly isWhole: boolean;
  readonly sent: ReadonlySet<string>;
}

const RULES: readonly Rule[] = [
  {
    reason: "it has the parameter's description, and the member with the parameter's name has another",
    isSure: true,
    find: findDescribed,
  },
  { reason: 'it has the name of the parameter', isSure: true, find: findSameName },
  {
    reason: 'it has the name of the parameter, in a member that is named after the item',
    isSure: true,
    find: findInOwn,
  },
  {
    reason: "it looks like the parameter, and the member with the parameter's name has another type",
    isSure: true,
    find: findContradicting,
  },
  { reason: "it has the parameter's name without the name of the item", isSure: true, find: findWithoutNoun },
  { reason: "it has the parameter's name with the name of the item", isSure: true, find: findWithNoun },
  { reason: 'it has the name of the parameter, inside of another member', isSure: false, find: findNested },
  { reason: "its name is the end of the parameter's", isSure: true, find: findBySuffix },
  { reason: 'it has the schema, the example or the description of the parameter', isSure: true, find: findAlike },
  { reason: 'its name is a usual one for ids', isSure: false, find: findUsual },
  { reason: 'it is the address of the item, whose last segment is the id', isSure: true, find: findAddress },
  { reason: "the parameter's name is the end of its name", isSure: false, find: findEnding },
  { reason: 'it has the name of the parameter, inside of another member', isSure: false, find: findInWhole },
  { reason: 'its name is a usual one for ids', isSure: false, find: ({ members }) => pickByNames(members, WEAK_NAMES) },
];

/**
 * Finds the member with the id of an item. Names decide before schemas, and the type only decides between candidates
 * that are otherwise equal: paths often take as text what items show as a number.
 */
export function findId(schema: Schema, api: Api, hints: IdHints): IdMember | undefined {
  const { parameter, corrected } = hints;
  if (corrected !== undefined) return findCorrected(schema, api, corrected);
  const linked = (hints.linked ?? []).flatMap((pointer) => findLinked(schema, api, pointer));
  const place = parameter?.source;
  if (linked[0] !== undefined)
    return toId(linked[0], { reason: 'a link of a response leads to the item with it', isSure: true }, place);
  const members = [...membersOf(schema, api).values()].filter((member) => isScalar(member.schema, api));
  if (parameter === undefined) {
    const [usual] = pickByNames(members, SURE_NAMES);
    return usual && toId(usual, { reason: 'its name is a usual one for ids', isSure: usual.path[0] === 'id' }, place);
  }
  const nouns = [...new Set((hints.nouns ?? []).flatMap(formsOf))].sort((one, other) => other.length - one.length);
  const search = {
    item: schema,
    api,
    parameter,
    members,
    nouns,
    isWhole: hints.isWhole === true,
    sent: hints.sent ?? NONE,
  };
  for (const { reason, isSure, find } of RULES) {
    const best = pickBest(find(search), search);
    if (best !== undefined) return toId(best.found, { reason, isSure: isSure && !best.isTied }, place);
  }
  return undefined;
}

/** Finds the member that repeats a parameter of the collection's path: `userId` in a post of `/users/{userId}/posts`. */
export function findParentMember(schema: Schema, api: Api, parameter: NamedId): IdMember | undefined {
  const members = [...membersOf(schema, api).values()].filter((member) => isScalar(member.schema, api));
  const search = { item: schema, api, parameter, members, nouns: [], isWhole: false, sent: NONE };
  const [found] = [...findSameName(search), ...findNested(search)];
  return found && toId(found, { reason: 'it has the name of the parameter', isSure: true }, parameter.source);
}

const NONE: ReadonlySet<string> = new Set();

/** Finds the member that a parameter before the id names: `owner`, or `owner.login` if it is an object. */
export function findOuterMember(schema: Schema, api: Api, parameter: NamedId): MemberPlace | undefined {
  const own = findParentMember(schema, api, parameter);
  if (own !== undefined) return own;
  const outer = [...membersOf(schema, api).values()].find(({ name }) => foldName(name) === foldName(parameter.name));
  const members = [...membersOf(outer?.schema ?? true, api).values()].filter((one) => isScalar(one.schema, api));
  const fitting = members.filter((one) => isSameType(one.schema, parameter.schema, api));
  const [found] = pickByNames(fitting, ['login', 'handle', 'key', 'slug', 'name', 'code', ...SURE_NAMES]);
  return outer && found && { path: [outer.name, ...found.path], schema: found.schema, prefix: '' };
}

function toId({ path, schema, isLink }: Found, basis: Basis, place: Basis['place']): IdMember {
  const link = isLink === undefined ? {} : { isLink };
  return { path, schema, prefix: '', ...link, basis: { ...basis, ...(place === undefined ? {} : { place }) } };
}

/** The member at a place of an item that a correction names. */
function findCorrected(schema: Schema, api: Api, corrected: string): IdMember | undefined {
  const path = corrected.startsWith('/') ? splitPointer(corrected) : [corrected];
  const found = schemaAt(schema, path, api);
  return found === undefined
    ? undefined
    : toId({ path, schema: found }, { reason: '`resources` says so', isSure: true }, undefined);
}

/** The member that a link reads from a response, in which the item may be in an envelope or a list. */
function findLinked(schema: Schema, api: Api, pointer: readonly string[]): Found[] {
  const index = pointer.findLastIndex((step) => /^\d+$/.test(step));
  const steps = pointer.slice(index + 1);
  return [steps, steps.slice(1)].flatMap((path) => {
    const found = path.length === 0 ? undefined : schemaAt(schema, path, api);
    return found === undefined || !isScalar(found, api) ? [] : [{ path, schema: found }];
  });
}

export function schemaAt(schema: Schema, path: readonly string[], api: Api): Schema | undefined {
  return path.reduce<Schema | undefined>(
    (at, name) => (at === undefined ? undefined : membersOf(at, api).get(name)?.schema),
    schema,
  );
}

function toFound({ name, schema }: Member): Found {
  return { path: [name], schema };
}

/** The only member with the description of the parameter, beside one of the same name that is described otherwise. */
function findDescribed(search: Search): Found[] {
  const { members, parameter, api } = search;
  const named = findSameName(search);
  const isAlike = ({ schema }: Pick<Member, 'schema'>): boolean => isDescribedAs(schema, parameter, api);
  if (named.length === 0 || named.some((one) => isAlike(one) || !isDescribed(one.schema, api))) return [];
  const alike = members.filter((member) => isAlike(member) && isSameType(member.schema, parameter.schema, api));
  return alike.length === 1 ? alike.map(toFound) : [];
}

function isDescribed(schema: Schema, api: Api): boolean {
  return keywordOf(schema, 'description', api) !== undefined;
}

function findSameName({ members, parameter }: Search): Found[] {
  const exact = members.filter(({ name }) => name === parameter.name);
  const same = members.filter(({ name }) => foldName(name) === foldName(parameter.name));
  return (exact.length > 0 ? exact : same).map(toFound);
}

/** `tableReference.tableId` of a table: the member is named after the item. */
function findInOwn(search: Search): Found[] {
  const isOwn = (name: string): boolean => {
    const folded = foldName(name);
    if (folded === 'metadata') return true;
    // Without a scalar member, a body is no item but has one inside: `{ "key": { "id": 1 } }`.
    return search.members.length > 0 && search.nouns.some((noun) => noun.length > 2 && folded.startsWith(noun));
  };
  return inside(search).filter(({ path: [outer = ''] }) => isOwn(outer));
}

/** `info.key` for `widgetKey` and `key`, where no member of the item itself fits. */
function findInWhole(search: Search): Found[] {
  if (!search.isWhole) return [];
  const found = inside(search);
  return found.length > 0 ? found : inside(search, namesWithoutNoun(search.parameter.name, search.nouns));
}

/** Names of one word are too common for ids inside of any member. */
function findNested(search: Search): Found[] {
  return wordsOf(search.parameter.name).length < 2 ? [] : inside(search);
}

/** The members of members with one of these names. */
function inside({ item, api, parameter }: Search, names = [foldName(parameter.name)]): Found[] {
  return [...membersOf(item, api).values()]
    .filter(({ schema }) => isObjectSchema(schema, api))
    .flatMap((outer) =>
      [...membersOf(outer.schema, api).values()]
        .filter(({ name, schema }) => names.includes(foldName(name)) && isScalar(schema, api))
        .map(({ name, schema }) => ({ path: [outer.name, name], schema })),
    );
}

/** `external_id` for `external_customer_id` and `customer_external_id` of a customer, `id` for `petId` of a pet. */
function findWithoutNoun({ members, parameter, nouns }: Search): Found[] {
  const names = namesWithoutNoun(parameter.name, nouns);
  const byName = names.map((wanted) => members.filter(({ name }) => foldName(name) === wanted));
  return (byName.find((found) => found.length > 0) ?? []).map(toFound);
}

function namesWithoutNoun(name: string, nouns: readonly string[]): string[] {
  const words = wordsOf(name);
  const whole = foldName(name);
  return nouns.flatMap((noun) => {
    const ranges = words.flatMap((_, start) =>
      words
        .slice(start)
        .flatMap((__, length) =>
          words.slice(start, start + length + 1).join('') === noun ? [[start, start + length + 1] as const] : [],
        ),
    );
    const rest = ranges.map(([start, end]) => [...words.slice(0, start), ...words.slice(end)].join(''));
    // Names without separators: `petid`.
    const glued = noun.length > 2 && whole.startsWith(noun) ? [whole.slice(noun.length)] : [];
    return [...rest, ...glued].filter((one) => one !== '');
  });
}

/** `customer_id` for `id` of a customer. */
function findWithNoun({ members, parameter, nouns }: Search): Found[] {
  const wanted = foldName(parameter.name);
  return members
    .filter(({ name }) => nouns.some((noun) => noun !== '' && [noun + wanted, wanted + noun].includes(foldName(name))))
    .map(toFound);
}

function findBySuffix({ members, parameter }: Search): Found[] {
  const words = wordsOf(parameter.name);
  const matching = members.filter(({ name }) => {
    const tail = wordsOf(name);
    return tail.length > 0 && tail.length < words.length && tail.join(' ') === words.slice(-tail.length).join(' ');
  });
  const most = Math.max(0, ...matching.map(({ name }) => wordsOf(name).length));
  return matching.filter(({ name }) => wordsOf(name).length === most).map(toFound);
}

/** The only member that looks like the parameter, if the one with its name has another type. */
function findContradicting(search: Search): Found[] {
  const named = [...findWithoutNoun(search), ...findBySuffix(search)];
  const isOther =
    named.length > 0 && named.every(({ schema }) => !isSameType(schema, search.parameter.schema, search.api));
  return isOther ? findAlike(search) : [];
}

/** The only member that has most in common with the parameter. */
function findAlike({ members, parameter, api }: Search): Found[] {
  const ranked = members
    .map((member) => ({ member, rank: likeness(member.schema, parameter, api) }))
    .filter(({ rank }) => rank > 1);
  const most = Math.max(0, ...ranked.map(({ rank }) => rank));
  const best = ranked.filter(({ rank }) => rank === most);
  return best.length === 1 ? best.map(({ member }) => toFound(member)) : [];
}

/** A usual name; those with the type of the parameter come first if its name is only the name of the item. */
function findUsual({ members, parameter, nouns, api }: Search): Found[] {
  const isBare = nouns.includes(foldName(parameter.name)) || wordsOf(parameter.name).length === 1;
  const fitting = members.filter(({ schema }) => isSameType(schema, parameter.schema, api));
  const hasLabel = members.some(({ name }) => LABELS.has(foldName(name)));
  const names = hasLabel ? [...USUAL_NAMES, 'name'] : USUAL_NAMES;
  const usual = isBare ? pickByNames(fitting, names) : [];
  return usual.length > 0 ? usual : pickByNames(members, USUAL_NAMES);
}

/** Where items show their own address: in a member, or in one of their links. */
const ADDRESSES: readonly (readonly string[])[] = [
  ...['href', 'self', 'selfLink', 'self_link', 'url', 'uri', '_self', '@id'].map((name) => [name]),
  ...['_links', 'links'].flatMap((links) => [
    [links, 'self', 'href'],
    [links, 'self'],
  ]),
  ['meta', 'href'],
];

/** The address of an item, which the server writes: a client does not send it. */
function findAddress({ item, api, sent }: Search): Found[] {
  const found = ADDRESSES.flatMap((path) => {
    const schema = sent.has(path[0] ?? '') ? undefined : schemaAt(item, path, api);
    const isText = schema !== undefined && typesOf(schema, api).has('string') && isScalar(schema, api);
    return isText ? [{ path, schema, isLink: true as const }] : [];
  });
  return found.slice(0, 1);
}

/** `lago_id` for `id`. */
function findEnding({ members, parameter }: Search): Found[] {
  const words = wordsOf(parameter.name);
  return members.filter(({ name }) => wordsOf(name).slice(-words.length).join(' ') === words.join(' ')).map(toFound);
}

function pickByNames(members: readonly Member[], names: readonly string[]): Found[] {
  const found = names.flatMap((name) => members.find((member) => member.name.toLowerCase() === name) ?? []);
  return found.slice(0, 1).map(toFound);
}

/** Of several candidates, the one with the type of the parameter, else the one most like it, else the first. */
function pickBest(
  candidates: readonly Found[],
  { parameter, api }: Search,
): { readonly found: Found; readonly isTied: boolean } | undefined {
  const ranked = candidates
    .map((found) => ({
      found,
      rank: (isSameType(found.schema, parameter.schema, api) ? 100 : 0) + likeness(found.schema, parameter, api),
    }))
    .sort((one, other) => other.rank - one.rank);
  const [first, second] = ranked;
  return first && { found: first.found, isTied: second?.rank === first.rank };
}

/** The forms of a noun in names: its singular, and the ends of a noun of several words. */
function formsOf(noun: string): string[] {
  const words = wordsOf(noun);
  return words.flatMap((_, start) => {
    const tail = words.slice(start).join('');
    return tail === '' ? [] : [tail];
  });
}

function isScalar(schema: Schema, api: Api): boolean {
  const types = typesOf(schema, api);
  return !types.has('object') && !types.has('array') && !types.has('boolean');
}
