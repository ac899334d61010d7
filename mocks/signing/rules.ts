import type { Rule } from './rule-checks.js';
import * as check from './rule-checks.js';

type StateRule = Rule<check.StateFacts>;
type MarkRule = Rule<check.MarkFacts>;

const WRONG_STATUS = { status: 409, errorCode: 'invalidStatus', pointer: '/Status' } as const;

const isDraftToSend: StateRule = {
  sentence:
    'Draft | POST sendcase | Parties, Documents and AllowedSignatureTypes are all set; approval not required | Sent',
  decision: 'Only a Draft can be sent.',
  ...WRONG_STATUS,
  find: check.hasStatus('Draft', (status) => `A case with the status ${status} cannot be sent.`),
};
const isDraftToApprove: StateRule = {
  sentence: 'Draft with ApprovalRequired | POST requestapproval | Case requires approval',
  decision: 'Approval is requested for a Draft, which becomes PendingApproval.',
  ...WRONG_STATUS,
  find: check.hasStatus('Draft', (status) => `Approval cannot be requested for a case with the status ${status}.`),
};
const isWaitingForApproval: StateRule = {
  sentence: "Approver stakeholders are asked to approve and send, in the API user's name.",
  decision: 'They approve while the case is PendingApproval.',
  ...WRONG_STATUS,
  find: check.hasStatus('PendingApproval', (status) => `A case with the status ${status} does not wait for approval.`),
};
const isSentToRemind: StateRule = {
  sentence: 'remindcase: reminds all parties who have not signed.',
  decision: 'Parties are asked to sign while the case is Sent.',
  ...WRONG_STATUS,
  find: check.hasStatus('Sent', (status) => `A case with the status ${status} has no parties to remind.`),
};
const isSentToRecall: StateRule = {
  sentence: 'Sent | POST recallcase | | recalled | Finished cases cannot be recalled.',
  decision: 'Only a Sent case can be recalled.',
  ...WRONG_STATUS,
  find: check.hasStatus('Sent', (status) => `A case with the status ${status} cannot be recalled.`),
};
const isSentToMark: StateRule = {
  sentence:
    'Sent | POST markassigned | Agent has received a valid handwritten signature | party marked signed; ' +
    'Sent | POST markasnotsigned | Party will not sign | party marked not signed',
  decision: 'Parties are marked while the case is Sent.',
  ...WRONG_STATUS,
  find: check.hasStatus('Sent', (status) => `Parties of a case with the status ${status} cannot be marked.`),
};
const isSentToSign: StateRule = {
  sentence: 'Sent | a party signs | Other parties still unsigned | Sent',
  decision: 'Parties sign, or reject, while the case is Sent.',
  ...WRONG_STATUS,
  find: check.hasStatus(
    'Sent',
    (status) => `Parties of a case with the status ${status} can neither sign nor reject it.`,
  ),
};
const needsNoApproval: StateRule = {
  sentence: 'ApprovalRequired: When set, the case must be sent with requestapproval. ApprovalType: Same sending rule.',
  decision: 'A flag is set when it is true, a type when it is there. AllowEditApprover has the same rule.',
  status: 409,
  errorCode: 'approvalRequired',
  pointer: '/{member}',
  find: check.needsNoApproval,
};
const requiresApproval: StateRule = {
  sentence: 'Draft with ApprovalRequired | POST requestapproval | Case requires approval',
  status: 409,
  errorCode: 'approvalNotRequired',
  pointer: '/ApprovalRequired',
  find: check.requiresApproval,
};
const isComplete: StateRule = {
  sentence: 'sendcase: requires Parties, Documents and AllowedSignatureTypes on the case.',
  decision: 'An empty list is not set. The pointer leads to the first that is missing.',
  status: 409,
  errorCode: 'caseIncomplete',
  pointer: '/{member}',
  find: check.isComplete,
};
const hasGroupNames: StateRule = {
  sentence: "UseGroupNames: When true, each party's group name must be set before the case can be sent.",
  status: 409,
  errorCode: 'groupNameMissing',
  pointer: '/Parties/{index}/GroupName',
  find: check.hasGroupNames,
};
const isInTime: StateRule = {
  sentence: 'ExpireOn: Absolute deadline, UTC.',
  decision: 'A case whose deadline has come cannot be sent.',
  status: 409,
  errorCode: 'deadlinePassed',
  pointer: '/ExpireOn',
  find: check.isInTime,
};
const isUpdatable: StateRule = {
  sentence:
    'IsEditable: Documents with form fields can be edited by agent or party before the first signature. ' +
    'MergeOnSend: With IsEditable: merge the documents and make them read-only when the case is sent.',
  decision: 'A case changes before it is sent, and while it is Sent only where these two say so.',
  ...WRONG_STATUS,
  find: check.isUpdatable,
};
const documentsStay: Rule<check.UpdateFacts> = {
  sentence:
    'updatecase: In Documents only Filename and FormFields can change. To change size, hash or data, remove the ' +
    'document and add a new one with a new id.',
  status: 409,
  errorCode: 'documentImmutable',
  pointer: '/Documents/{index}/{member}',
  find: check.documentsStay,
};
const approversStay: Rule<check.UpdateFacts> = {
  sentence: 'AllowEditApprover: Agents may change approver details.',
  decision: 'While it is not true, they may not once approval was requested.',
  status: 409,
  errorCode: 'approversLocked',
  pointer: '/Approvers',
  find: check.approversStay,
};
const isUnsettled: MarkRule = {
  sentence: 'markassigned: party marked signed. markasnotsigned: party marked not signed.',
  decision: 'A party that has signed or was marked neither signs, rejects nor is marked again.',
  status: 409,
  errorCode: 'partySettled',
  pointer: '/Parties/{index}',
  find: check.isUnsettled,
};
const isItsTurn: MarkRule = {
  sentence: 'SignInSequence: Enforces signing order. When false, parties sign simultaneously.',
  status: 409,
  errorCode: 'invalidStatus',
  pointer: '/Parties/{index}',
  find: check.isItsTurn,
};
const isNamed: MarkRule = {
  sentence: 'markassigned: PartyName (string, optional unless the party name was empty)',
  status: 400,
  errorCode: 'partyNameRequired',
  pointer: '/PartyName',
  find: check.isNamed,
};
const idIsFree: Rule<check.IdFacts> = {
  sentence: 'Id: Case identifier. Can be set on creation.',
  decision: 'An Id identifies one case or template of an account, in any letter case.',
  status: 409,
  errorCode: 'duplicateId',
  pointer: '/{member}',
  find: check.idIsFree,
};
const idsDiffer: Rule<check.InputFacts> = {
  sentence: 'Party.Id: Party id within the case. Document.Id: Document id. A replacement document needs a new id.',
  decision: 'No two parties and no two documents of a case have the same Id.',
  status: 400,
  errorCode: 'invalidRequest',
  pointer: '/{list}/{index}/Id',
  find: check.idsDiffer,
};
const isWithinReach: Rule<check.PageFacts> = {
  sentence: 'Skip + Take | at most 10000 | findcases',
  status: 400,
  errorCode: 'invalidRequest',
  in: 'query',
  pointer: '/Skip',
  find: check.isWithinReach,
};

interface RuleTable {
  readonly createcase: readonly Rule<check.InputFacts>[];
  /** Of a case that is made, also from a template. */
  readonly newCase: readonly Rule<check.IdFacts>[];
  readonly updatecase: readonly Rule<check.UpdateFacts>[];
  /** The rules for a case that stays Sent after an update. */
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
  newCase: [idIsFree],
  updatecase: [idsDiffer, isUpdatable, documentsStay, approversStay],
  updatedWhileSent: [isComplete, hasGroupNames],
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
