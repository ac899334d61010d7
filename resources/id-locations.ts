import type { Api, Parameter } from '../model/api.js';
import type { Schema } from '../model/schema-types.js';
import { foldName, splitWords } from './inflection.js';
import type { IdMember } from './resource.js';
import { type Member, isObjectSchema, keywordOf, membersOf, typesOf } from './schema-members.js';

/** Members that name a thing when nothing says it better, the surest first. */
const USUAL_NAMES: readonly string[] = ['id', '_id', 'uuid', 'guid', 'number', 'key', 'slug', 'login', 'name', 'code'];

/** Without a path that asks for one item, only a true id tells items apart. */
const SURE_NAMES: readonly string[] = ['id', '_id', 'uuid', 'guid'];

/**
 * Finds the member that holds the id of an item: the one of the path parameter's name, one level down too
 * (`tableReference.tableId`), one whose name ends the parameter's (`id` for `petId`), or one of the usual names.
 *
 * @param parameter - the path parameter that names an item; absent where no path does.
 */
export function findId(schema: Schema, api: Api, parameter: Parameter | undefined): IdMember | undefined {
  const members = [...membersOf(schema, api).values()].filter((member) => isScalar(member.schema, api));
  if (parameter === undefined) return toId(pickByNames(members, SURE_NAMES));
  const fitting = members.filter((member) => areTypesCompatible(member.schema, parameter.schema, api));
  return (
    toId(fitting.find(({ name }) => foldName(name) === foldName(parameter.name))) ??
    findNested(schema, parameter, api) ??
    toId(findBySuffix(fitting, parameter.name)) ??
    toId(pickByNames(fitting, USUAL_NAMES)) ??
    toId(findBySuffix(members, parameter.name)) ??
    toId(pickByNames(members, SURE_NAMES))
  );
}

/** The member that repeats a parameter of the collection's path: `userId` of a post of `/users/{userId}/posts`. */
export function findParentMember(schema: Schema, api: Api, parameter: Parameter): IdMember | undefined {
  const member = [...membersOf(schema, api).values()].find(({ name }) => foldName(name) === foldName(parameter.name));
  if (member !== undefined && isScalar(member.schema, api)) return toId(member);
  return findNested(schema, parameter, api);
}

function toId(member: Member | undefined): IdMember | undefined {
  return member === undefined ? undefined : { path: [member.name], schema: member.schema, prefix: '' };
}

/** A name of one word is too common to be looked for inside other members. */
function findNested(schema: Schema, parameter: Parameter, api: Api): IdMember | undefined {
  if (splitWords(parameter.name).length < 2) return undefined;
  for (const outer of membersOf(schema, api).values()) {
    if (!isObjectSchema(outer.schema, api)) continue;
    for (const inner of membersOf(outer.schema, api).values()) {
      const isNamed = foldName(inner.name) === foldName(parameter.name) && isScalar(inner.schema, api);
      if (isNamed) return { path: [outer.name, inner.name], schema: inner.schema, prefix: '' };
    }
  }
  return undefined;
}

function findBySuffix(members: readonly Member[], parameter: string): Member | undefined {
  const words = splitWords(parameter);
  const matching = members.filter(({ name }) => {
    const tail = splitWords(name);
    return tail.length > 0 && tail.length < words.length && tail.join(' ') === words.slice(-tail.length).join(' ');
  });
  return matching.toSorted((one, other) => splitWords(other.name).length - splitWords(one.name).length)[0];
}

function pickByNames(members: readonly Member[], names: readonly string[]): Member | undefined {
  const found = names.map((name) => members.find((member) => member.name.toLowerCase() === name));
  return found.find((member) => member !== undefined);
}

function isScalar(schema: Schema, api: Api): boolean {
  const types = typesOf(schema, api);
  return !types.has('object') && !types.has('array') && !types.has('boolean');
}

function areTypesCompatible(member: Schema, parameter: Schema, api: Api): boolean {
  const [one, other] = [isNumeric(member, api), isNumeric(parameter, api)];
  return one === undefined || other === undefined || one === other;
}

function isNumeric(schema: Schema, api: Api): boolean | undefined {
  const types = typesOf(schema, api);
  const [hasNumber, hasText] = [types.has('integer') || types.has('number'), types.has('string')];
  return hasNumber === hasText ? undefined : hasNumber;
}

/**
 * What stands before the id in its member but not in the path: resource names such as `files/abc` below `/files/{name}`.
 *
 * @param values - values of the member that the document shows.
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
  const texts = [...values, ...(keywordOf(id.schema, 'examples', place.api) ?? [])].filter(
    (value) => typeof value === 'string',
  );
  return texts.length > 0 && texts.every((text) => text.startsWith(prefix)) ? prefix : '';
}
