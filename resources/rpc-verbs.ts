import type { Operation } from '../model/api.js';
import { wordsOf, toSingular } from './inflection.js';
import type { MainRole } from './resource.js';

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

/** A verb and a noun at the end of a path: `/api/createcase`, `/api/case.create`, `/case/create`. */
export interface VerbWords {
  readonly role: MainRole;
  /** Singular, in lower case. */
  readonly noun: string;
  /** The path before the verb and the noun. */
  readonly folder: string;
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

/** Reads verb and noun from a single word such as `createcase`. */
function readWord(word: string): Omit<VerbWords, 'folder'> | undefined {
  const [verb] = [...ROLES.keys()]
    .filter((one) => word.startsWith(one) && word.length > one.length + 2)
    .sort((one, other) => other.length - one.length);
  const role = verb === undefined ? undefined : ROLES.get(verb);
  return verb === undefined || role === undefined ? undefined : { role, noun: toSingular(word.slice(verb.length)) };
}

/** An operation whose path ends in a verb and a noun. */
export interface VerbCall {
  readonly operation: Operation;
  readonly words: VerbWords;
}

/** The calls for one kind of item: `/api/createcase`, `/api/findcases`, `/api/getcase`. */
export interface VerbGroup {
  /** Folder and noun: `/api/case`. */
  readonly name: string;
  readonly folder: string;
  readonly noun: string;
  /** The first call of each role, in document order. */
  readonly calls: readonly VerbCall[];
  /** Other operations that create items: `/api/createcasefromtemplate`. */
  readonly creators: readonly Operation[];
  /** Whether calls by verb exist for no other kind of item. */
  readonly isOnly: boolean;
}

/** Groups the calls by verb of an API. A noun with a single role is not a kind of item. */
export function findVerbGroups(operations: readonly Operation[]): VerbGroup[] {
  const calls = operations.flatMap((operation): VerbCall[] => {
    const words = readVerbWords(operation);
    const isWriting = words !== undefined && words.role !== 'read' && words.role !== 'list';
    return words === undefined || (isWriting && operation.method === 'get') ? [] : [{ operation, words }];
  });
  const groups = new Map<string, VerbCall[]>();
  for (const call of calls) {
    const name = `${call.words.folder}/${call.words.noun}`.replace('//', '/');
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [call]);
    else if (group.every(({ words }) => words.role !== call.words.role)) group.push(call);
  }
  const kinds = [...groups].filter(([, group]) => group.length > 1);
  return kinds.map(([name, group]) => ({ ...toGroup(name, group, calls), isOnly: kinds.length === 1 }));
}

function toGroup(name: string, group: readonly VerbCall[], calls: readonly VerbCall[]): Omit<VerbGroup, 'isOnly'> {
  const { folder = '/', noun = '' } = group[0]?.words ?? {};
  const creators = calls
    .filter(({ words }) => words.role === 'create' && words.folder === folder && words.noun.startsWith(noun))
    .map(({ operation }) => operation)
    .filter((operation) => group.every((call) => call.operation !== operation));
  return { name, folder, noun, calls: group, creators };
}
