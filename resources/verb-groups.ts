import { getOrInsert } from '../model/maps.js';
import type { Api, Operation } from '../model/api.js';
import { callsByShape, roleByShape } from './calls-by-shape.js';
import { type UnsureCall, type VerbCall, type VerbWords, readCallWords, readVerbWords } from './rpc-verbs.js';

/** The calls for one kind of item: `/api/createcase`, `/api/findcases`, `/api/getcase`. */
export interface VerbGroup {
  /** Folder and noun: `/api/case`. */
  readonly name: string;
  /** Unique: the path before the word, where it has one, as in `/documents` for `/documents.create`; else the name. */
  readonly path: string;
  readonly folder: string;
  readonly noun: string;
  /** The first call of each role, in document order, then further reads and actions. */
  readonly calls: readonly VerbCall[];
  /** Other operations that create items: `/api/createcasefromtemplate`. */
  readonly creators: readonly Operation[];
  /** Calls that may read an item: their words do not say so, and others may do so too. */
  readonly unsure: readonly UnsureCall[];
  /** Calls in the folder that have no role. */
  readonly others: readonly Operation[];
  /** Whether calls by verb exist for no other kind of item. */
  readonly isOnly: boolean;
}

interface WordCall {
  readonly operation: Operation;
  readonly words: VerbWords;
}

/** Groups the calls by verb of an API. A noun with a single role is not a kind of item. */
export function findVerbGroups(api: Api): VerbGroup[] {
  const { operations } = api;
  const calls = operations.flatMap((operation): WordCall[] => {
    const words = readVerbWords(operation);
    const isWriting = words !== undefined && words.role !== 'read' && words.role !== 'list';
    return words === undefined || (isWriting && operation.method === 'get') ? [] : [{ operation, words }];
  });
  const groups = new Map<string, WordCall[]>();
  const others = new Map<string, { operation: Operation; word: string }[]>();
  for (const call of calls) {
    const group = getOrInsert(groups, nameOf(call.words), () => []);
    if (group.every(({ words }) => words.role !== call.words.role)) group.push(call);
  }
  const grouped = new Set([...groups.values()].flat().map(({ operation }) => operation));
  for (const operation of operations) {
    if (grouped.has(operation)) continue;
    const words = readCallWords(operation).find((one) => groups.has(nameOf(one)));
    if (words !== undefined) getOrInsert(others, nameOf(words), () => []).push({ operation, word: words.word });
  }
  const kinds = [...groups]
    .map(([name, group]) => toGroup(name, group, { calls, others: others.get(name) ?? [], api }))
    .filter((group) => group.calls.length > 1);
  return kinds.map((group, index) => {
    const isTaken = kinds.findIndex(({ path }) => path === group.path) < index;
    return { ...group, path: isTaken ? group.name : group.path, isOnly: kinds.length === 1 };
  });
}

function nameOf({ folder, noun }: Pick<VerbWords, 'folder' | 'noun'>): string {
  return `${folder}/${noun}`.replace('//', '/');
}

interface Around {
  readonly calls: readonly WordCall[];
  readonly others: readonly { readonly operation: Operation; readonly word: string }[];
  readonly api: Api;
}

function toGroup(
  name: string,
  group: readonly WordCall[],
  { calls: all, others, api }: Around,
): Omit<VerbGroup, 'isOnly'> {
  const { folder = '/', noun = '' } = group[0]?.words ?? {};
  const creators = all
    .filter(({ words }) => words.role === 'create' && words.folder === folder && words.noun.startsWith(noun))
    .map(({ operation }) => operation)
    .filter((operation) => group.every((call) => call.operation !== operation));
  const byWord = group.map(({ operation, words: { role } }): VerbCall => ({
    operation,
    ...roleByShape(operation, role, {
      noun,
      group: group.map((one) => ({ operation: one.operation, role: one.words.role })),
      api,
    }),
  }));
  const free = others.filter(({ operation }) => !creators.includes(operation));
  const { found, unsure } = free.length === 0 ? { found: [], unsure: [] } : callsByShape(byWord, free, { noun, api });
  const path = pathOf(group[0]?.operation.path ?? name, noun, name);
  const calls = [...byWord, ...found];
  const rest = free
    .map(({ operation }) => operation)
    .filter((one) => calls.every(({ operation }) => operation !== one));
  return { name, path, folder, noun, calls, creators, unsure, others: rest };
}

/** The path of a call without its word: `/documents` for `/documents.create` and `/documents/create`. */
function pathOf(path: string, noun: string, name: string): string {
  const cut = path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('.')));
  const last = cut.slice(cut.lastIndexOf('/') + 1).toLowerCase();
  return cut !== '' && last.startsWith(noun.slice(0, 3)) ? cut : name;
}
