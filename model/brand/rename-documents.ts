import type { DocumentSet, SourceDocument } from '../document/source-document.js';
import { type RawRecord, isRecord, setMember } from '../document/records.js';
import { parseVendor, type VendorNames } from './parse-vendor.js';
import { renameText } from './rename-text.js';

/**
 * Replaces the words `vendor` and `engine` by the real names of `NAME[,header=NAME][,media=NAME][,engine=NAME]`,
 * everywhere in the documents but in prose. Without a vendor the documents stay as they are.
 *
 * @throws InputError if the names are not written so.
 */
export function renameDocuments(set: DocumentSet, vendor: string | undefined): DocumentSet {
  if (vendor === undefined) return set;
  const names = parseVendor(vendor);
  const renamed = new Map([...set.documents.values()].map((document) => [document, renameDocument(document, names)]));
  const documents = new Map([...set.documents].map(([path, document]) => [path, renamed.get(document) ?? document]));
  return { ...set, entry: renamed.get(set.entry) ?? set.entry, documents };
}

function renameDocument(document: SourceDocument, names: VendorNames): SourceDocument {
  return { ...document, root: renameValue(document.root, names) };
}

/** Sentences for people: the word is right in them. */
const PROSE: ReadonlySet<string> = new Set(['description', 'summary', 'title', 'x-assumption', 'x-rule', '$comment']);
/** Addresses: what comes before the `#` names a file or a resource, which is called what it is called. */
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

/** Renames the members of an object: prose stays, and of an address what comes before the `#`. */
export function renameMembers(
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
