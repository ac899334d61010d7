import { type HandlerContext, stringifyExactJson, withoutUndefined } from 'specmill/mock';

import type { CaseInput, Document } from '../../generated/signing/types.js';
import { guessType } from './accounts.js';
import {
  type CaseRecord,
  DAY,
  openParties,
  type StoredDocument,
  type StoredParty,
  UNSET_MEMBERS,
  withFields,
} from './case-record.js';
import type { CaseTurn } from './change-case.js';
import { newDocument, newParty, partyMembers, readMembers } from './create-case.js';
import { enforce } from './rule.js';
import { RULES } from './rules.js';
import { askParties, completeSigning, planDeadline } from './transitions.js';

/** Changes the members of a case. Replaces collections as sets; omitted texts become empty. */
export function updateCase(context: HandlerContext, turn: CaseTurn, input: CaseInput): void {
  enforce(RULES.updatecase, { ...turn, input });
  const before = turn.record;
  turn.record = applyUpdate(context, before, input);
  if (turn.record.fields.Status === 'Sent') continueSigning(turn, before);
}

export function applyUpdate(context: HandlerContext, record: CaseRecord, input: CaseInput): CaseRecord {
  const { Id: _id, Parties = [], Documents = [], ...members } = readMembers(context, input);
  const { ExpireOn = record.fields.ExpireOn, ...others } = members;
  const changed = withFields(withoutDeadline(record), {
    Name: '',
    NameAlias: '',
    Description: '',
    ...UNSET_MEMBERS,
    ...others,
    ...(typeof ExpireOn === 'string' ? { ExpireOn } : {}),
    ...readAgent(record, input),
    Parties: Parties.map((party) => mergeParty(context, record, party) ?? newParty(context, party)),
    Documents: Documents.map((document) => mergeDocument(record, document) ?? newDocument(context, document)),
  });
  const kept = new Set(changed.fields.Parties.map(({ Id }) => Id));
  return {
    ...changed,
    progress: changed.progress.filter(({ partyId }) => kept.has(partyId)),
    approvals: keepApprovals(changed),
  };
}

function withoutDeadline({ fields: { ExpireOn: _ExpireOn, ...fields }, ...record }: CaseRecord): CaseRecord {
  return { ...record, fields };
}

/** Reads the agent. A new username without a type gets the type that it looks like. */
function readAgent(
  { fields }: CaseRecord,
  { AgentUsername, AgentUsernameType }: CaseInput,
): Pick<CaseInput, 'AgentUsername' | 'AgentUsernameType'> {
  const username = AgentUsername === undefined || AgentUsername === '' ? fields.AgentUsername : AgentUsername;
  const known = username === fields.AgentUsername ? fields.AgentUsernameType : guessType(username);
  return { AgentUsername: username, AgentUsernameType: AgentUsernameType ?? known };
}

/** Merges sent members into a stored party; omitted ones stay. */
function mergeParty(
  context: HandlerContext,
  { fields }: CaseRecord,
  party: NonNullable<CaseInput['Parties']>[number],
): StoredParty | undefined {
  const stored = fields.Parties.find(({ Id }) => Id === party.Id);
  return stored === undefined ? undefined : { ...stored, ...partyMembers(context, party), Id: stored.Id };
}

/** Merges a sent document into the stored one, of which only Filename and FormFields change. */
function mergeDocument({ fields }: CaseRecord, { Id, Filename, FormFields }: Document): StoredDocument | undefined {
  const stored = fields.Documents.find((document) => document.Id === Id);
  return stored === undefined ? undefined : { ...stored, ...withoutUndefined({ Filename, FormFields }) };
}

/** Keeps the approvals of the first approvers that did not change, because approvals follow the order of approvers. */
function keepApprovals({ fields, approvals }: CaseRecord): CaseRecord['approvals'] {
  const isKept = (index: number): boolean =>
    stringifyExactJson(approvals[index]) === stringifyExactJson(fields.Approvers[index]);
  const firstLost = approvals.findIndex((_approval, index) => !isKept(index));
  return firstLost === -1 ? approvals : approvals.slice(0, firstLost);
}

/** Continues the signing of a sent case with its new members. */
function continueSigning(turn: CaseTurn, before: CaseRecord): void {
  enforce(RULES.updatedWhileSent, turn);
  const { RemindAfterDays = 0 } = turn.record.fields;
  if (openParties(turn.record).length === 0) {
    completeSigning(turn);
    return;
  }
  askParties(turn);
  planDeadline(turn);
  if (RemindAfterDays === before.fields.RemindAfterDays) return;
  const dueAt = (turn.record.sentAt ?? turn.now) + RemindAfterDays * DAY;
  turn.drop('remind');
  if (RemindAfterDays > 0 && dueAt > turn.now) turn.plan('remind', dueAt);
}
