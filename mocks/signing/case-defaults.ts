import type { StoredCase } from './case-record.js';

/** Members that are made for each case, or that no case goes without saying. */
type Own =
  | 'Id'
  | 'Status'
  | 'AllowedSignatureTypes'
  | 'AgentUsername'
  | 'AgentUsernameType'
  | 'Stakeholders'
  | 'Approvers'
  | 'Metadata'
  | 'NotificationMethods'
  | 'Parties'
  | 'Documents'
  | 'CreatedOn';

/** What the members of a new case are when they are omitted. */
export const CASE_DEFAULTS: Omit<StoredCase, Own> = {
  Name: '',
  NameAlias: '',
  Description: '',
  ContinueUrl: '',
  ContinueName: '',
  Visibility: 'group',
  AccessControl: 'default',
  Procedure: 'default',
  ExpireAfterDays: 0,
  RemindAfterDays: 0,
  ContinueAuto: false,
  SignInSequence: false,
  IdentityCheck: false,
  IsEditable: false,
  MergeOnSend: false,
  UseGroupNames: false,
  SendSignRequestEmailToParties: true,
  SendFinishEmailToCreator: false,
  SendFinishEmailToParties: true,
  SendRecallEmailToParties: false,
  ApprovalRequired: false,
  AllowEditApprover: false,
  DisablePartyQuestion: false,
  SendRejectNotification: false,
};
