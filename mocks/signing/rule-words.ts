import type { DocumentInput } from '../../generated/signing/types.js';
import type { StoredDocument } from './case-record.js';
import { describeContent } from './document-content.js';

/** `Parties, Documents and AllowedSignatureTypes`. */
export function joinWords(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

/** The index of the first item whose Id stands before it already. */
export function findRepetition(items: readonly { readonly Id?: string }[]): number | undefined {
  const seen = new Set<string>();
  for (const [index, { Id }] of items.entries()) {
    if (Id === undefined) continue;
    if (seen.has(Id)) return index;
    seen.add(Id);
  }
  return undefined;
}

/** The member that would change in a stored document, though it cannot. */
export function describeLockedMember(stored: StoredDocument, given: DocumentInput): string | undefined {
  const { Data = '', ContentType, Type, IsRequired } = given;
  if (Data !== '' && describeContent(Data).Hash !== stored.Hash) return 'Data';
  if (ContentType !== undefined && ContentType !== stored.ContentType) return 'ContentType';
  if (Type !== undefined && Type !== stored.Type) return 'Type';
  return IsRequired !== undefined && IsRequired !== stored.IsRequired ? 'IsRequired' : undefined;
}

/** The same record with its members in one order, to compare it as text. */
export function sortMembers(value: object): object {
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
