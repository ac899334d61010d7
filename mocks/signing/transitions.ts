import {
  DAY,
  findParty,
  fromDateTime,
  openParties,
  partiesInTurn,
  partyNotFound,
  type PartyProgress,
  progressOf,
  SECOND,
  type StoredParty,
  toDateTime,
  withFields,
  withProgress,
} from './case-record.js';
import type { CaseTurn } from './change-case.js';
import { toCreator, toParties, toStakeholders } from './notifications.js';
import { enforce } from './rule.js';
import { RULES } from './rules.js';

/** How long the service takes to seal a signed case, and to create one of a batch, in milliseconds. */
const SEALING: number = 5 * SECOND;
export const MAKING: number = 5 * SECOND;

/** Draft -> Sent. */
export function send(turn: CaseTurn): void {
  enforce(RULES.sendcase, turn);
  beginSigning(turn);
}

/** Draft -> PendingApproval. */
export function requestApproval(turn: CaseTurn): void {
  enforce(RULES.requestapproval, turn);
  turn.record = { ...withFields(turn.record, { Status: 'PendingApproval' }), approvals: [] };
  turn.notify('approvalRequest', toStakeholders('approver', turn.record.fields.Approvers));
  turn.sendEvent('ApprovalRequested');
}

/** The next approver approves; with enough approvals: PendingApproval -> Sent. */
export function approve(turn: CaseTurn): void {
  enforce(RULES.approve, turn);
  const { fields, approvals } = turn.record;
  const [approver, ...others] = fields.Approvers.slice(approvals.length);
  if (approver !== undefined) turn.record = { ...turn.record, approvals: [...approvals, approver] };
  if (fields.ApprovalType === 'requireall' && others.length > 0) return;
  turn.sendEvent('Approved');
  beginSigning(turn);
}

function beginSigning(turn: CaseTurn): void {
  turn.record = { ...withFields(turn.record, { Status: 'Sent' }), sentAt: turn.now };
  turn.sendEvent('Sent');
  askParties(turn);
  planDeadline(turn);
  const { RemindAfterDays = 0 } = turn.record.fields;
  if (RemindAfterDays > 0) turn.plan('remind', turn.now + RemindAfterDays * DAY);
}

/** Asks the parties whose turn has come and who were not asked yet. */
export function askParties(turn: CaseTurn): void {
  const asked = partiesInTurn(turn.record).filter(({ Id }) => progressOf(turn.record, Id).isAsked !== true);
  for (const { Id } of asked) turn.record = withProgress(turn.record, Id, { isAsked: true });
  if (turn.record.fields.SendSignRequestEmailToParties !== false)
    turn.notify('signRequest', toParties(turn.record, asked));
}

/** Plans the deadline: ExpireOn, else ExpireAfterDays after sending. */
export function planDeadline(turn: CaseTurn): void {
  const { ExpireOn, ExpireAfterDays = 0 } = turn.record.fields;
  turn.drop('expire');
  if (ExpireOn !== undefined) turn.plan('expire', fromDateTime(ExpireOn));
  else if (ExpireAfterDays > 0) turn.plan('expire', (turn.record.sentAt ?? turn.now) + ExpireAfterDays * DAY);
}

export function remind(turn: CaseTurn): void {
  enforce(RULES.remindcase, turn);
  turn.notify('reminder', toParties(turn.record, partiesInTurn(turn.record)));
}

/** Sent -> Draft; signatures and marks are lost. */
export function recall(turn: CaseTurn): void {
  enforce(RULES.recallcase, turn);
  const asked = turn.record.fields.Parties.filter(({ Id }) => progressOf(turn.record, Id).isAsked === true);
  if (turn.record.fields.SendRecallEmailToParties === true) turn.notify('recalled', toParties(turn.record, asked));
  const progress = turn.record.progress.map(
    ({ isAsked: _asked, outcome: _outcome, settledOn: _settledOn, ...kept }) => kept,
  );
  const { sentAt: _sentAt, ...kept } = withFields(turn.record, { Status: 'Draft' });
  turn.record = { ...kept, progress, approvals: [] };
  turn.drop('expire', 'remind');
  turn.sendEvent('Recalled');
}

/** A party signs in the service. */
export function sign(turn: CaseTurn, partyId: string): void {
  const party = requireParty(turn, partyId);
  enforce(RULES.sign, { ...turn, party });
  const photographed = turn.record.fields.IdentityCheck === true ? { hasIdCheckDocument: true } : {};
  settle(turn, partyId, { outcome: 'signed', isReviewed: true, ...photographed });
}

/** A party has signed on paper. */
export function markSigned(turn: CaseTurn, partyId: string, partyName: string | undefined): void {
  const party = requireParty(turn, partyId);
  enforce(RULES.markassigned, { ...turn, party, partyName });
  if (partyName !== undefined && (party.Name ?? '') === '') {
    const Parties = turn.record.fields.Parties.map((one) => (one.Id === partyId ? { ...one, Name: partyName } : one));
    turn.record = withFields(turn.record, { Parties });
  }
  settle(turn, partyId, { outcome: 'signedOnPaper' });
}

export function markNotSigned(turn: CaseTurn, partyId: string): void {
  const party = requireParty(turn, partyId);
  enforce(RULES.markasnotsigned, { ...turn, party });
  settle(turn, partyId, { outcome: 'notSigned' });
}

/** Sent -> Rejected, by one party. */
export function reject(turn: CaseTurn, partyId: string): void {
  const party = requireParty(turn, partyId);
  enforce(RULES.reject, { ...turn, party });
  turn.record = withFields(withProgress(turn.record, partyId, { isReviewed: true }), { Status: 'Rejected' });
  if (turn.record.fields.SendRejectNotification === true) turn.notify('rejected', toCreator(turn.record));
  turn.drop('expire', 'remind');
  turn.sendEvent('Rejected', partyId);
}

function requireParty({ record }: CaseTurn, partyId: string): StoredParty {
  const party = findParty(record, partyId);
  if (party === undefined) throw partyNotFound(partyId);
  return party;
}

function settle(turn: CaseTurn, partyId: string, result: Omit<PartyProgress, 'partyId'>): void {
  turn.record = withProgress(turn.record, partyId, { ...result, settledOn: toDateTime(turn.now) });
  if (result.outcome !== 'notSigned') turn.sendEvent('SignatureAdded', partyId);
  if (openParties(turn.record).length === 0) completeSigning(turn);
  else askParties(turn);
}

/** Sent -> Signed: all have signed. Finished follows when the case is sealed. */
export function completeSigning(turn: CaseTurn): void {
  turn.record = withFields(turn.record, { Status: 'Signed' });
  turn.drop('expire', 'remind');
  turn.notify('signed', toStakeholders('stakeholder', turn.record.fields.Stakeholders));
  turn.sendEvent('Signed');
  turn.plan('finish', turn.now + SEALING);
}

/** Signed -> Finished, when the case is sealed. */
export function finish(turn: CaseTurn): void {
  if (turn.record.fields.Status !== 'Signed') return;
  turn.record = withFields(turn.record, { Status: 'Finished' });
  const { SendFinishEmailToCreator, SendFinishEmailToParties, Parties } = turn.record.fields;
  if (SendFinishEmailToCreator === true) turn.notify('finished', toCreator(turn.record));
  if (SendFinishEmailToParties !== false) turn.notify('finished', toParties(turn.record, Parties));
  turn.sendEvent('Finished');
}

/** Sent -> Expired, when the deadline comes. */
export function expire(turn: CaseTurn): void {
  if (turn.record.fields.Status !== 'Sent') return;
  turn.record = withFields(turn.record, { Status: 'Expired' });
  turn.drop('remind');
  turn.sendEvent('Expired');
}

/** The automatic reminder, once. */
export function remindAutomatically(turn: CaseTurn): void {
  if (turn.record.fields.Status === 'Sent') remind(turn);
}

/** Pending -> Draft, when a case of a batch is created. */
export function make(turn: CaseTurn): void {
  if (turn.record.fields.Status === 'Pending') turn.record = withFields(turn.record, { Status: 'Draft' });
}

/** Removes a case; a Sent one is recalled first. */
export function remove(turn: CaseTurn): void {
  if (turn.record.fields.Status === 'Sent') recall(turn);
  turn.drop('make', 'expire', 'remind', 'finish');
  turn.sendEvent('Deleted');
  turn.isDeleted = true;
}
