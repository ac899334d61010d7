import {
  ABSENT,
  type EndpointRow,
  type MemberRow,
  type ValueRow,
  choices,
  type SeedRules,
  named,
} from '../support/seed-rules.js';

const ID = '6f1c2f5e-3b7a-4c58-9d0e-2a41b8c7d901';

const ENDPOINTS: readonly EndpointRow[] = [
  ...[
    'createcase',
    'createcasefromtemplate',
    'updatecase',
    'updatecasemetadata',
    'sendcase',
    'remindcase',
    'deletecase',
    'recallcase',
    'requestapproval',
    'markassigned',
    'markasnotsigned',
  ].map((word): EndpointRow => ['POST', `/api/v2/${word}`, ['200', '401']]),
  ...['getcase', 'getcasebytemporaryid', 'findcases', 'findtemplates'].map((word): EndpointRow => [
    'GET',
    `/api/v2/${word}`,
    ['200', '401'],
  ]),
];

const MEMBERS: readonly MemberRow[] = [
  ['read-only', 'Case.Status', { readOnly: true }],
  ['read-only, cannot be changed', 'Case.AccountId', { readOnly: true }],
  ['read-only, cannot be changed', 'Case.MasterAccountId', { readOnly: true }],
  ['read-only', 'Case.TemporaryId', { readOnly: true }],
  ['read-only', 'Case.CreatedOn', { readOnly: true }],
  ['returned by reads only', 'Party.NotificationStatus', { readOnly: true }],
  ['returned by reads only', 'Party.Reviewed', { readOnly: true }],
  ['returned by getcase', 'Document.Hash', { readOnly: true }],
  ['empty string when omitted', 'Case.Name', { default: '' }],
  ['empty string when omitted', 'Case.NameAlias', { default: '' }],
  ['empty when omitted', 'Case.Description', { default: '' }],
  ['empty when omitted', 'Case.ContinueUrl', { default: '' }],
  ['empty when omitted', 'Case.ContinueName', { default: '' }],
  ['default group', 'Case.Visibility', { default: 'group' }],
  ['default Email when omitted', 'Case.NotificationMethods', { default: ['email'] }],
  ['default 0', 'Case.ExpireAfterDays', { default: 0 }],
  ['default 0', 'Case.RemindAfterDays', { default: 0 }],
];

/** A row for each value that a list of allowed ones has, and one for a value that it does not have. */
function choice(member: string, allowed: readonly unknown[], other: unknown): ValueRow[] {
  return choices(
    `${member} is one of a list`,
    'createcase body',
    allowed.map((value) => ({ [member]: value })),
    [{ [member]: other }],
  );
}

const CASE_VALUES: readonly ValueRow[] = [
  ['no field is required', 'createcase body', {}, true],
  ['unknown fields are ignored', 'createcase body', { Colour: 'red' }, true],
  ['Guid is a UUID string', 'createcase body', { Id: ID }, true],
  ['Guid is a UUID string', 'createcase body', { Id: 'case-1' }, false],
  ...choice('AllowedSignatureTypes', [['electronicid'], ['touch'], ['sms'], ['quickintent']], ['fax']),
  [
    'any combination of signature types',
    'createcase body',
    { AllowedSignatureTypes: ['electronicid', 'touch', 'sms', 'quickintent'] },
    true,
  ],
  ['signature types are a list', 'createcase body', { AllowedSignatureTypes: 'touch' }, false],
  ...choice('AgentUsernameType', ['Id', 'EmailAddress'], 'Name'),
  ...choice('Visibility', ['group', 'private', 'inherit'], 'public'),
  ...choice('NotificationMethods', [['none'], ['email'], ['sms'], ['Email'], ['SMS']], ['letter']),
  ...choice('AccessControl', ['default', 'sms', 'electronicid'], 'password'),
  ...choice('Procedure', ['default', 'form', 'payload', 'batch'], 'manual'),
  ...choice('ApprovalType', ['requireall', 'requireany'], 'requirenone'),
  ['metadata values are not complex', 'createcase body', { Metadata: { project: 'Harbour', year: 2026 } }, true],
  ['metadata values are not complex', 'createcase body', { Metadata: { project: { name: 'Harbour' } } }, false],
  ['metadata values are not complex', 'createcase body', { Metadata: { project: ['Harbour'] } }, false],
  ['ExpireOn is a DateTime', 'createcase body', { ExpireOn: '2026-12-01T12:00:00' }, true],
  ['a DateTime has no offset', 'createcase body', { ExpireOn: '2026-12-01T12:00:00Z' }, false],
  ['a DateTime has a time', 'createcase body', { ExpireOn: '2026-12-01' }, false],
  ['ExpireAfterDays is a number', 'createcase body', { ExpireAfterDays: 14 }, true],
  ['ExpireAfterDays is a number', 'createcase body', { ExpireAfterDays: '14' }, false],
  ['RemindAfterDays is a number', 'createcase body', { RemindAfterDays: true }, false],
  [
    'flags are booleans',
    'createcase body',
    { ContinueAuto: true, SignInSequence: false, IdentityCheck: true, UseGroupNames: true },
    true,
  ],
  ['flags are booleans', 'createcase body', { SignInSequence: 'true' }, false],
  ['flags are booleans', 'createcase body', { MergeOnSend: 1 }, false],
  ['parties are a list', 'createcase body', { Parties: [{ Name: 'Ada Lind', EmailAddress: 'ada@example.com' }] }, true],
  ['parties are a list', 'createcase body', { Parties: { Name: 'Ada Lind' } }, false],
  ['a party signature type is a string or a number', 'Party', { SignatureType: 'Unknown' }, true],
  ['a party signature type is a string or a number', 'Party', { SignatureType: 0 }, true],
  ['a party signature type is a string or a number', 'Party', { SignatureType: true }, false],
  ['a notification status has a text Email', 'Party response', { NotificationStatus: { Email: 'Delivered' } }, true],
  ['a notification status has a text Email', 'Party response', { NotificationStatus: { Email: 3 } }, false],
  ['Document.Type seen as Original', 'Document', { Type: 'Original' }, true],
  ['Document.Size is a number', 'Document response', { Size: '12' }, false],
  ['form fields are a dictionary', 'Document', { FormFields: { Salary: '42' } }, true],
  ['form fields are a dictionary', 'Document', { FormFields: ['Salary'] }, false],
  [
    'events have names',
    'createcase body',
    { EventCallback: { Events: ['Created', 'Signed', 'SignatureAdded', 'Finished'], Url: 'https://a.example/cb' } },
    true,
  ],
  ['events have names', 'createcase body', { EventCallback: { Events: ['Moved'] } }, false],
  ['event names in any letter case', 'createcase body', { EventCallback: { Events: ['signatureadded'] } }, true],
];

const READ_VALUES: readonly ValueRow[] = [
  ['eight states', 'getcase 200', { Id: ID, Status: 'PendingApproval' }, true],
  ['eight states', 'getcase 200', { Id: ID, Status: 'Signed' }, true],
  ['states are spelled with a capital in reads', 'getcase 200', { Id: ID, Status: 'sent' }, false],
  ['data is empty or omitted in reads', 'getcase 200', { Documents: [{ Data: '' }, {}] }, true],
  ['data is empty or omitted in reads', 'getcase 200', { Documents: [{ Data: 'JVBERi0=' }] }, false],
  ['a search responds with a list', 'findcases 200', [{ Id: ID }], true],
  ['a search responds with a list', 'findcases 200', { Id: ID }, false],
  ['a search for templates responds with a list', 'findtemplates 200', [], true],
  ['a temporary id has 4 or more digits', 'getcase 200', { TemporaryId: 1000 }, true],
  ['a temporary id has 4 or more digits', 'getcase 200', { TemporaryId: 999 }, false],
];

const INPUT_VALUES: readonly ValueRow[] = [
  ['Id identifies the case', 'updatecase body', { Id: ID, Name: 'Lease' }, true],
  ['Id identifies the case', 'updatecase body', { Name: 'Lease' }, false],
  [
    'templateId is a Guid',
    'createcasefromtemplate body',
    { templateId: ID, newCaseId: ID, agentUsername: 'ada@example.com', agentUsernameType: 'EmailAddress' },
    true,
  ],
  ['templateId is a Guid', 'createcasefromtemplate body', { templateId: 7 }, false],
  [
    'agentUsernameType is Id or EmailAddress',
    'createcasefromtemplate body',
    { templateId: ID, agentUsernameType: 'email' },
    false,
  ],
  ['new metadata', 'updatecasemetadata body', { Id: ID, Metadata: { a: 'b' } }, true],
  ['values are not complex', 'updatecasemetadata body', { Id: ID, Metadata: { a: {} } }, false],
  ...['sendcase', 'remindcase', 'deletecase', 'recallcase', 'requestapproval'].flatMap((word): ValueRow[] => [
    ['id is a Guid', `${word} body`, { id: ID }, true],
    ['id is a Guid', `${word} body`, { id: 'x' }, false],
    ['one case is named', `${word} body`, {}, false],
  ]),
  ['PartyName is optional', 'markassigned body', { CaseId: ID, PartyId: 'p1' }, true],
  ['PartyName is a string', 'markassigned body', { CaseId: ID, PartyId: 'p1', PartyName: 'Ada' }, true],
  ['PartyId is a string', 'markassigned body', { CaseId: ID, PartyId: 1 }, false],
  ['its members start in lower case', 'markasnotsigned body', { caseId: ID, partyId: 'p1' }, true],
  ['its members start in lower case', 'markasnotsigned body', { CaseId: ID, PartyId: 'p1' }, false],
];

const QUERY_VALUES: readonly ValueRow[] = [
  ['id is given', 'getcase query id', ABSENT, false],
  ['id is a Guid', 'getcase query id', '12', false],
  ['the flags are optional', 'getcase query IncludeAllStatuses', ABSENT, true],
  ['the flags are booleans', 'getcase query includePendingApprovalStatus', true, true],
  ['id is a number of 4 or more digits', 'getcasebytemporaryid query id', 1234, true],
  ['id is a number of 4 or more digits', 'getcasebytemporaryid query id', 123, false],
  ...['findcases', 'findtemplates'].flatMap((word): ValueRow[] => [
    ['Take is at most 100', `${word} query Take`, 100, true],
    ['Take is at most 100', `${word} query Take`, 101, false],
    ['Skip starts at 0', `${word} query Skip`, 0, true],
    ['what a client should do is not enforced', `${word} query Skip`, 7, true],
    ['Sort names a field', `${word} query Sort`, 'Created', true],
    ['Sort may be followed by DESC', `${word} query Sort`, 'Name DESC', true],
    ['Sort knows three fields', `${word} query Sort`, 'Culture', false],
    ['dates are DateTimes', `${word} query FromDate`, '2026-01-01T00:00:00', true],
    ['null means no filter', `${word} query ToDate`, null, true],
    ['dates are DateTimes', `${word} query ToDate`, 'today', false],
    ['a dictionary filter', `${word} query Metadata`, { project: 'Har' }, true],
    ['a dictionary filter', `${word} query FormData`, { Salary: '4' }, true],
  ]),
  ['a status as a filter is in lower case', 'findcases query Status', 'pendingapproval', true],
  ['a status as a filter is in lower case', 'findcases query Status', 'Sent', false],
  ...[
    'Search',
    'AgentUsername',
    'PartySocialSecurityNumber',
    'PartyEidSerialNumber',
    'PartyEmailAddress',
    'PartyMobilePhone',
  ].map((name): ValueRow => ['a search text is a string', `findcases query ${name}`, 'a', true]),
];

const MORE_MEMBERS: readonly MemberRow[] = [
  ...named(
    'Case',
    `Id Status Name NameAlias AccountId MasterAccountId Parties Documents AllowedSignatureTypes AgentUsername AgentUsernameType Visibility Description
    Stakeholders Metadata CancelUrl ContinueUrl ContinueName ContinueAuto NotificationMethods SendSignRequestEmailToParties
    SendFinishEmailToCreator SendFinishEmailToParties SendRecallEmailToParties RequestMessage RequestMessageSms FinishedMessage
    FinishedMessageSms Culture SignInSequence AccessControl IdentityCheck IsEditable MergeOnSend UseGroupNames ExpireAfterDays ExpireOn
    RemindAfterDays EventCallback Procedure ApprovalRequired ApprovalType Approvers AllowEditApprover DisablePartyQuestion
    SendRejectNotification TemporaryId CreatedOn`,
  ),
  ...named(
    'Party',
    `Id Name EmailAddress AnyoneCanSign SignatureType ShowInternalInformation Assignable HasIdCheckDocument NotificationStatus.Email Reviewed
    GroupName CaseMobilePhone SocialSecurityNumber EidSerialNumber`,
  ),
  ...named('Document', 'Id Filename Data ContentType Size Hash Type FormFields IsRequired'),
  ...named('Stakeholder', 'Name EmailAddress MobilePhone NationalID EidSerialNumber'),
  ...named('CaseEventSubscription', 'Events Url'),
  ['default 0', 'Skip', { default: 0 }],
  ['default 20', 'Take', { default: 20 }],
];

export const SIGNING_RULES: SeedRules = {
  endpoints: ENDPOINTS,
  members: [...MEMBERS, ...MORE_MEMBERS],
  values: [...CASE_VALUES, ...READ_VALUES, ...INPUT_VALUES, ...QUERY_VALUES],
};
