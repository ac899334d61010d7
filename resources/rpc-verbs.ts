import type { Operation } from '../model/api.js';
import type { Role } from '../contract/resources/id-slot.js';

/** Verbs as calls have them in their paths. */
const VERBS: Readonly<Record<Role, readonly string[]>> = {
  create: ['create', 'add', 'insert', 'register', 'new', 'post'],
  list: ['list', 'find', 'search', 'query'],
  read: ['get', 'read', 'fetch', 'show', 'describe', 'retrieve', 'view', 'load'],
  replace: ['replace', 'put'],
  change: ['update', 'edit', 'modify', 'change', 'patch', 'set'],
  remove: ['delete', 'remove', 'destroy', 'drop'],
};

const ROLES = new Map(
  (Object.entries(VERBS) as [Role, readonly string[]][]).flatMap(([role, verbs]) =>
    verbs.map((verb) => [verb, role] as const),
  ),
);

/** What the last part of a path says, where it is a verb with a noun: `/api/createcase`, `/api/case.create`, `/case/create`. */
export interface CallWords {
  readonly role: Role;
  /** In the singular and in lower case. */
  readonly noun: string;
  /** The path before. */
  readonly folder: string;
}

export function readCallWords({ path }: Operation): CallWords | undefined {
  const segments = path.split('/').filter((segment) => segment !== '');
  const last = segments.at(-1) ?? '';
  if (last.includes('{')) return undefined;
  const words = last
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const [first = '', ...rest] = words;
  const own = splitWords(words) ?? (rest.length === 0 ? splitWord(first) : undefined);
  if (own !== undefined) return { ...own, folder: `/${segments.slice(0, -1).join('/')}` };
  const role = rest.length === 0 ? ROLES.get(first) : undefined;
  const before = segments.at(-2);
  if (role === undefined || before === undefined || before.includes('{')) return undefined;
  return { role, noun: singular(before.toLowerCase()), folder: `/${segments.slice(0, -2).join('/')}` };
}

function splitWords(words: readonly string[]): Omit<CallWords, 'folder'> | undefined {
  if (words.length < 2) return undefined;
  const first = ROLES.get(words[0] ?? '');
  if (first !== undefined) return { role: first, noun: singular(words.slice(1).join('')) };
  const last = ROLES.get(words.at(-1) ?? '');
  return last === undefined ? undefined : { role: last, noun: singular(words.slice(0, -1).join('')) };
}

/** `createcase` in one word. */
function splitWord(word: string): Omit<CallWords, 'folder'> | undefined {
  const verb = [...ROLES.keys()]
    .filter((one) => word.startsWith(one) && word.length > one.length + 2)
    .sort((one, other) => other.length - one.length)[0];
  const role = verb === undefined ? undefined : ROLES.get(verb);
  return verb === undefined || role === undefined ? undefined : { role, noun: singular(word.slice(verb.length)) };
}

/** As English makes a plural, most of the time. */
export function singular(noun: string): string {
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`;
  if (/(?:s|x|z|ch|sh)es$/.test(noun) && !/[aeiou]ses$/.test(noun)) return noun.slice(0, -2);
  return /[^s]s$/.test(noun) ? noun.slice(0, -1) : noun;
}
