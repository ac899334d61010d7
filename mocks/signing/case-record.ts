import { createHash } from 'node:crypto';

import { HttpError, type Violation } from 'specmill/mock';

import type { Case, Document, ErrorCode, Party, Stakeholder } from '../../generated/signing/types.js';

/** Members that every stored case has, because they have a default or the service sets them. */
export const FILLED_MEMBERS = [
  'Id',
  'Status',
  'Name',
  'NameAlias',
  'Description',
  'AllowedSignatureTypes',
  'Stakeholders',
  'AgentUsername',
  'AgentUsernameType',
  'Approvers',
  'Metadata',
  'NotificationMethods',
  'CreatedOn',
] as const;

type Filled = (typeof FILLED_MEMBERS)[number];

export type StoredParty = Party & { readonly Id: string };
export type StoredDocument = Omit<Document, 'Data'> & {
  readonly Id: string;
  readonly Size: number;
  readonly Hash: string;
};

/**
 * The members of a stored case. Of the content of documents, only size and hash are stored, because reads show nothing
 * else.
 */
export type StoredCase = Omit<Case, Filled | 'Parties' | 'Documents' | 'TemporaryId' | 'ExpireOn'> &
  Required<Pick<Case, Filled>> & {
    readonly ExpireOn?: string;
    readonly Parties: readonly StoredParty[];
    readonly Documents: readonly StoredDocument[];
  };

/** The state of a party since the case was sent. */
export interface PartyProgress {
  readonly partyId: string;
  /** Whether its turn to sign has come. */
  readonly isAsked?: boolean;
  readonly isEmailed?: boolean;
  readonly isReviewed?: boolean;
  readonly hasIdCheckDocument?: boolean;
  /** Absent while the party is still to sign. */
  readonly outcome?: 'signed' | 'signedOnPaper' | 'notSigned';
  /** The time of the outcome. */
  readonly settledOn?: string;
}

/** A stored case or template of one. */
export interface CaseRecord {
  readonly fields: StoredCase;
  /** Sorts by the time of creation; unique. */
  readonly createdKey: string;
  /** The name in lower case, to sort by. */
  readonly nameKey: string;
  /** The authenticated user who created the case. */
  readonly creator: string;
  /** The TemporaryId and when it ends, in epoch milliseconds; templates have none. */
  readonly temporary?: { readonly id: number; readonly until: number };
  readonly progress: readonly PartyProgress[];
  /** The approvers who have approved, in that order. */
  readonly approvals: readonly Stakeholder[];
  /** Epoch milliseconds. */
  readonly sentAt?: number;
}

export const CASES = 'cases';
export const TEMPLATES = 'templates';

/** The key of a stored case, in one letter case, because Guids ignore it. */
export function toKey(id: string): string {
  return id.toLowerCase();
}

/** Changes members of a case, and updates the derived ones. */
export function withFields(record: CaseRecord, changes: Partial<StoredCase>): CaseRecord {
  const fields = { ...record.fields, ...changes };
  return { ...record, fields, nameKey: fields.Name.toLowerCase() };
}

export function findParty({ fields }: CaseRecord, partyId: string): StoredParty | undefined {
  return fields.Parties.find(({ Id }) => Id === partyId);
}

export function progressOf({ progress }: CaseRecord, partyId: string): PartyProgress {
  return progress.find((one) => one.partyId === partyId) ?? { partyId };
}

export function withProgress(record: CaseRecord, partyId: string, changes: Omit<PartyProgress, 'partyId'>): CaseRecord {
  const changed = { ...progressOf(record, partyId), ...changes };
  return { ...record, progress: [...record.progress.filter((one) => one.partyId !== partyId), changed] };
}

/** The parties who are still to sign, in the order of the case. */
export function openParties(record: CaseRecord): StoredParty[] {
  return record.fields.Parties.filter(({ Id }) => progressOf(record, Id).outcome === undefined);
}

/** The parties whose turn it is; with a signing order, only the next one. */
export function partiesInTurn(record: CaseRecord): StoredParty[] {
  const open = openParties(record);
  return record.fields.SignInSequence === true ? open.slice(0, 1) : open;
}

/** Members that `CASE_DEFAULTS` lacks, because each case has its own. */
type Own = Exclude<Filled, 'Name' | 'NameAlias' | 'Description'> | 'Parties' | 'Documents';

export const CASE_DEFAULTS: Omit<StoredCase, Own> = {
  Name: '',
  NameAlias: '',
  Description: '',
  ContinueUrl: '',
  ContinueName: '',
  Visibility: 'group',
  AccessControl: 'default',
  Procedure: 'default',
  ExpireAfterDays: 0,
  RemindAfterDays: 0,
  ContinueAuto: false,
  SignInSequence: false,
  IdentityCheck: false,
  IsEditable: false,
  MergeOnSend: false,
  UseGroupNames: false,
  SendSignRequestEmailToParties: true,
  SendFinishEmailToCreator: false,
  SendFinishEmailToParties: true,
  SendRecallEmailToParties: false,
  ApprovalRequired: false,
  AllowEditApprover: false,
  DisablePartyQuestion: false,
  SendRejectNotification: false,
};

/** The members that a case has if the request omits them; an update resets them. */
export const UNSET_MEMBERS: Pick<
  StoredCase,
  'AllowedSignatureTypes' | 'Stakeholders' | 'Approvers' | 'Metadata' | 'NotificationMethods'
> = { AllowedSignatureTypes: [], Stakeholders: [], Approvers: [], Metadata: {}, NotificationMethods: ['email'] };

export const PARTY_DEFAULTS = {
  AnyoneCanSign: false,
  SignatureType: 'Unknown',
  ShowInternalInformation: false,
  Assignable: false,
} as const;
export const DOCUMENT_DEFAULTS = { Type: 'Original', IsRequired: false } as const;

interface Reason {
  readonly status: 400 | 404 | 409;
  readonly errorCode: ErrorCode;
  readonly violations?: readonly Violation[];
}

/** An error for a request that the state of a case, or a rule about several members, does not allow. */
export function refuse(message: string, { status, errorCode, violations = [] }: Reason): HttpError {
  return new HttpError(status, message, { details: { errorCode, ...(violations.length === 0 ? {} : { violations }) } });
}

export function caseNotFound(id: string): HttpError {
  return refuse(`There is no case ${id}.`, { status: 404, errorCode: 'caseNotFound' });
}

export function partyNotFound(partyId: string): HttpError {
  return refuse(`The case has no party ${partyId}.`, { status: 404, errorCode: 'partyNotFound' });
}

/** Milliseconds. */
export const SECOND = 1_000;
export const DAY: number = 24 * 60 * 60 * SECOND;

/** `YYYY-MM-DDThh:mm:ss`, UTC. */
export function toDateTime(time: number): string {
  return new Date(time).toISOString().slice(0, 19);
}

/** Epoch milliseconds of a `YYYY-MM-DDThh:mm:ss` in UTC. */
export function fromDateTime(text: string): number {
  return Date.parse(`${text}Z`);
}

/** Size in bytes and SHA-256 in lower-case hexadecimal of content in base64. */
export function describeContent(data: string): { readonly Size: number; readonly Hash: string } {
  const bytes = Buffer.from(data, 'base64');
  return { Size: bytes.length, Hash: createHash('sha256').update(bytes).digest('hex') };
}
