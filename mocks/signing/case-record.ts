import type { Case, Document, Party, Stakeholder } from '../../generated/signing/types.js';

/** Members that every stored case has, because they have a default or are made by the service. */
type Filled =
  | 'Id'
  | 'Status'
  | 'Name'
  | 'NameAlias'
  | 'Description'
  | 'AllowedSignatureTypes'
  | 'AgentUsername'
  | 'AgentUsernameType'
  | 'Stakeholders'
  | 'Approvers'
  | 'Metadata'
  | 'NotificationMethods'
  | 'CreatedOn';

export type StoredParty = Party & { readonly Id: string };
export type StoredDocument = Omit<Document, 'Data'> & {
  readonly Id: string;
  readonly Size: number;
  readonly Hash: string;
};

/** The members of a case as they are kept. The content of documents is kept as its size and hash only: no read shows more. */
export type StoredCase = Omit<Case, Filled | 'Parties' | 'Documents' | 'TemporaryId'> &
  Required<Pick<Case, Filled>> & {
    readonly Parties: readonly StoredParty[];
    readonly Documents: readonly StoredDocument[];
  };

/** What became of a party since the case was sent. */
export interface PartyProgress {
  readonly partyId: string;
  /** Its turn to sign has come. */
  readonly isAsked?: boolean;
  readonly isEmailed?: boolean;
  readonly isReviewed?: boolean;
  readonly hasIdCheckDocument?: boolean;
  /** Without one the party is still to sign. */
  readonly outcome?: 'signed' | 'signedOnPaper' | 'notSigned';
  /** When that was. */
  readonly settledOn?: string;
}

/** A case, or a template of one, as the state holds it. */
export interface CaseRecord {
  readonly fields: StoredCase;
  /** Sorts by the time of creation; no two records have the same. */
  readonly createdKey: string;
  /** The name in lower case, to sort by. */
  readonly nameKey: string;
  /** The authenticated user who made the case. */
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

/** The id under which a case is kept: Guids are the same in any letter case. */
export function toKey(id: string): string {
  return id.toLowerCase();
}

/** Changes members of a case, and what is derived from them. */
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

/** The parties whose turn it is: with a signing order the next one only. */
export function partiesInTurn(record: CaseRecord): StoredParty[] {
  const open = openParties(record);
  return record.fields.SignInSequence === true ? open.slice(0, 1) : open;
}
