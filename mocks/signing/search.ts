import type { Condition, HandlerContext, StoreQuery } from 'specmill/mock';

import { CaseStatus, type FindcasesRequest, type KeyValueFilter, type Sort } from '../../generated/signing/types.js';
import { type CaseRecord, type StoredCase } from './case-record.js';

type CaseFilter = NonNullable<FindcasesRequest['query']>;

export const DEFAULT_TAKE = 20;

/** Statuses by the lower-case spelling that filters use. */
const STATUSES: ReadonlyMap<string, CaseStatus> = new Map(
  Object.values(CaseStatus).map((status) => [status.toLowerCase(), status]),
);

/** The records of a collection that match every filter, in the requested order. */
export async function search(
  context: HandlerContext,
  collection: string,
  filter: CaseFilter,
): Promise<readonly CaseRecord[]> {
  const { items } = await context.collection<CaseRecord>(collection).query(toQuery(filter));
  return items.map(({ value }) => value);
}

function toQuery(filter: CaseFilter): StoreQuery {
  const matches = matchers(filter);
  return {
    where: conditions(filter),
    order: orderBy(filter.Sort),
    skip: filter.Skip ?? 0,
    take: filter.Take ?? DEFAULT_TAKE,
    countTotal: false,
    ...(matches.length === 0
      ? {}
      : { filter: (value) => matches.every((isMatch) => isMatch((value as CaseRecord).fields)) }),
  };
}

/** The conditions that the store can test. An empty filter has no effect. */
function conditions({ Status, AgentUsername, FromDate, ToDate, ...filter }: CaseFilter): Condition[] {
  const all: readonly (Omit<Condition, 'value'> & { readonly value: string | null | undefined })[] = [
    { path: 'fields.Status', test: 'equals', value: STATUSES.get(Status ?? '') },
    { path: 'fields.AgentUsername', test: 'equals', value: AgentUsername },
    { path: 'createdKey', test: 'from', value: FromDate },
    // Keys start with the second and continue after it.
    { path: 'createdKey', test: 'to', value: isEmpty(ToDate) ? undefined : `${ToDate}~` },
    { path: 'fields.Parties.SocialSecurityNumber', test: 'contains', value: filter.PartySocialSecurityNumber },
    { path: 'fields.Parties.EidSerialNumber', test: 'contains', value: filter.PartyEidSerialNumber },
    { path: 'fields.Parties.EmailAddress', test: 'contains', value: filter.PartyEmailAddress },
    { path: 'fields.Parties.CaseMobilePhone', test: 'contains', value: filter.PartyMobilePhone },
  ];
  return all.filter(({ value }) => !isEmpty(value));
}

function isEmpty(value: string | null | undefined): boolean {
  return value === undefined || value === null || value === '';
}

/** Created sorts by a unique key, so descending is the exact reverse. */
function orderBy(sort: Sort = 'Created'): NonNullable<StoreQuery['order']> {
  const [field, direction] = sort.split(' ');
  const descending = direction === 'DESC';
  if (field === 'Name') return [{ path: 'nameKey', descending }, { path: 'createdKey' }];
  if (field === 'Status') return [{ path: 'fields.Status', descending }, { path: 'createdKey' }];
  return [{ path: 'createdKey', descending }];
}

type Match = (fields: StoredCase) => boolean;

function matchers({ Metadata = {}, FormData = {}, Search = '' }: CaseFilter): Match[] {
  return [
    ...(Object.keys(Metadata).length > 0 ? [(fields: StoredCase) => hasEntries(fields.Metadata, Metadata)] : []),
    ...(Object.keys(FormData).length > 0
      ? [(fields: StoredCase) => fields.Documents.some(({ FormFields = {} }) => hasEntries(FormFields, FormData))]
      : []),
    ...(Search === '' ? [] : [(fields: StoredCase) => isFound(fields, Search)]),
  ];
}

type Dictionary = StoredCase['Metadata'];

/** Whether each key is present (strict), and its value contains the text (partial). */
function hasEntries(dictionary: Dictionary, wanted: KeyValueFilter): boolean {
  return Object.entries(wanted).every(
    ([key, part]) => Object.hasOwn(dictionary, key) && contains(dictionary[key], part),
  );
}

/** Whether a value contains a text, ignoring letter case (partial match). */
function contains(value: Dictionary[string] | undefined, part: string): boolean {
  return value !== null && value !== undefined ? String(value).toLowerCase().includes(part.toLowerCase()) : part === '';
}

/** Whether a text search matches: the text equals a strict field, or is part of a partial one. */
function isFound(fields: StoredCase, text: string): boolean {
  return partialTexts(fields).some((value) => contains(value, text)) || strictTexts(fields).includes(text);
}

/** The fields for strict search; a status in the spelling of reads and in that of the Status filter. */
function strictTexts({ AgentUsername, Status, Metadata, Documents }: StoredCase): string[] {
  const formKeys = Documents.flatMap(({ FormFields = {} }) => Object.keys(FormFields));
  return [AgentUsername, Status, Status.toLowerCase(), ...Object.keys(Metadata), ...formKeys];
}

function partialTexts({ Name, NameAlias, Description, ...fields }: StoredCase): (Dictionary[string] | undefined)[] {
  return [
    Description,
    Name,
    NameAlias,
    ...Object.values(fields.Metadata),
    ...fields.Stakeholders.flatMap((one) => [
      one.Name,
      one.EmailAddress,
      one.MobilePhone,
      one.NationalID,
      one.EidSerialNumber,
    ]),
    ...fields.Approvers.flatMap((one) => [one.Name, one.EmailAddress, one.MobilePhone, one.NationalID]),
    ...fields.Documents.flatMap(({ Filename, FormFields = {} }) => [Filename, ...Object.values(FormFields)]),
    ...fields.Parties.flatMap((one) => [
      one.Name,
      one.CaseMobilePhone,
      one.EmailAddress,
      one.GroupName,
      one.SocialSecurityNumber,
      one.EidSerialNumber,
    ]),
  ];
}
