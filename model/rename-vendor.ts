import type { DocumentSet, SourceDocument } from './document/source-document.js';
import { isRecord, type RawRecord, setMember } from './document/records.js';
import { upperFirst } from './identifiers.js';
import { suggestName } from './diagnostics/closest-name.js';
import { InputError } from './diagnostics/input-error.js';
import type { Api } from './api.js';

/**
 * Replaces the words `vendor` and `engine` with the real names of `NAME[,header=NAME][,media=NAME][,engine=NAME]`, and
 * whole words of the documents with those of `,WORD=NAME`, everywhere except in prose. Without a vendor, the documents
 * stay unchanged.
 *
 * @throws InputError if the names do not have this form, or no document has a word.
 */
export function renameDocuments(sets: readonly DocumentSet[], vendor: string | undefined): readonly DocumentSet[] {
  if (vendor === undefined) return sets;
  const names = parseVendor(vendor);
  const documents = sets.flatMap((set) => [...set.documents.values()]);
  checkWords(
    names,
    documents.map(({ root }) => root),
  );
  return sets.map((set) => renameSet(set, names));
}

/** @throws InputError for a word that no document has. */
function checkWords({ words }: VendorNames, documents: readonly unknown[]): void {
  if (words === undefined) return;
  const texts = new Set<string>();
  documents.forEach((document) => collectTexts(document, texts));
  for (const word of words.keys()) {
    if (texts.has(word)) continue;
    const names = [...PARTS, ...[...texts].filter((text) => WORD.test(text))];
    throw new InputError(`The vendor's word ${JSON.stringify(word)} is not in the spec.${suggestName(word, names)}`);
  }
}

/** Collects the texts that are renamed: names and values, without prose. */
function collectTexts(value: unknown, texts: Set<string>): void {
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string') texts.add(next);
    else if (Array.isArray(next)) open.push(...(next as unknown[]).filter((item) => item !== null));
    else if (isRecord(next)) {
      for (const [key, member] of Object.entries(next)) {
        texts.add(key);
        if (member !== null && !PROSE.has(key)) open.push(member);
      }
    }
  }
}

function renameSet(set: DocumentSet, names: VendorNames): DocumentSet {
  const renamed = new Map([...set.documents.values()].map((document) => [document, renameDocument(document, names)]));
  const documents = new Map([...set.documents].map(([path, document]) => [path, renamed.get(document) ?? document]));
  return { ...set, entry: renamed.get(set.entry) ?? set.entry, documents };
}

function renameDocument(document: SourceDocument, names: VendorNames): SourceDocument {
  return { ...document, root: renameValue(document.root, names) };
}

/** Sentences for people, in which the word is not replaced. */
const PROSE: ReadonlySet<string> = new Set(['description', 'summary', 'title', 'x-assumption', 'x-rule', '$comment']);
/** Addresses: the part before `#` names a file or resource, which keeps its name. */
const ADDRESSES: ReadonlySet<string> = new Set([
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
  '$id',
  '$schema',
  'externalValue',
]);

function renameValue(value: unknown, names: VendorNames): unknown {
  if (typeof value === 'string') return renameText(value, names);
  if (Array.isArray(value)) return value.map((item) => renameValue(item, names));
  return isRecord(value) ? renameMembers(value, names, (member) => renameValue(member, names)) : value;
}

/** Renames the members of an object, except prose and the part of an address before `#`. */
function renameMembers(
  record: RawRecord,
  names: VendorNames,
  rename: (value: unknown) => unknown,
): Record<string, unknown> {
  const renamed: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(record))
    setMember(renamed, renameText(key, names), renameMember(key, member, { names, rename }));
  return renamed;
}

interface Renaming {
  readonly names: VendorNames;
  readonly rename: (value: unknown) => unknown;
}

function renameMember(key: string, member: unknown, { names, rename }: Renaming): unknown {
  if (typeof member !== 'string') return rename(member);
  if (PROSE.has(key)) return member;
  if (!ADDRESSES.has(key)) return renameText(member, names);
  const hash = member.indexOf('#');
  return hash < 0 ? member : member.slice(0, hash) + renameText(member.slice(hash), names);
}

/** The real names that replace the words `vendor` and `engine`. */
export interface VendorNames {
  /** In member names, enum values and path words. */
  readonly name: string;
  readonly header: string;
  readonly media: string;
  /** Replaces `engine`; if absent, the word stays. */
  readonly engine?: string;
  /** Real names of whole words, such as values of an enum. */
  readonly words?: ReadonlyMap<string, string>;
}

const PARTS = ['header', 'media', 'engine'] as const;

/**
 * Reads `NAME[,header=NAME][,media=NAME][,engine=NAME][,WORD=NAME]`.
 *
 * @throws InputError if a part is repeated or not a valid name.
 */
export function parseVendor(text: string): VendorNames {
  const [name = '', ...parts] = text.split(',').map((part) => part.trim());
  const given = new Map<string, string>();
  for (const part of parts) {
    const [key = '', value = ''] = part.split('=', 2).map((side) => side.trim());
    const isPart = PARTS.some((known) => known === key);
    const hint = isPart ? '' : suggestName(key, PARTS);
    if (hint !== '') throw new InputError(`The vendor has no part ${JSON.stringify(key)}.${hint}`);
    if (given.has(key)) throw new InputError(`The vendor's ${key} is given twice.`);
    given.set(key, isPart ? checkName(value) : checkWord(key, value));
  }
  const engine = given.get('engine');
  const real = checkName(name);
  const words = [...given].filter(([key]) => !PARTS.some((known) => known === key));
  return {
    name: real,
    header: given.get('header') ?? real,
    media: given.get('media') ?? real,
    ...(engine === undefined ? {} : { engine }),
    ...(words.length === 0 ? {} : { words: new Map(words) }),
  };
}

const WORD = /^[\w.-]{1,100}$/;

/** The real name of a whole word keeps its letter case. */
function checkWord(word: string, name: string): string {
  if (WORD.test(name) && WORD.test(word)) return name;
  throw new InputError(`The vendor's part ${JSON.stringify(`${word}=${name}`)} must be WORD=NAME.`);
}

function checkName(name: string): string {
  if (/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/i.test(name)) return name.toLowerCase();
  throw new InputError(
    `The vendor's name ${JSON.stringify(name)} must start with a letter and have only letters, digits and single dashes.`,
  );
}

/** Names that contain the word and are not replaced. */
const FIXED: ReadonlySet<string> = new Set(['vendor-openai']);

const HEADER = /(?<![A-Za-z0-9])([Xx]-)(vendor|Vendor|VENDOR)(?=-)/g;
const MEDIA = /(?<=\bvnd\.)vendor(?![A-Za-z0-9])/g;
const VENDOR =
  /(?<![a-z])vendor(?![a-z]|[A-Z][A-Z])|(?<![a-z])vendor(?=apis\b)|Vendor(?![a-z])|(?<![A-Za-z])VENDOR(?![A-Za-z])/g;
const ENGINE = /(?<![a-z])engine(?![a-z]|[A-Z][A-Z])|Engine(?![a-z])|(?<![A-Za-z])ENGINE(?![A-Za-z])/g;

/** A text of a document (a name, a value, a path, a header, a media type) with the real names in it. */
export function renameText(text: string, names: VendorNames): string {
  const whole = names.words?.get(text);
  if (whole !== undefined) return whole;
  // Most texts of a document contain neither word.
  if (!/vendor|engine/i.test(text) || FIXED.has(text)) return text;
  const renamed = text
    .replaceAll(HEADER, (_whole, start: string, word: string) => start + styleHeader(names.header, word))
    .replaceAll(MEDIA, names.media);
  const named = replaceWord(renamed, VENDOR, names.name);
  return names.engine === undefined ? named : replaceWord(named, ENGINE, names.engine);
}

/** Replaces a word with a name, in the case style of the word: vendorA, VendorA, VENDOR_A, vendor-a. */
function replaceWord(text: string, pattern: RegExp, name: string): string {
  const parts = name.split('-');
  return text.replaceAll(pattern, (word, at: number) => {
    if (word === word.toUpperCase()) return parts.join('_').toUpperCase();
    if (word !== word.toLowerCase()) return parts.map(upperFirst).join('');
    const isCamel = /^[A-Z]/.test(text.slice(at + word.length));
    return isCamel ? parts.map((part, index) => (index === 0 ? part : upperFirst(part))).join('') : name;
  });
}

function styleHeader(name: string, word: string): string {
  if (word === word.toUpperCase()) return name.toUpperCase();
  return word === word.toLowerCase() ? name : name.split('-').map(upperFirst).join('-');
}

/** Renames an API that was read before its vendor was known. Files and diagnostics keep the words of the documents. */
export function renameApi(api: Api, names: VendorNames): Api {
  const known = new Map<object, unknown>();
  const rename = (value: unknown): unknown => {
    if (typeof value === 'string') return renameText(value, names);
    if (typeof value !== 'object' || value === null) return value;
    const renamed = known.get(value) ?? renameObject(value);
    // A shared schema object stays shared, because compiled validators are looked up by object.
    known.set(value, renamed);
    return renamed;
  };
  const renameObject = (value: object): unknown => {
    if (value instanceof Map)
      return new Map([...value].map(([key, member]: [unknown, unknown]) => [rename(key), rename(member)]));
    if (Array.isArray(value)) return value.map(rename);
    return isRecord(value) ? renameMembers(value, names, rename) : value;
  };
  const { files, diagnostics, ...rest } = api;
  // Cast: renaming keeps the type.
  return { ...(rename(rest) as Omit<Api, 'files' | 'diagnostics'>), files, diagnostics };
}
