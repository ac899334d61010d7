import type { Operation } from '../model/api.js';
import { wordsOf, toSingular } from './inflection.js';
import type { Basis, MainRole, Role } from './resource.js';

/** The verbs that are recognized in paths, by role. */
const VERBS: Readonly<Record<MainRole, readonly string[]>> = {
  create: ['create', 'add', 'insert', 'register', 'new', 'post'],
  list: ['list', 'find', 'search', 'query'],
  read: ['get', 'read', 'fetch', 'show', 'describe', 'retrieve', 'view', 'load'],
  replace: ['replace', 'put'],
  patch: ['update', 'edit', 'modify', 'change', 'patch', 'set'],
  delete: ['delete', 'remove', 'destroy', 'drop'],
};

const ROLES = new Map(
  (Object.entries(VERBS) as [MainRole, readonly string[]][]).flatMap(([role, verbs]) =>
    verbs.map((verb) => [verb, role] as const),
  ),
);

/** Whether the name of an operation begins with a verb of creations: `createWalletTransaction`, `add_members`. */
export function isNamedCreation({ id }: Pick<Operation, 'id'>): boolean {
  return ROLES.get(wordsOf(id)[0] ?? '') === 'create';
}

/** A verb and a noun at the end of a path: `/api/createcase`, `/api/case.create`, `/case/create`. */
export interface VerbWords {
  readonly role: MainRole;
  /** Singular, in lower case. */
  readonly noun: string;
  /** The path before the verb and the noun. */
  readonly folder: string;
}

/** A noun and any word at the end of a path: `/case.info`, `/api/caseinfo`, `/case/info`. */
export interface CallWords {
  readonly word: string;
  readonly noun: string;
  readonly folder: string;
}

/** The ways to read the end of a path as a noun and a word, likeliest first. */
export function readCallWords({ path }: Pick<Operation, 'path'>): CallWords[] {
  const segments = path.split('/').filter((segment) => segment !== '');
  const last = segments.at(-1) ?? '';
  if (last.includes('{')) return [];
  const words = wordsOf(last);
  const folder = `/${segments.slice(0, -1).join('/')}`;
  const inside = words.slice(1).flatMap((_, index): CallWords[] => {
    const [head, tail] = [words.slice(0, index + 1), words.slice(index + 1)];
    return [
      { word: tail.join(' '), noun: toSingular(head.join('')), folder },
      { word: head.join(' '), noun: toSingular(tail.join('')), folder },
    ];
  });
  const before = segments.at(-2);
  if (before === undefined || before.includes('{')) return inside;
  const noun = toSingular(before.toLowerCase());
  return [...inside, { word: words.join(' '), noun, folder: `/${segments.slice(0, -2).join('/')}` }];
}

/** Reads the verb and the noun from the path of an operation, if it has both. */
export function readVerbWords({ path }: Pick<Operation, 'path'>): VerbWords | undefined {
  const segments = path.split('/').filter((segment) => segment !== '');
  const last = segments.at(-1) ?? '';
  if (last.includes('{')) return undefined;
  const words = wordsOf(last);
  const [first = '', ...rest] = words;
  const own = readWords(words) ?? (rest.length === 0 ? readWord(first) : undefined);
  if (own !== undefined) return { ...own, folder: `/${segments.slice(0, -1).join('/')}` };
  const role = rest.length === 0 ? ROLES.get(first) : undefined;
  const before = segments.at(-2);
  if (role === undefined || before === undefined || before.includes('{')) return undefined;
  return { role, noun: toSingular(before.toLowerCase()), folder: `/${segments.slice(0, -2).join('/')}` };
}

function readWords(words: readonly string[]): Omit<VerbWords, 'folder'> | undefined {
  if (words.length < 2) return undefined;
  const first = ROLES.get(words[0] ?? '');
  if (first !== undefined) return { role: first, noun: toSingular(words.slice(1).join('')) };
  const last = ROLES.get(words.at(-1) ?? '');
  return last === undefined ? undefined : { role: last, noun: toSingular(words.slice(0, -1).join('')) };
}

const LONGEST_FIRST = [...ROLES.keys()].toSorted((one, other) => other.length - one.length);

/** Reads verb and noun from a single word such as `createcase`. */
function readWord(word: string): Omit<VerbWords, 'folder'> | undefined {
  const verb = LONGEST_FIRST.find((one) => word.startsWith(one) && word.length > one.length + 2);
  const role = verb === undefined ? undefined : ROLES.get(verb);
  return verb === undefined || role === undefined ? undefined : { role, noun: toSingular(word.slice(verb.length)) };
}

/** An operation whose path ends in a noun and a word that says what it does. */
export interface VerbCall {
  readonly operation: Operation;
  readonly role: Exclude<Role, 'createMany'>;
  readonly basis: Basis;
  /** For an action: its word, such as `archive`. */
  readonly verb?: string;
  /** For a creation: whether it takes the id of the item that it copies. */
  readonly isCopy?: true;
}

/** A call whose role is a guess that is not made. */
export interface UnsureCall {
  readonly operation: Operation;
  readonly basis: Basis;
}
