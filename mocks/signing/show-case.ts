import type { CaseRead, CaseStatus, DocumentRead } from '../../generated/signing/types.js';
import { accountNumbers } from './accounts.js';
import { type CaseRecord, progressOf, type StoredDocument } from './case-record.js';

interface View {
  /** The account of the caller; absent for templates, which have none. */
  readonly account?: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Whether to show Signed, which is otherwise shown as Sent. */
  readonly withSigned?: boolean | undefined;
  /** Whether to show PendingApproval, which is otherwise shown as Draft. */
  readonly withPendingApproval?: boolean | undefined;
  /** Whether to show hashes of documents, which only reads of one case do. */
  readonly withHash: boolean;
}

/** Returns a case as reads show it: documents without content, compatible statuses, a TemporaryId while it is valid. */
export function showCase(record: CaseRecord, view: View): CaseRead {
  const { fields, temporary } = record;
  return {
    // Spread first and never destructured: only so is copying an object of fifty members fast.
    ...fields,
    ...(view.account === undefined ? {} : accountNumbers(view.account)),
    Status: showStatus(fields.Status, view),
    Parties: fields.Parties.map((party) => showParty(record, party)),
    Documents: fields.Documents.map((document) => showDocument(document, view)),
    ...(temporary !== undefined && view.now < temporary.until ? { TemporaryId: temporary.id } : {}),
  };
}

function showDocument({ Hash, ...document }: StoredDocument, { withHash }: View): DocumentRead {
  return { ...document, Data: '', ...(withHash ? { Hash } : {}) };
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
