import type { Api } from '../../model/api.js';
import type { VendorNames } from '../../model/brand/parse-vendor.js';
import { renameText } from '../../model/brand/rename-text.js';
import { type ApiWords, collectApiWords } from './api-words.js';
import { escapePattern } from './escape-pattern.js';
import { createPathWords, type PathWords, type TranslatePath } from './path-words.js';
import { toSnakeCase } from './schema-words.js';

type Table = ReadonlyMap<string, string>;

/** What becomes of each word in one direction. Whatever is in no table stays as it is. */
export interface Words {
  readonly headers: Table;
  readonly queries: Table;
  readonly cookies: Table;
  readonly members: Table;
  /** The members of schemas and of examples: under other names the user has data. */
  readonly names: ReadonlySet<string>;
  /** A value is a word only under these members and parameters. */
  readonly values: ReadonlyMap<string, { readonly to: string; readonly under: ReadonlySet<string> }>;
  readonly mediaTypes: Table;
  readonly path: TranslatePath;
  /** Whether targets, and so URLs of the mock itself, may hold a word. */
  readonly hasTargets: boolean;
  readonly opaque: ApiWords['opaque'];
  /** The words of this API inside a sentence of the mock. */
  readonly sentence: (text: string) => string;
}

/** The words of the seed and the real ones, both ways. */
export interface Translation {
  /** From what a client sends; the words of the seed pass as they are. */
  readonly inbound: Words;
  /** To what a client gets. */
  readonly outbound: Words;
}

/** The translation for an API that was read in the words of the seed; nothing where none of them holds a name. */
export function createTranslation(api: Api, names: VendorNames): Translation | undefined {
  const words = collectApiWords(api);
  const rename = (text: string): string => renameText(text, names);
  const paths = createPathWords(api.operations, rename);
  const pairs: Pairs = {
    headers: [...words.headers].flatMap(([lower, name]) => pair(lower, rename(name).toLowerCase())),
    queries: [...words.queries].flatMap((name) => pair(name, rename(name))),
    cookies: [...words.cookies].flatMap((name) => pair(name, rename(name))),
    members: [...words.members].flatMap((name) => pair(name, renameMember(name, rename))),
    values: [...words.values.keys()].flatMap((value) => pair(value, rename(value))),
    mediaTypes: [...words.mediaTypes].flatMap((type) => pair(type, rename(type))),
  };
  if (paths.isEmpty && Object.values(pairs).every((list) => list.length === 0)) return undefined;
  return { inbound: inboundWords(words, pairs, paths), outbound: outboundWords(words, pairs, paths, rename) };
}

type Pair = readonly [seed: string, real: string];
type Kind = 'headers' | 'queries' | 'cookies' | 'members' | 'values' | 'mediaTypes';
type Pairs = Readonly<Record<Kind, readonly Pair[]>>;

function pair(seed: string, real: string): Pair[] {
  return seed === real ? [] : [[seed, real]];
}

/** A dash in the vendor's name is an underscore where the member is written with underscores. */
function renameMember(name: string, rename: (text: string) => string): string {
  return name.includes('_') && name === name.toLowerCase()
    ? toSnakeCase(rename(name)).replaceAll('-', '_')
    : rename(name);
}

function inboundWords(words: ApiWords, pairs: Pairs, paths: PathWords): Words {
  // A real name that the API has a meaning for already keeps that one.
  const back = (kind: Kind): Table => {
    const own: { has(text: string): boolean } = words[kind];
    return new Map(pairs[kind].flatMap(([seed, real]) => (own.has(real) ? [] : [[real, seed] as const])));
  };
  return {
    headers: back('headers'),
    queries: back('queries'),
    cookies: back('cookies'),
    members: back('members'),
    names: withReal(namesOf(words), pairs),
    values: valueTable(back('values'), (_real, seed) => withReal(words.values.get(seed) ?? [], pairs)),
    mediaTypes: back('mediaTypes'),
    path: paths.inbound,
    hasTargets: !paths.isEmpty || pairs.queries.length > 0,
    opaque: new Map([...words.opaque].flatMap(([key, kind]) => [...withReal([key], pairs)].map((one) => [one, kind]))),
    sentence: (text) => text,
  };
}

function outboundWords(words: ApiWords, pairs: Pairs, paths: PathWords, rename: (text: string) => string): Words {
  const spelled = pairs.headers.flatMap(([lower]) => [
    ...pair(words.headers.get(lower) ?? lower, rename(words.headers.get(lower) ?? lower)),
  ]);
  return {
    headers: new Map(pairs.headers),
    queries: new Map(pairs.queries),
    cookies: new Map(pairs.cookies),
    members: new Map(pairs.members),
    names: namesOf(words),
    values: valueTable(new Map(pairs.values), (seed) => words.values.get(seed)),
    mediaTypes: new Map(pairs.mediaTypes),
    path: paths.outbound,
    hasTargets: !paths.isEmpty || pairs.queries.length > 0,
    opaque: words.opaque,
    sentence: createSentence(new Map([...Object.values(pairs).flat(), ...spelled, ...paths.segments])),
  };
}

function namesOf({ members, values }: ApiWords): ReadonlySet<string> {
  return new Set([...members, ...[...values.values()].flatMap((keys) => [...keys])]);
}

/** Names of members and parameters, and the real names of those that have one. */
function withReal(keys: Iterable<string>, { members, queries, headers }: Pairs): ReadonlySet<string> {
  const real = new Map([...headers, ...queries, ...members]);
  return new Set([...keys].flatMap((key) => [key, real.get(key) ?? key]));
}

function valueTable(
  table: Table,
  keysOf: (from: string, to: string) => ReadonlySet<string> | undefined,
): Words['values'] {
  return new Map([...table].map(([from, to]) => [from, { to, under: keysOf(from, to) ?? new Set<string>() }]));
}

/** In a sentence the bare word is a word of the language, too. */
function createSentence(table: Table): (text: string) => string {
  const words = [...table.keys()].filter((word) => !/^(?:vendor|engine)$/i.test(word));
  if (words.length === 0) return (text) => text;
  const longestFirst = words.toSorted((one, other) => other.length - one.length).map(escapePattern);
  const pattern = new RegExp(`(?<![A-Za-z0-9_-])(?:${longestFirst.join('|')})(?![A-Za-z0-9_-])`, 'g');
  return (text) => text.replaceAll(pattern, (word) => table.get(word) ?? word);
}
