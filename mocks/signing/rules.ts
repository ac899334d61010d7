import { stringifyExactJson } from 'specmill/mock';

import type { DocumentInput } from '../../generated/signing/types.js';
import { describeContent, type StoredDocument } from './case-record.js';
import * as state from './case-rules.js';
import type { IdFacts, InputFacts, PageFacts, Rule, UpdateFacts } from './rule.js';

const documentsStay: Rule<UpdateFacts> = {
  sentence:
    'updatecase: In Documents only Filename and FormFields can change. To change size, hash or data, remove the ' +
    'document and add a new one with a new id.',
  status: 409,
  errorCode: 'documentImmutable',
  pointer: '/Documents/{index}/{member}',
  find: ({ record: { fields }, input: { Documents = [] } }) => {
    for (const [index, document] of Documents.entries()) {
      const stored = fields.Documents.find(({ Id }) => Id === document.Id);
      const member = stored === undefined ? undefined : describeLockedMember(stored, document);
      if (stored === undefined || member === undefined) continue;
      const remedy = 'Remove it and add a document with a new Id.';
      const message = `In document ${stored.Id} only Filename and FormFields can change. ${remedy}`;
      return { at: [index, member], message };
    }
    return undefined;
  },
};
const approversStay: Rule<UpdateFacts> = {
  sentence: 'AllowEditApprover: Agents may change approver details.',
  decision: 'While it is not true, they may not once approval was requested.',
  status: 409,
  errorCode: 'approversLocked',
  pointer: '/Approvers',
  find: ({ record: { fields }, input: { Approvers = [] } }) => {
    if (fields.Status !== 'PendingApproval' || fields.AllowEditApprover === true) return undefined;
    const [given, stored] = [Approvers, fields.Approvers].map((list) => stringifyExactJson(list.map(sortMembers)));
    if (given === stored) return undefined;
    return { message: 'Approvers cannot change after approval was requested, as AllowEditApprover is not true.' };
  },
};
const idIsFree: Rule<IdFacts> = {
  sentence: 'Id: Case identifier. Can be set on creation.',
  decision: 'An Id identifies one case or template of an account, in any letter case.',
  status: 409,
  errorCode: 'duplicateId',
  pointer: '/{member}',
  find: ({ id, member, isTaken }) =>
    isTaken ? { at: [member], message: `There is a case ${id} already.` } : undefined,
};
const idsDiffer: Rule<InputFacts> = {
  sentence: 'Party.Id: Party id within the case. Document.Id: Document id. A replacement document needs a new id.',
  decision: 'No two parties and no two documents of a case have the same Id.',
  status: 400,
  errorCode: 'invalidRequest',
  pointer: '/{list}/{index}/Id',
  find: ({ input: { Parties = [], Documents = [] } }) => {
    const lists = [
      ['Parties', 'party', findRepetition(Parties)],
      ['Documents', 'document', findRepetition(Documents)],
    ] as const;
    for (const [list, what, index] of lists) {
      if (index === undefined) continue;
      const detail = `must differ from the Id of every other ${what} of the case`;
      return { at: [list, index], message: `${list}.${index}.Id ${detail}`, detail };
    }
    return undefined;
  },
};
const isWithinReach: Rule<PageFacts> = {
  sentence: 'Skip + Take | at most 10000 | findcases',
  status: 400,
  errorCode: 'invalidRequest',
  in: 'query',
  pointer: '/Skip',
  find: ({ skip, take }) => (skip + take <= 10_000 ? undefined : { message: 'Skip + Take must be <= 10000' }),
};

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

/** Describes a locked member of a stored document that a request would change. */
function describeLockedMember(stored: StoredDocument, given: DocumentInput): string | undefined {
  const { Data = '', ContentType, Type, IsRequired } = given;
  if (Data !== '' && describeContent(Data).Hash !== stored.Hash) return 'Data';
  if (ContentType !== undefined && ContentType !== stored.ContentType) return 'ContentType';
  if (Type !== undefined && Type !== stored.Type) return 'Type';
  return IsRequired !== undefined && IsRequired !== stored.IsRequired ? 'IsRequired' : undefined;
}

/** Sorts the members of a record, to compare it as text. */
function sortMembers(value: object): object {
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

type RuleTable = Readonly<
  Record<'createcase', readonly Rule<InputFacts>[]> &
    Record<'newCase', readonly Rule<IdFacts>[]> &
    Record<'updatecase', readonly Rule<UpdateFacts>[]> &
    Record<'updatedWhileSent' | 'sendcase' | 'requestapproval' | 'approve', readonly state.StateRule[]> &
    Record<'remindcase' | 'recallcase', readonly state.StateRule[]> &
    Record<'sign' | 'reject' | 'markassigned' | 'markasnotsigned', readonly state.MarkRule[]> &
    Record<'findcases', readonly Rule<PageFacts>[]>
>;

/** The rules of each operation and action, in the order in which they are checked. */
export const RULES: RuleTable = {
  createcase: [idsDiffer],
  // For a new case, also from a template.
  newCase: [idIsFree],
  updatecase: [idsDiffer, state.isUpdatable, documentsStay, approversStay],
  // For a case that stays Sent after an update.
  updatedWhileSent: [state.isComplete, state.hasGroupNames],
  sendcase: [state.isDraftToSend, state.needsNoApproval, state.isComplete, state.hasGroupNames, state.isInTime],
  requestapproval: [
    state.isDraftToApprove,
    state.requiresApproval,
    state.isComplete,
    state.hasGroupNames,
    state.isInTime,
  ],
  approve: [state.isWaitingForApproval, state.isComplete, state.hasGroupNames, state.isInTime],
  remindcase: [state.isSentToRemind],
  recallcase: [state.isSentToRecall],
  sign: [state.isSentToSign, state.isUnsettled, state.isItsTurn],
  reject: [state.isSentToSign, state.isUnsettled],
  markassigned: [state.isSentToMark, state.isUnsettled, state.isNamed],
  markasnotsigned: [state.isSentToMark, state.isUnsettled],
  findcases: [isWithinReach],
};
