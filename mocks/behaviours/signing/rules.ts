import type { CaseInput } from '../../../generated/signing/types.js';
import { type CaseRecord, progressOf, type StoredParty } from './case-record.js';
import type { Broken, Rule } from './rule.js';
import { describeLockedMember, findRepetition, joinWords, sortMembers } from './rule-words.js';
import { fromDateTime } from './times.js';

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

const INVALID = 'The request is not valid.';

function wrongStatus(wanted: readonly string[], say: (status: string) => string): (facts: StateFacts) => Broken | undefined {
  return ({ record: { fields } }) => (wanted.includes(fields.Status) ? undefined : { pointer: '/Status', message: say(fields.Status) });
}

function needsApproval({ fields }: CaseRecord): boolean {
  return fields.ApprovalRequired === true || fields.AllowEditApprover === true || fields.ApprovalType !== undefined;
}

const isDraftToSend: Rule<StateFacts> = {
  sentence: 'Draft | POST sendcase | Sent: only a Draft can be sent.',
  ...{ status: 409, errorCode: 'invalidStatus' },
  find: wrongStatus(['Draft'], (status) => `A case with the status ${status} cannot be sent.`),
};
const isDraftToApprove: Rule<StateFacts> = {
  sentence: 'Draft with ApprovalRequired | POST requestapproval: approval is requested for a Draft.',
  ...{ status: 409, errorCode: 'invalidStatus' },
  find: wrongStatus(['Draft'], (status) => `Approval cannot be requested for a case with the status ${status}.`),
};
const isWaitingForApproval: Rule<StateFacts> = {
  sentence: 'PendingApproval: waiting for its approvers.',
  ...{ status: 409, errorCode: 'invalidStatus' },
  find: wrongStatus(['PendingApproval'], (status) => `A case with the status ${status} does not wait for approval.`),
};
const isSentToRemind: Rule<StateFacts> = {
  sentence: 'remindcase: reminds all parties who have not signed; parties are asked to sign while the case is Sent.',
  ...{ status: 409, errorCode: 'invalidStatus' },
  find: wrongStatus(['Sent'], (status) => `A case with the status ${status} has no parties to remind.`),
};
const isSentToRecall: Rule<StateFacts> = {
  sentence: 'Sent | POST recallcase | recalled. Finished cases cannot be recalled.',
  ...{ status: 409, errorCode: 'invalidStatus' },
  find: wrongStatus(['Sent'], (status) => `A case with the status ${status} cannot be recalled.`),
};
const isSentToMark: Rule<StateFacts> = {
  sentence: 'Sent | POST markassigned, markasnotsigned: parties are marked while the case is Sent.',
  ...{ status: 409, errorCode: 'invalidStatus' },
  find: wrongStatus(['Sent'], (status) => `Parties of a case with the status ${status} cannot be marked.`),
};
const isSentToSign: Rule<StateFacts> = {
  sentence: 'Sent | a party signs: parties sign, or reject, while the case is Sent.',
  ...{ status: 409, errorCode: 'invalidStatus' },
  find: wrongStatus(['Sent'], (status) => `Parties of a case with the status ${status} can neither sign nor reject it.`),
};
const needsNoApproval: Rule<StateFacts> = {
  sentence: 'ApprovalRequired: when set, the case must be sent with requestapproval. ApprovalType, AllowEditApprover: same sending rule.',
  ...{ status: 409, errorCode: 'approvalRequired' },
  find: ({ record }) =>
    needsApproval(record) ? { pointer: '/ApprovalRequired', message: 'The case requires approval and must be sent with requestapproval.' } : undefined,
};
const requiresApproval: Rule<StateFacts> = {
  sentence: 'Draft with ApprovalRequired | POST requestapproval | condition: case requires approval.',
  ...{ status: 409, errorCode: 'approvalNotRequired' },
  find: ({ record }) =>
    needsApproval(record) ? undefined : { pointer: '/ApprovalRequired', message: 'The case requires no approval and can be sent with sendcase.' },
};
const isComplete: Rule<StateFacts> = {
  sentence: 'sendcase: requires Parties, Documents and AllowedSignatureTypes on the case.',
  ...{ status: 409, errorCode: 'caseIncomplete' },
  find: ({ record: { fields } }) => {
    const missing = (['Parties', 'Documents', 'AllowedSignatureTypes'] as const).filter((name) => fields[name].length === 0);
    const [first] = missing;
    return first === undefined ? undefined : { pointer: `/${first}`, message: `The case cannot be sent without ${joinWords(missing)}.` };
  },
};
const hasGroupNames: Rule<StateFacts> = {
  sentence: "UseGroupNames: when true, each party's group name must be set before the case can be sent.",
  ...{ status: 409, errorCode: 'groupNameMissing' },
  find: ({ record: { fields } }) => {
    const index = fields.UseGroupNames === true ? fields.Parties.findIndex(({ GroupName = '' }) => GroupName === '') : -1;
    const party = fields.Parties[index];
    return party === undefined ? undefined : { pointer: `/Parties/${index}/GroupName`, message: `Party ${party.Id} has no GroupName.` };
  },
};
const isInTime: Rule<StateFacts> = {
  sentence: 'ExpireOn: absolute deadline, UTC. Only a Draft with its ExpireOn still ahead can be sent.',
  ...{ status: 409, errorCode: 'deadlinePassed' },
  find: ({ record: { fields }, now }) => {
    const { ExpireOn } = fields;
    return ExpireOn === undefined || fromDateTime(ExpireOn) > now ? undefined : { pointer: '/ExpireOn', message: `ExpireOn ${ExpireOn} has passed.` };
  },
};
const isUpdatable: Rule<StateFacts> = {
  sentence: 'updatecase: at Pending, Draft and PendingApproval; at Sent only if IsEditable, not merged, and before the first signature.',
  ...{ status: 409, errorCode: 'invalidStatus' },
  find: ({ record }) => {
    const { Status, IsEditable, MergeOnSend } = record.fields;
    if (['Pending', 'Draft', 'PendingApproval'].includes(Status)) return undefined;
    const isSigned = record.progress.some(({ outcome }) => outcome === 'signed' || outcome === 'signedOnPaper');
    if (Status === 'Sent' && IsEditable === true && MergeOnSend !== true && !isSigned) return undefined;
    return { pointer: '/Status', message: `A case with the status ${Status} cannot be updated.` };
  },
};
const documentsStay: Rule<UpdateFacts> = {
  sentence: 'updatecase: in Documents only Filename and FormFields can change. To change size, hash or data, add a new one with a new id.',
  ...{ status: 409, errorCode: 'documentImmutable' },
  find: ({ record: { fields }, input: { Documents = [] } }) => {
    for (const [index, document] of Documents.entries()) {
      const stored = fields.Documents.find(({ Id }) => Id === document.Id);
      const member = stored === undefined ? undefined : describeLockedMember(stored, document);
      if (stored === undefined || member === undefined) continue;
      const message = `In document ${stored.Id} only Filename and FormFields can change. Remove it and add a document with a new Id.`;
      return { pointer: `/Documents/${index}/${member}`, message };
    }
    return undefined;
  },
};
const approversStay: Rule<UpdateFacts> = {
  sentence: 'AllowEditApprover: agents may change approver details; while it is false, not once approval was requested.',
  ...{ status: 409, errorCode: 'approversLocked' },
  find: ({ record: { fields }, input: { Approvers = [] } }) => {
    if (fields.Status !== 'PendingApproval' || fields.AllowEditApprover === true) return undefined;
    if (JSON.stringify(Approvers.map(sortMembers)) === JSON.stringify(fields.Approvers.map(sortMembers))) return undefined;
    return { pointer: '/Approvers', message: 'Approvers cannot change after approval was requested, as AllowEditApprover is not true.' };
  },
};
const isUnsettled: Rule<MarkFacts> = {
  sentence: 'A party has neither signed nor been marked: what it did is recorded once.',
  ...{ status: 409, errorCode: 'partySettled' },
  find: ({ record, party: { Id } }) => {
    const { outcome } = progressOf(record, Id);
    if (outcome === undefined) return undefined;
    const index = record.fields.Parties.findIndex((party) => party.Id === Id);
    const did = outcome === 'signed' ? 'has signed' : `has been marked as ${outcome === 'notSigned' ? 'not signed' : 'signed'}`;
    return { pointer: `/Parties/${index}`, message: `Party ${Id} ${did} already.` };
  },
};
const isItsTurn: Rule<MarkFacts> = {
  sentence: 'SignInSequence: enforces signing order. When false, parties sign simultaneously.',
  ...{ status: 409, errorCode: 'invalidStatus' },
  find: ({ record, party: { Id } }) => {
    const next = record.fields.Parties.find((party) => progressOf(record, party.Id).outcome === undefined);
    if (record.fields.SignInSequence !== true || next?.Id === Id) return undefined;
    const index = record.fields.Parties.findIndex((party) => party.Id === Id);
    return { pointer: `/Parties/${index}`, message: `It is not the turn of party ${Id}: party ${next?.Id ?? ''} signs before it.` };
  },
};
const isNamed: Rule<MarkFacts> = {
  sentence: 'markassigned: PartyName (string, optional unless the party name was empty).',
  ...{ status: 400, errorCode: 'partyNameRequired' },
  find: ({ party: { Name = '' }, partyName = '' }) =>
    Name !== '' || partyName !== ''
      ? undefined
      : { pointer: '/PartyName', message: 'The party has no name, so PartyName is required.', detail: "is required when the party's name is empty" },
};
const idsDiffer: Rule<{ readonly input: CaseInput }> = {
  sentence: 'Party.Id: party id within the case. Document.Id: updates tell documents apart by it. Each is there once.',
  ...{ status: 400, errorCode: 'invalidRequest' },
  find: ({ input: { Parties = [], Documents = [] } }) => {
    const party = findRepetition(Parties);
    if (party !== undefined) return { pointer: `/Parties/${party}/Id`, message: INVALID, detail: 'must differ from the Id of every other party of the case' };
    const document = findRepetition(Documents);
    if (document === undefined) return undefined;
    return { pointer: `/Documents/${document}/Id`, message: INVALID, detail: 'must differ from the Id of every other document of the case' };
  },
};
const isWithinReach: Rule<{ readonly skip: number; readonly take: number }> = {
  sentence: 'findcases: Skip + Take | at most 10000.',
  ...{ status: 400, errorCode: 'invalidRequest', in: 'query' },
  find: ({ skip, take }) => (skip + take <= 10_000 ? undefined : { pointer: '/Skip', message: INVALID, detail: 'Skip + Take must be <= 10000' }),
};

export interface RuleTable {
  readonly createcase: readonly Rule<{ readonly input: CaseInput }>[];
  readonly updatecase: readonly Rule<UpdateFacts>[];
  readonly findcases: readonly Rule<{ readonly skip: number; readonly take: number }>[];
  readonly sign: readonly Rule<MarkFacts>[];
  readonly reject: readonly Rule<MarkFacts>[];
  readonly markassigned: readonly Rule<MarkFacts>[];
  readonly markasnotsigned: readonly Rule<MarkFacts>[];
  readonly sendcase: readonly Rule<StateFacts>[];
  readonly requestapproval: readonly Rule<StateFacts>[];
  readonly approve: readonly Rule<StateFacts>[];
  readonly remindcase: readonly Rule<StateFacts>[];
  readonly recallcase: readonly Rule<StateFacts>[];
  /** What a case that stays Sent must still have after an update. */
  readonly updatedWhileSent: readonly Rule<StateFacts>[];
}

/** The rules of each operation and action, in the order in which they are looked at. */
export const RULES: RuleTable = {
  createcase: [idsDiffer],
  sendcase: [isDraftToSend, needsNoApproval, isComplete, hasGroupNames, isInTime],
  requestapproval: [isDraftToApprove, requiresApproval, isComplete, hasGroupNames, isInTime],
  approve: [isWaitingForApproval, isComplete, hasGroupNames, isInTime],
  remindcase: [isSentToRemind],
  recallcase: [isSentToRecall],
  sign: [isSentToSign, isUnsettled, isItsTurn],
  reject: [isSentToSign, isUnsettled],
  markassigned: [isSentToMark, isUnsettled, isNamed],
  markasnotsigned: [isSentToMark, isUnsettled],
  updatecase: [idsDiffer, isUpdatable, documentsStay, approversStay],
  updatedWhileSent: [isComplete],
  findcases: [isWithinReach],
};
