import { stringifyExactJson, type Violation } from 'specmill/mock';

import type { CaseInput, CaseStatus, DocumentInput, ErrorCode } from '../../generated/signing/types.js';
import {
  type CaseRecord,
  describeContent,
  fromDateTime,
  progressOf,
  refuse,
  type StoredDocument,
  type StoredParty,
} from './case-record.js';

export interface StateFacts {
  readonly record: CaseRecord;
  /** Epoch milliseconds. */
  readonly now: number;
}
export interface UpdateFacts extends StateFacts {
  readonly input: CaseInput;
}
export interface MarkFacts extends StateFacts {
  readonly party: StoredParty;
  readonly partyName?: string | undefined;
}
export interface InputFacts {
  readonly input: CaseInput;
}
export interface IdFacts {
  /** The Id of the new case, and the member that may have named it. */
  readonly id: string;
  readonly member: 'Id' | 'newCaseId';
  readonly isTaken: boolean;
}
export interface PageFacts {
  readonly skip: number;
  readonly take: number;
}

type Check<Facts> = (facts: Facts) => Broken | undefined;

/** The message of every request that breaks the spec. */
const INVALID = 'Request does not match the specification.';

/** The status is the expected one. */
export function hasStatus(wanted: CaseStatus, say: (status: string) => string): Check<StateFacts> {
  return ({ record: { fields } }) => (fields.Status === wanted ? undefined : { message: say(fields.Status) });
}

/** The member that makes approval necessary: a flag that is true, or a type that is there. */
function findApproval({ ApprovalRequired, AllowEditApprover, ApprovalType }: CaseRecord['fields']): string | undefined {
  if (ApprovalRequired === true) return 'ApprovalRequired';
  if (ApprovalType !== undefined) return 'ApprovalType';
  return AllowEditApprover === true ? 'AllowEditApprover' : undefined;
}

export const needsNoApproval: Check<StateFacts> = ({ record: { fields } }) => {
  const member = findApproval(fields);
  if (member === undefined) return undefined;
  return { at: [member], message: 'The case requires approval and must be sent with requestapproval.' };
};

export const requiresApproval: Check<StateFacts> = ({ record: { fields } }) =>
  findApproval(fields) === undefined
    ? { message: 'The case requires no approval and can be sent with sendcase.' }
    : undefined;

export const isComplete: Check<StateFacts> = ({ record: { fields } }) => {
  const needed = ['Parties', 'Documents', 'AllowedSignatureTypes'] as const;
  const missing = needed.filter((name) => fields[name].length === 0);
  const [first] = missing;
  if (first === undefined) return undefined;
  return { at: [first], message: `The case cannot be sent without ${joinWords(missing)}.` };
};

export const hasGroupNames: Check<StateFacts> = ({ record: { fields } }) => {
  if (fields.UseGroupNames !== true) return undefined;
  const index = fields.Parties.findIndex(({ GroupName = '' }) => GroupName === '');
  const party = fields.Parties[index];
  return party === undefined ? undefined : { at: [index], message: `Party ${party.Id} has no GroupName.` };
};

export const isInTime: Check<StateFacts> = ({ record: { fields }, now }) => {
  const { ExpireOn } = fields;
  if (ExpireOn === undefined || fromDateTime(ExpireOn) > now) return undefined;
  return { message: `ExpireOn ${ExpireOn} has passed.` };
};

export const isUpdatable: Check<StateFacts> = ({ record }) => {
  const { Status, IsEditable, MergeOnSend } = record.fields;
  if (['Pending', 'Draft', 'PendingApproval'].includes(Status)) return undefined;
  const isSigned = record.progress.some(({ outcome }) => outcome === 'signed' || outcome === 'signedOnPaper');
  if (Status === 'Sent' && IsEditable === true && MergeOnSend !== true && !isSigned) return undefined;
  return { message: `A case with the status ${Status} cannot be updated.` };
};

export const documentsStay: Check<UpdateFacts> = ({ record: { fields }, input: { Documents = [] } }) => {
  for (const [index, document] of Documents.entries()) {
    const stored = fields.Documents.find(({ Id }) => Id === document.Id);
    const member = stored === undefined ? undefined : describeLockedMember(stored, document);
    if (stored === undefined || member === undefined) continue;
    const remedy = 'Remove it and add a document with a new Id.';
    const message = `In document ${stored.Id} only Filename and FormFields can change. ${remedy}`;
    return { at: [index, member], message };
  }
  return undefined;
};

export const approversStay: Check<UpdateFacts> = ({ record: { fields }, input: { Approvers = [] } }) => {
  if (fields.Status !== 'PendingApproval' || fields.AllowEditApprover === true) return undefined;
  const [given, stored] = [Approvers, fields.Approvers].map((list) => stringifyExactJson(list.map(sortMembers)));
  if (given === stored) return undefined;
  return { message: 'Approvers cannot change after approval was requested, as AllowEditApprover is not true.' };
};

function indexOf({ fields }: CaseRecord, party: StoredParty): number {
  return fields.Parties.findIndex(({ Id }) => Id === party.Id);
}

const DID = {
  signed: 'has signed',
  signedOnPaper: 'has been marked as signed',
  notSigned: 'has been marked as not signed',
};

export const isUnsettled: Check<MarkFacts> = ({ record, party }) => {
  const { outcome } = progressOf(record, party.Id);
  if (outcome === undefined) return undefined;
  return { at: [indexOf(record, party)], message: `Party ${party.Id} ${DID[outcome]} already.` };
};

export const isItsTurn: Check<MarkFacts> = ({ record, party }) => {
  const next = record.fields.Parties.find(({ Id }) => progressOf(record, Id).outcome === undefined);
  if (record.fields.SignInSequence !== true || next === undefined || next.Id === party.Id) return undefined;
  const message = `It is not the turn of party ${party.Id}: party ${next.Id} signs before it.`;
  return { at: [indexOf(record, party)], message };
};

export const isNamed: Check<MarkFacts> = ({ party: { Name = '' }, partyName = '' }) => {
  if (Name !== '' || partyName !== '') return undefined;
  const detail = "is required when the party's name is empty";
  return { message: 'The party has no name, so PartyName is required.', detail };
};

export const idIsFree: Check<IdFacts> = ({ id, member, isTaken }) =>
  isTaken ? { at: [member], message: `There is a case ${id} already.` } : undefined;

export const idsDiffer: Check<InputFacts> = ({ input: { Parties = [], Documents = [] } }) => {
  const lists = [
    ['Parties', 'party', findRepetition(Parties)],
    ['Documents', 'document', findRepetition(Documents)],
  ] as const;
  for (const [list, what, index] of lists) {
    if (index === undefined) continue;
    return {
      at: [list, index],
      message: INVALID,
      detail: `must differ from the Id of every other ${what} of the case`,
    };
  }
  return undefined;
};

export const isWithinReach: Check<PageFacts> = ({ skip, take }) =>
  skip + take <= 10_000 ? undefined : { message: INVALID, detail: 'Skip + Take must be <= 10000' };

/** A violation of a rule. */
export interface Broken {
  /** The message of the response. */
  readonly message: string;
  /** The detail for the place; default: the message. */
  readonly detail?: string;
  /** The values for the names in the rule's pointer, in their order. */
  readonly at?: readonly (string | number)[];
}

/** A rule that looks at more than one member, or at the state. */
export interface Rule<Facts> {
  /** The rule as the seed document words it. `|` separates the cells of its tables. */
  readonly sentence: string;
  /** The decision of the spec if the sentence leaves it open (`x-assumption`). */
  readonly decision?: string;
  readonly status: 400 | 409;
  readonly errorCode: ErrorCode;
  /** Where it reports: a JSON pointer into the request; where the request only names a case, into that case. */
  readonly pointer: string;
  /** The part of the request. Default: body. */
  readonly in?: 'query';
  readonly find: (facts: Facts) => Broken | undefined;
}

/** @throws HttpError for the first rule that is broken. */
export function enforce<Facts>(rules: readonly Rule<Facts>[], facts: Facts): void {
  for (const rule of rules) {
    const broken = rule.find(facts);
    if (broken === undefined) continue;
    const { status, errorCode } = rule;
    const { message, detail = message, at = [] } = broken;
    const values = at.values();
    const pointer = rule.pointer.replaceAll(/\{\w+\}/g, () => String(values.next().value));
    const violation: Violation = { in: rule.in ?? 'body', pointer, message: detail };
    throw refuse(message, { status, errorCode, violations: [violation] });
  }
}

/** `Parties, Documents and AllowedSignatureTypes`. */
function joinWords(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

/** The index of the first item that repeats the Id of an earlier one. */
function findRepetition(items: readonly { readonly Id?: string }[]): number | undefined {
  const seen = new Set<string>();
  for (const [index, { Id }] of items.entries()) {
    if (Id === undefined) continue;
    if (seen.has(Id)) return index;
    seen.add(Id);
  }
  return undefined;
}

/** The member that would change in a stored document, though it cannot. */
function describeLockedMember(stored: StoredDocument, given: DocumentInput): string | undefined {
  const { Data = '', ContentType, Type, IsRequired } = given;
  if (Data !== '' && describeContent(Data).Hash !== stored.Hash) return 'Data';
  if (ContentType !== undefined && ContentType !== stored.ContentType) return 'ContentType';
  if (Type !== undefined && Type !== stored.Type) return 'Type';
  return IsRequired !== undefined && IsRequired !== stored.IsRequired ? 'IsRequired' : undefined;
}

/** The same record with its members in one order, to compare it as text. */
function sortMembers(value: object): object {
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
