import type { CaseStatus } from '../../generated/signing/types.js';
import { type CaseRecord, fromDateTime, progressOf, type StoredParty } from './case-record.js';
import type { MarkFacts, Rule, StateFacts } from './rule.js';

export type StateRule = Rule<StateFacts>;
export type MarkRule = Rule<MarkFacts>;

const WRONG_STATUS = { status: 409, errorCode: 'invalidStatus', pointer: '/Status' } as const;

interface StatusWords extends Pick<StateRule, 'sentence' | 'decision'> {
  /** Returns the message for a case with another status. */
  readonly say: (status: CaseStatus) => string;
}

function hasStatus(wanted: CaseStatus, { say, ...words }: StatusWords): StateRule {
  const find: StateRule['find'] = ({ record: { fields } }) =>
    fields.Status === wanted ? undefined : { message: say(fields.Status) };
  return { ...words, ...WRONG_STATUS, find };
}

/** The member that makes approval necessary: a flag that is true, or a type that is present. */
function findApproval({ ApprovalRequired, AllowEditApprover, ApprovalType }: CaseRecord['fields']): string | undefined {
  if (ApprovalRequired === true) return 'ApprovalRequired';
  if (ApprovalType !== undefined) return 'ApprovalType';
  return AllowEditApprover === true ? 'AllowEditApprover' : undefined;
}

function indexOf({ fields }: CaseRecord, party: StoredParty): number {
  return fields.Parties.findIndex(({ Id }) => Id === party.Id);
}

const DID = {
  signed: 'has signed',
  signedOnPaper: 'has been marked as signed',
  notSigned: 'has been marked as not signed',
};

/** `Parties, Documents and AllowedSignatureTypes`. */
function joinWords(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

export const isDraftToSend: StateRule = hasStatus('Draft', {
  sentence:
    'Draft | POST sendcase | Parties, Documents and AllowedSignatureTypes are all set; approval not required | Sent',
  decision: 'Only a Draft can be sent.',
  say: (status) => `A case with the status ${status} cannot be sent.`,
});
export const isDraftToApprove: StateRule = hasStatus('Draft', {
  sentence: 'Draft with ApprovalRequired | POST requestapproval | Case requires approval',
  decision: 'Approval is requested for a Draft, which becomes PendingApproval.',
  say: (status) => `Approval cannot be requested for a case with the status ${status}.`,
});
export const isWaitingForApproval: StateRule = hasStatus('PendingApproval', {
  sentence: "Approver stakeholders are asked to approve and send, in the API user's name.",
  decision: 'They approve while the case is PendingApproval.',
  say: (status) => `A case with the status ${status} does not wait for approval.`,
});
export const isSentToRemind: StateRule = hasStatus('Sent', {
  sentence: 'remindcase: reminds all parties who have not signed.',
  decision: 'Parties are asked to sign while the case is Sent.',
  say: (status) => `A case with the status ${status} has no parties to remind.`,
});
export const isSentToRecall: StateRule = hasStatus('Sent', {
  sentence: 'Sent | POST recallcase | | recalled | Finished cases cannot be recalled.',
  decision: 'Only a Sent case can be recalled.',
  say: (status) => `A case with the status ${status} cannot be recalled.`,
});
export const isSentToMark: StateRule = hasStatus('Sent', {
  sentence:
    'Sent | POST markassigned | Agent has received a valid handwritten signature | party marked signed; ' +
    'Sent | POST markasnotsigned | Party will not sign | party marked not signed',
  decision: 'Parties are marked while the case is Sent.',
  say: (status) => `Parties of a case with the status ${status} cannot be marked.`,
});
export const isSentToSign: StateRule = hasStatus('Sent', {
  sentence: 'Sent | a party signs | Other parties still unsigned | Sent',
  decision: 'Parties sign, or reject, while the case is Sent.',
  say: (status) => `Parties of a case with the status ${status} can neither sign nor reject it.`,
});
export const needsNoApproval: StateRule = {
  sentence: 'ApprovalRequired: When set, the case must be sent with requestapproval. ApprovalType: Same sending rule.',
  decision: 'A flag is set when it is true, a type when it is there. AllowEditApprover has the same rule.',
  status: 409,
  errorCode: 'approvalRequired',
  pointer: '/{member}',
  find: ({ record: { fields } }) => {
    const member = findApproval(fields);
    if (member === undefined) return undefined;
    return { at: [member], message: 'The case requires approval and must be sent with requestapproval.' };
  },
};
export const requiresApproval: StateRule = {
  sentence: 'Draft with ApprovalRequired | POST requestapproval | Case requires approval',
  status: 409,
  errorCode: 'approvalNotRequired',
  pointer: '/ApprovalRequired',
  find: ({ record: { fields } }) =>
    findApproval(fields) === undefined
      ? { message: 'The case requires no approval and can be sent with sendcase.' }
      : undefined,
};
export const isComplete: StateRule = {
  sentence: 'sendcase: requires Parties, Documents and AllowedSignatureTypes on the case.',
  decision: 'An empty list is not set. The pointer leads to the first that is missing.',
  status: 409,
  errorCode: 'caseIncomplete',
  pointer: '/{member}',
  find: ({ record: { fields } }) => {
    const needed = ['Parties', 'Documents', 'AllowedSignatureTypes'] as const;
    const missing = needed.filter((name) => fields[name].length === 0);
    const [first] = missing;
    if (first === undefined) return undefined;
    return { at: [first], message: `The case cannot be sent without ${joinWords(missing)}.` };
  },
};
export const hasGroupNames: StateRule = {
  sentence: "UseGroupNames: When true, each party's group name must be set before the case can be sent.",
  status: 409,
  errorCode: 'groupNameMissing',
  pointer: '/Parties/{index}/GroupName',
  find: ({ record: { fields } }) => {
    if (fields.UseGroupNames !== true) return undefined;
    const index = fields.Parties.findIndex(({ GroupName = '' }) => GroupName === '');
    const party = fields.Parties[index];
    return party === undefined ? undefined : { at: [index], message: `Party ${party.Id} has no GroupName.` };
  },
};
export const isInTime: StateRule = {
  sentence: 'ExpireOn: Absolute deadline, UTC.',
  decision: 'A case whose deadline has come cannot be sent.',
  status: 409,
  errorCode: 'deadlinePassed',
  pointer: '/ExpireOn',
  find: ({ record: { fields }, now }) => {
    const { ExpireOn } = fields;
    if (ExpireOn === undefined || fromDateTime(ExpireOn) > now) return undefined;
    return { message: `ExpireOn ${ExpireOn} has passed.` };
  },
};
export const isUpdatable: StateRule = {
  sentence:
    'IsEditable: Documents with form fields can be edited by agent or party before the first signature. ' +
    'MergeOnSend: With IsEditable: merge the documents and make them read-only when the case is sent.',
  decision: 'A case changes before it is sent, and while it is Sent only where these two say so.',
  ...WRONG_STATUS,
  find: ({ record }) => {
    const { Status, IsEditable, MergeOnSend } = record.fields;
    if (['Pending', 'Draft', 'PendingApproval'].includes(Status)) return undefined;
    const isSigned = record.progress.some(({ outcome }) => outcome === 'signed' || outcome === 'signedOnPaper');
    if (Status === 'Sent' && IsEditable === true && MergeOnSend !== true && !isSigned) return undefined;
    return { message: `A case with the status ${Status} cannot be updated.` };
  },
};
export const isUnsettled: MarkRule = {
  sentence: 'markassigned: party marked signed. markasnotsigned: party marked not signed.',
  decision: 'A party that has signed or was marked neither signs, rejects nor is marked again.',
  status: 409,
  errorCode: 'partySettled',
  pointer: '/Parties/{index}',
  find: ({ record, party }) => {
    const { outcome } = progressOf(record, party.Id);
    if (outcome === undefined) return undefined;
    return { at: [indexOf(record, party)], message: `Party ${party.Id} ${DID[outcome]} already.` };
  },
};
export const isItsTurn: MarkRule = {
  sentence: 'SignInSequence: Enforces signing order. When false, parties sign simultaneously.',
  status: 409,
  errorCode: 'invalidStatus',
  pointer: '/Parties/{index}',
  find: ({ record, party }) => {
    const next = record.fields.Parties.find(({ Id }) => progressOf(record, Id).outcome === undefined);
    if (record.fields.SignInSequence !== true || next === undefined || next.Id === party.Id) return undefined;
    const message = `It is not the turn of party ${party.Id}: party ${next.Id} signs before it.`;
    return { at: [indexOf(record, party)], message };
  },
};
export const isNamed: MarkRule = {
  sentence: 'markassigned: PartyName (string, optional unless the party name was empty)',
  status: 400,
  errorCode: 'partyNameRequired',
  pointer: '/PartyName',
  find: ({ party: { Name = '' }, partyName = '' }) => {
    if (Name !== '' || partyName !== '') return undefined;
    const detail = "is required when the party's name is empty";
    return { message: 'The party has no name, so PartyName is required.', detail };
  },
};
