import type { Rule } from './rule.js';
import * as check from './rule-checks.js';

type StateRule = Rule<check.StateFacts>;
type MarkRule = Rule<check.MarkFacts>;

const WRONG_STATUS = { status: 409, errorCode: 'invalidStatus', pointer: '/Status' } as const;

const isDraftToSend: StateRule = {
  sentence: 'Draft | POST sendcase | Sent: only a Draft can be sent.',
  ...WRONG_STATUS,
  find: check.hasStatus('Draft', (status) => `A case with the status ${status} cannot be sent.`),
};
const isDraftToApprove: StateRule = {
  sentence: 'Draft with ApprovalRequired | POST requestapproval: approval is requested for a Draft.',
  ...WRONG_STATUS,
  find: check.hasStatus('Draft', (status) => `Approval cannot be requested for a case with the status ${status}.`),
};
const isWaitingForApproval: StateRule = {
  sentence: 'PendingApproval: waiting for its approvers.',
  ...WRONG_STATUS,
  find: check.hasStatus('PendingApproval', (status) => `A case with the status ${status} does not wait for approval.`),
};
const isSentToRemind: StateRule = {
  sentence: 'remindcase: reminds all parties who have not signed; they are asked to sign while the case is Sent.',
  ...WRONG_STATUS,
  find: check.hasStatus('Sent', (status) => `A case with the status ${status} has no parties to remind.`),
};
const isSentToRecall: StateRule = {
  sentence: 'Sent | POST recallcase | recalled. Finished cases cannot be recalled.',
  ...WRONG_STATUS,
  find: check.hasStatus('Sent', (status) => `A case with the status ${status} cannot be recalled.`),
};
const isSentToMark: StateRule = {
  sentence: 'Sent | POST markassigned, markasnotsigned: parties are marked while the case is Sent.',
  ...WRONG_STATUS,
  find: check.hasStatus('Sent', (status) => `Parties of a case with the status ${status} cannot be marked.`),
};
const isSentToSign: StateRule = {
  sentence: 'Sent | a party signs: parties sign, or reject, while the case is Sent.',
  ...WRONG_STATUS,
  find: check.hasStatus(
    'Sent',
    (status) => `Parties of a case with the status ${status} can neither sign nor reject it.`,
  ),
};
const needsNoApproval: StateRule = {
  sentence:
    'ApprovalRequired: when set, the case must be sent with requestapproval. ApprovalType, AllowEditApprover: same.',
  status: 409,
  errorCode: 'approvalRequired',
  pointer: '/ApprovalRequired',
  find: check.needsNoApproval,
};
const requiresApproval: StateRule = {
  sentence: 'Draft with ApprovalRequired | POST requestapproval | condition: case requires approval.',
  status: 409,
  errorCode: 'approvalNotRequired',
  pointer: '/ApprovalRequired',
  find: check.requiresApproval,
};
const isComplete: StateRule = {
  sentence: 'sendcase: requires Parties, Documents and AllowedSignatureTypes on the case.',
  status: 409,
  errorCode: 'caseIncomplete',
  pointer: '/{member}',
  find: check.isComplete,
};
const hasGroupNames: StateRule = {
  sentence: "UseGroupNames: when true, each party's group name must be set before the case can be sent.",
  status: 409,
  errorCode: 'groupNameMissing',
  pointer: '/Parties/{index}/GroupName',
  find: check.hasGroupNames,
};
const isInTime: StateRule = {
  sentence: 'ExpireOn: absolute deadline, UTC. Only a Draft with its ExpireOn still ahead can be sent.',
  status: 409,
  errorCode: 'deadlinePassed',
  pointer: '/ExpireOn',
  find: check.isInTime,
};
const isUpdatable: StateRule = {
  sentence: 'IsEditable: can be edited before the first signature. MergeOnSend: read-only when the case is sent.',
  ...WRONG_STATUS,
  find: check.isUpdatable,
};
const documentsStay: Rule<check.UpdateFacts> = {
  sentence: 'updatecase: in Documents only Filename and FormFields can change. Else add a new one with a new id.',
  status: 409,
  errorCode: 'documentImmutable',
  pointer: '/Documents/{index}/{member}',
  find: check.documentsStay,
};
const approversStay: Rule<check.UpdateFacts> = {
  sentence: 'AllowEditApprover: agents may change approver details; while false, not once approval was requested.',
  status: 409,
  errorCode: 'approversLocked',
  pointer: '/Approvers',
  find: check.approversStay,
};
const isUnsettled: MarkRule = {
  sentence: 'markassigned, markasnotsigned: a party that has signed or was marked is not marked again.',
  status: 409,
  errorCode: 'partySettled',
  pointer: '/Parties/{index}',
  find: check.isUnsettled,
};
const isItsTurn: MarkRule = {
  sentence: 'SignInSequence: enforces signing order. When false, parties sign simultaneously.',
  status: 409,
  errorCode: 'invalidStatus',
  pointer: '/Parties/{index}',
  find: check.isItsTurn,
};
const isNamed: MarkRule = {
  sentence: 'markassigned: PartyName (string, optional unless the party name was empty).',
  status: 400,
  errorCode: 'partyNameRequired',
  pointer: '/PartyName',
  find: check.isNamed,
};
const idsDiffer: Rule<check.InputFacts> = {
  sentence: 'Party.Id: party id within the case. Document.Id: a replacement document needs a new id.',
  status: 400,
  errorCode: 'invalidRequest',
  pointer: '/{list}/{index}/Id',
  find: check.idsDiffer,
};
const isWithinReach: Rule<check.PageFacts> = {
  sentence: 'findcases: Skip + Take | at most 10000.',
  status: 400,
  errorCode: 'invalidRequest',
  in: 'query',
  pointer: '/Skip',
  find: check.isWithinReach,
};

export interface RuleTable {
  readonly createcase: readonly Rule<check.InputFacts>[];
  readonly updatecase: readonly Rule<check.UpdateFacts>[];
  /** What a case that stays Sent must still have after an update. */
  readonly updatedWhileSent: readonly StateRule[];
  readonly sendcase: readonly StateRule[];
  readonly requestapproval: readonly StateRule[];
  readonly approve: readonly StateRule[];
  readonly remindcase: readonly StateRule[];
  readonly recallcase: readonly StateRule[];
  readonly sign: readonly MarkRule[];
  readonly reject: readonly MarkRule[];
  readonly markassigned: readonly MarkRule[];
  readonly markasnotsigned: readonly MarkRule[];
  readonly findcases: readonly Rule<check.PageFacts>[];
}

/** The rules of each operation and action, in the order in which they are looked at. */
export const RULES: RuleTable = {
  createcase: [idsDiffer],
  updatecase: [idsDiffer, isUpdatable, documentsStay, approversStay],
  updatedWhileSent: [isComplete],
  sendcase: [isDraftToSend, needsNoApproval, isComplete, hasGroupNames, isInTime],
  requestapproval: [isDraftToApprove, requiresApproval, isComplete, hasGroupNames, isInTime],
  approve: [isWaitingForApproval, isComplete, hasGroupNames, isInTime],
  remindcase: [isSentToRemind],
  recallcase: [isSentToRecall],
  sign: [isSentToSign, isUnsettled, isItsTurn],
  reject: [isSentToSign, isUnsettled],
  markassigned: [isSentToMark, isUnsettled, isNamed],
  markasnotsigned: [isSentToMark, isUnsettled],
  findcases: [isWithinReach],
};
