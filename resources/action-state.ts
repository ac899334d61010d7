import type { Api, Operation } from '../model/api.js';
import type { Schema } from '../model/schema-types.js';
import { foldName, wordsOf } from './inflection.js';
import { type Member, keywordOf, membersOf, typesOf } from '../schema/facts/members.js';

const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['pay', 'paid'],
  ['send', 'sent'],
  ['hold', 'held'],
  ['withdraw', 'withdrawn'],
]);

/** The words for an item after `/trips/{id}/finish` or `/orders/{id}:cancel`, such as `finished`. */
export function participlesOf(path: string): ReadonlySet<string> {
  const verb = foldName(path.split(/[/:]/).at(-1) ?? '');
  const last = verb.at(-1) ?? '';
  const regular = [`${verb}ed`, `${verb}${last}ed`, `${verb}d`, verb.replace(/y$/, 'ied')];
  return new Set(verb.length < 3 ? [] : [...regular, IRREGULAR.get(verb) ?? verb].filter((one) => one !== verb));
}

/**
 * The value that a member has after an action, because the spec lists it: `voided` of a `credit_status` after `/void`.
 * What is promised here, mocks do and contract runs expect.
 */
export function stateAfter({ schema }: Pick<Member, 'schema'>, path: string, api: Api): string | undefined {
  const words = participlesOf(path);
  return textsOf(schema, api).find((value) => words.has(foldName(value)));
}

/** A boolean member of an item that an operation sets. */
export interface Flag {
  readonly name: string;
  readonly value: boolean;
}

/**
 * The flag that an operation below an item sets if it neither takes nor shows anything: `locked` is true after
 * `PUT /issues/{id}/lock`, and false after `DELETE` there or `POST /issues/{id}/unlock`. `undefined` if the path can be
 * read, so that it is a thing of its own.
 */
export function flagAfter(operation: Operation, item: Schema, api: Api): Flag | undefined {
  const { method, path, body, responses } = operation;
  const isSilent = responses.some(({ status, content }) => /^20[04]$/.test(status) && content.length === 0);
  const isRead = api.operations.some((one) => one.path === path && one.method === 'get');
  if (!['put', 'post', 'delete'].includes(method) || body?.required === true || !isSilent || isRead) return undefined;
  const word = foldName(path.split(/[/:]/).at(-1) ?? '');
  const isUndone = word.startsWith('un') && word.length > 5;
  const found = flagsNamed(word, item, api);
  const [flag, ...others] = found.length > 0 || !isUndone ? found : flagsNamed(word.slice(2), item, api);
  if (flag === undefined || others.length > 0) return undefined;
  return { name: flag, value: method !== 'delete' && (found.length > 0 || !isUndone) };
}

/** The boolean members that a word names: `locked` of `lock`, `isStarred` of `star`, `retired` of `retirement`. */
function flagsNamed(word: string, item: Schema, api: Api): string[] {
  const participles = participlesOf(word);
  return [...membersOf(item, api).values()]
    .filter(({ schema }) => typesOf(schema, api).has('boolean'))
    .map(({ name }) => name)
    .filter((name) => {
      const own = foldName(name).replace(/^is(?=\w{4})/, '');
      const shared = [...own].findIndex((letter, index) => letter !== word[index]);
      return participles.has(own) || own === word || (shared >= 5 && own.length - shared <= 3);
    });
}

/** The value of a status that begins with the word of an action: `cancelling` after `/cancel`. No promise. */
export function likelyStateAfter({ name, schema }: Member, stem: string, api: Api): string | undefined {
  if (!['status', 'state', 'phase'].includes(wordsOf(name).at(-1) ?? '')) return undefined;
  return textsOf(schema, api).find((value) => value.toLowerCase().startsWith(stem));
}

function textsOf(schema: Member['schema'], api: Api): string[] {
  return (keywordOf(schema, 'enum', api) ?? []).filter((value) => typeof value === 'string');
}
