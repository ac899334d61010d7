import type { CaseRead, CaseStatus } from '../../../generated/signing/types.js';
import { accountNumbers } from './accounts.js';
import { type CaseRecord, progressOf } from './case-record.js';

/** How a read wants to see cases. */
export interface View {
  /** The account of the caller; templates have none of their own. */
  readonly account?: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Show Signed, which is else shown as Sent. */
  readonly withSigned?: boolean | undefined;
  /** Show PendingApproval, which is else shown as Draft. */
  readonly withPendingApproval?: boolean | undefined;
  /** Hashes of documents are shown by reads of one case only. */
  readonly withHash: boolean;
}

/** A case as a read shows it: documents without content, statuses compatible, a TemporaryId while it is valid. */
export function showCase(record: CaseRecord, view: View): CaseRead {
  const { TemporaryId, ...fields } = record.fields;
  const isFound = record.temporaryIdUntil !== undefined && view.now < record.temporaryIdUntil;
  return {
    ...(view.account === undefined ? {} : accountNumbers(view.account)),
    ...fields,
    Status: showStatus(fields.Status, view),
    Parties: fields.Parties.map((party) => showParty(record, party)),
    Documents: fields.Documents.map(({ Hash, ...document }) => ({
      ...document,
      Data: '',
      ...(view.withHash ? { Hash } : {}),
    })),
    ...(isFound && TemporaryId !== undefined ? { TemporaryId } : {}),
  };
}

function showStatus(status: CaseStatus, { withSigned, withPendingApproval }: View): CaseStatus {
  if (status === 'Signed' && withSigned !== true) return 'Sent';
  return status === 'PendingApproval' && withPendingApproval !== true ? 'Draft' : status;
}

function showParty(
  record: CaseRecord,
  party: CaseRecord['fields']['Parties'][number],
): NonNullable<CaseRead['Parties']>[number] {
  const { hasIdCheckDocument = false, isEmailed = false, isReviewed = false } = progressOf(record, party.Id);
  return {
    ...party,
    HasIdCheckDocument: hasIdCheckDocument,
    NotificationStatus: { Email: isEmailed ? 'Sent' : 'NotSent' },
    Reviewed: isReviewed,
  };
}
