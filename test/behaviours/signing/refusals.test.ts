import { describe, expect, test } from 'vitest';

import type { CaseInput, ErrorCode } from '../../../generated/signing/types.js';
import { RULES } from '../../../mocks/signing/rules.js';
import { complete, failureOf, type SigningMock, throughBothTransports } from './signing-mock.js';

const NOBODY = '11111111-1111-4111-8111-111111111111';
const PER = { Name: 'Per', EmailAddress: 'per@example.com' };
const CONFLICTS: ReadonlySet<ErrorCode> = new Set(['invalidRequest', 'partyNameRequired']);

interface RefusedCall {
  /** The list of the rules table that it is about, and the code of the response. */
  readonly rule: readonly [keyof typeof RULES, ErrorCode];
  readonly what: string;
  readonly given?: CaseInput;
  readonly when: (signing: SigningMock, id: string) => Promise<unknown>;
  readonly pointers: readonly string[];
}

const send: RefusedCall['when'] = ({ client }, id) => client.sendcase({ body: { id } });
const requestApproval: RefusedCall['when'] = ({ client }, id) => client.requestapproval({ body: { id } });
const update =
  (changes: CaseInput): RefusedCall['when'] =>
  ({ client }, id) =>
    client.updatecase({ body: { ...complete(), ...changes, Id: id } });
const after =
  (first: RefusedCall['when'], then: RefusedCall['when']): RefusedCall['when'] =>
  async (signing, id) => {
    await first(signing, id);
    return then(signing, id);
  };

const NOT_COMPLETE: readonly [string, CaseInput, string][] = [
  ['no parties', { Parties: [] }, '/Parties'],
  ['no documents', { Documents: [] }, '/Documents'],
  ['no signature types', { AllowedSignatureTypes: [] }, '/AllowedSignatureTypes'],
  ['nothing at all', { Parties: [], Documents: [], AllowedSignatureTypes: [] }, '/Parties'],
];
const APPROVALS: readonly [string, CaseInput][] = [
  ['ApprovalRequired', { ApprovalRequired: true }],
  ['ApprovalType', { ApprovalType: 'requireany' }],
  ['AllowEditApprover', { AllowEditApprover: true }],
];

const CALLS: readonly RefusedCall[] = [
  {
    rule: ['createcase', 'invalidRequest'],
    what: 'two parties with one Id',
    when: ({ client }) => client.createcase({ body: { Parties: [{ Id: 'a' }, {}, { Id: 'a' }] } }),
    pointers: ['/Parties/2/Id'],
  },
  {
    rule: ['createcase', 'invalidRequest'],
    what: 'two documents with one Id',
    when: ({ client }) => client.createcase({ body: { Documents: [{ Id: 'a' }, { Id: 'a' }] } }),
    pointers: ['/Documents/1/Id'],
  },
  {
    rule: ['newCase', 'duplicateId'],
    what: 'an Id in use, in another letter case',
    when: ({ client }, id) => client.createcase({ body: { Id: id.toUpperCase() } }),
    pointers: ['/Id'],
  },
  {
    rule: ['newCase', 'duplicateId'],
    what: 'a newCaseId in use',
    when: async ({ client }, newCaseId) => {
      const [template] = (await client.findtemplates()).data;
      return client.createcasefromtemplate({ body: { templateId: template?.Id ?? '', newCaseId } });
    },
    pointers: ['/newCaseId'],
  },
  {
    rule: ['updatecase', 'invalidRequest'],
    what: 'two parties with one Id',
    when: update({ Parties: [{ Id: 'p1' }, { Id: 'p1' }] }),
    pointers: ['/Parties/1/Id'],
  },
  {
    rule: ['updatecase', 'invalidStatus'],
    what: 'a sent case that is not editable',
    when: after(send, update({})),
    pointers: ['/Status'],
  },
  {
    rule: ['updatecase', 'invalidStatus'],
    what: 'a sent case that was merged',
    given: { IsEditable: true, MergeOnSend: true },
    when: after(send, update({})),
    pointers: ['/Status'],
  },
  ...(
    [
      ['Data', { Data: 'AAAA' }],
      ['ContentType', { ContentType: 'text/plain' }],
      ['Type', { Type: 'Copy' }],
      ['IsRequired', { IsRequired: true }],
    ] as const
  ).map(([member, changes]): RefusedCall => ({
    rule: ['updatecase', 'documentImmutable'],
    what: `another ${member} of a document`,
    when: update({ Documents: [{ Id: 'new' }, { Id: 'd1', ...changes }] }),
    pointers: [`/Documents/1/${member}`],
  })),
  {
    rule: ['updatecase', 'approversLocked'],
    what: 'other approvers once approval was requested',
    given: { ApprovalRequired: true, Approvers: [PER] },
    when: after(requestApproval, update({ Approvers: [{ ...PER, Name: 'Sara' }] })),
    pointers: ['/Approvers'],
  },
  ...NOT_COMPLETE.map(([what, given, pointer]): RefusedCall => ({
    rule: ['updatedWhileSent', 'caseIncomplete'],
    what,
    given: { IsEditable: true },
    when: after(send, update(given)),
    pointers: [pointer],
  })),
  {
    rule: ['updatedWhileSent', 'groupNameMissing'],
    what: 'group names asked for and not given',
    given: { IsEditable: true },
    when: after(send, update({ UseGroupNames: true })),
    pointers: ['/Parties/0/GroupName'],
  },
  {
    rule: ['sendcase', 'invalidStatus'],
    what: 'sent twice',
    when: after(send, send),
    pointers: ['/Status'],
  },
  {
    rule: ['sendcase', 'invalidStatus'],
    what: 'while it is Pending',
    given: { Procedure: 'batch' },
    when: send,
    pointers: ['/Status'],
  },
  ...APPROVALS.map(([member, given]): RefusedCall => ({
    rule: ['sendcase', 'approvalRequired'],
    what: `with ${member}`,
    given,
    when: send,
    pointers: [`/${member}`],
  })),
  ...NOT_COMPLETE.map(([what, given, pointer]): RefusedCall => ({
    rule: ['sendcase', 'caseIncomplete'],
    what,
    given,
    when: send,
    pointers: [pointer],
  })),
  {
    rule: ['sendcase', 'groupNameMissing'],
    what: 'a party without a group name',
    given: {
      UseGroupNames: true,
      Parties: [
        { Id: 'p1', GroupName: 'Holm' },
        { Id: 'p2', GroupName: '' },
      ],
    },
    when: send,
    pointers: ['/Parties/1/GroupName'],
  },
  {
    rule: ['sendcase', 'deadlinePassed'],
    what: 'at the very moment of ExpireOn',
    given: { ExpireOn: '2026-11-20T12:00:00' },
    when: send,
    pointers: ['/ExpireOn'],
  },
  {
    rule: ['requestapproval', 'invalidStatus'],
    what: 'twice',
    given: { ApprovalRequired: true },
    when: after(requestApproval, requestApproval),
    pointers: ['/Status'],
  },
  {
    rule: ['requestapproval', 'approvalNotRequired'],
    what: 'a case that requires none',
    given: { ApprovalRequired: false, Approvers: [PER] },
    when: requestApproval,
    pointers: ['/ApprovalRequired'],
  },
  ...NOT_COMPLETE.map(([what, given, pointer]): RefusedCall => ({
    rule: ['requestapproval', 'caseIncomplete'],
    what,
    given: { ...given, ApprovalRequired: true },
    when: requestApproval,
    pointers: [pointer],
  })),
  {
    rule: ['requestapproval', 'groupNameMissing'],
    what: 'a party without a group name',
    given: { ApprovalRequired: true, UseGroupNames: true },
    when: requestApproval,
    pointers: ['/Parties/0/GroupName'],
  },
  {
    rule: ['requestapproval', 'deadlinePassed'],
    what: 'after ExpireOn',
    given: { ApprovalRequired: true, ExpireOn: '2026-11-01T00:00:00' },
    when: requestApproval,
    pointers: ['/ExpireOn'],
  },
  {
    rule: ['remindcase', 'invalidStatus'],
    what: 'a draft',
    when: ({ client }, id) => client.remindcase({ body: { id } }),
    pointers: ['/Status'],
  },
  {
    rule: ['recallcase', 'invalidStatus'],
    what: 'a draft',
    when: ({ client }, id) => client.recallcase({ body: { id } }),
    pointers: ['/Status'],
  },
  {
    rule: ['markassigned', 'invalidStatus'],
    what: 'a draft',
    when: ({ client }, id) => client.markassigned({ body: { CaseId: id, PartyId: 'p1' } }),
    pointers: ['/Status'],
  },
  {
    rule: ['markassigned', 'partySettled'],
    what: 'a party that has signed',
    when: after(send, async ({ client, mock }, id) => {
      await mock.actions.sign({ caseId: id, partyId: 'p2' });
      return client.markassigned({ body: { CaseId: id, PartyId: 'p2' } });
    }),
    pointers: ['/Parties/1'],
  },
  ...[undefined, ''].map((PartyName): RefusedCall => ({
    rule: ['markassigned', 'partyNameRequired'],
    what: `a party without a name, and PartyName ${JSON.stringify(PartyName)}`,
    given: { Parties: [{ Id: 'p1', Name: '' }] },
    when: after(send, ({ client }, id) =>
      client.markassigned({ body: { CaseId: id, PartyId: 'p1', ...(PartyName === undefined ? {} : { PartyName }) } }),
    ),
    pointers: ['/PartyName'],
  })),
  {
    rule: ['markasnotsigned', 'invalidStatus'],
    what: 'a draft',
    when: ({ client }, id) => client.markasnotsigned({ body: { caseId: id, partyId: 'p1' } }),
    pointers: ['/Status'],
  },
  {
    rule: ['markasnotsigned', 'partySettled'],
    what: 'a party that was marked as signed',
    when: after(send, async ({ client }, id) => {
      await client.markassigned({ body: { CaseId: id, PartyId: 'p1' } });
      return client.markasnotsigned({ body: { caseId: id, partyId: 'p1' } });
    }),
    pointers: ['/Parties/0'],
  },
  {
    rule: ['findcases', 'invalidRequest'],
    what: 'beyond the first 10000',
    when: ({ client }) => client.findcases({ query: { Skip: 9981, Take: 20 } }),
    pointers: ['/Skip'],
  },
  {
    rule: ['findcases', 'invalidRequest'],
    what: 'beyond them by the default of Take',
    when: ({ client }) => client.findcases({ query: { Skip: 9981 } }),
    pointers: ['/Skip'],
  },
];

interface RefusedAction {
  readonly rule: readonly ['sign' | 'reject' | 'approve', ErrorCode];
  readonly given?: CaseInput;
  readonly when: RefusedCall['when'];
  readonly message: RegExp;
}

const ACTIONS: readonly RefusedAction[] = [
  {
    rule: ['sign', 'invalidStatus'],
    when: ({ mock }, id) => mock.actions.sign({ caseId: id, partyId: 'p1' }),
    message: /status Draft can neither sign nor reject/,
  },
  {
    rule: ['sign', 'invalidStatus'],
    given: { SignInSequence: true },
    when: after(send, ({ mock }, id) => mock.actions.sign({ caseId: id, partyId: 'p2' })),
    message: /not the turn of party p2: party p1 signs before/,
  },
  {
    rule: ['sign', 'partySettled'],
    when: after(send, async ({ mock }, id) => {
      await mock.actions.sign({ caseId: id, partyId: 'p1' });
      return mock.actions.sign({ caseId: id, partyId: 'p1' });
    }),
    message: /has signed already/,
  },
  {
    rule: ['reject', 'invalidStatus'],
    when: after(send, async ({ mock }, id) => {
      await mock.actions.reject({ caseId: id, partyId: 'p1' });
      return mock.actions.reject({ caseId: id, partyId: 'p2' });
    }),
    message: /status Rejected can neither sign nor reject/,
  },
  {
    rule: ['reject', 'partySettled'],
    when: after(send, async ({ mock, client }, id) => {
      await client.markasnotsigned({ body: { caseId: id, partyId: 'p1' } });
      return mock.actions.reject({ caseId: id, partyId: 'p1' });
    }),
    message: /has been marked as not signed already/,
  },
  {
    rule: ['approve', 'invalidStatus'],
    given: { ApprovalRequired: true },
    when: ({ mock }, id) => mock.actions.approve({ caseId: id }),
    message: /status Draft does not wait for approval/,
  },
  {
    rule: ['approve', 'caseIncomplete'],
    given: { ApprovalRequired: true },
    when: after(after(requestApproval, update({ Documents: [] })), ({ mock }, id) =>
      mock.actions.approve({ caseId: id }),
    ),
    message: /cannot be sent without Documents/,
  },
  {
    rule: ['approve', 'groupNameMissing'],
    given: { ApprovalRequired: true },
    when: after(after(requestApproval, update({ UseGroupNames: true })), ({ mock }, id) =>
      mock.actions.approve({ caseId: id }),
    ),
    message: /p1 has no GroupName/,
  },
  {
    rule: ['approve', 'deadlinePassed'],
    given: { ApprovalRequired: true, ExpireOn: '2026-11-21T12:00:00' },
    when: after(requestApproval, async ({ mock }, id) => {
      await mock.clock.advance('P1D');
      return mock.actions.approve({ caseId: id });
    }),
    message: /ExpireOn 2026-11-21T12:00:00 has passed/,
  },
];

test('every rule of the table has a request that breaks it', () => {
  const tried = new Set([...CALLS, ...ACTIONS].map(({ rule }) => rule.join(' ')));
  const lists: [string, readonly { readonly errorCode: ErrorCode }[]][] = Object.entries(RULES);
  const rules = lists.flatMap(([list, rows]) => rows.map(({ errorCode }) => `${list} ${errorCode}`));
  expect(rules.filter((rule) => !tried.has(rule))).toEqual([]);
});

throughBothTransports('a rule of the table', (open) => {
  test.each(CALLS)('$rule.0: $what', async ({ rule: [, code], given, when, pointers }) => {
    const signing = await open();
    const id = await signing.create(given);
    const failure = await failureOf(when(signing, id));
    expect(failure).toEqual({ status: CONFLICTS.has(code) ? 400 : 409, code, pointers });
  });

  test.each(ACTIONS)('$rule: $message', async ({ given, when, message }) => {
    const signing = await open();
    const id = await signing.create(given);
    await expect(when(signing, id)).rejects.toMatchObject({ status: 422, message: expect.stringMatching(message) });
  });
});

throughBothTransports('what is unknown', (open) => {
  const calls: readonly [string, (signing: SigningMock, id: string) => Promise<unknown>, ErrorCode][] = [
    ...(['sendcase', 'remindcase', 'recallcase', 'deletecase', 'requestapproval'] as const).map(
      (name): (typeof calls)[number] => [name, ({ client }) => client[name]({ body: { id: NOBODY } }), 'caseNotFound'],
    ),
    ['getcase', ({ client }) => client.getcase({ query: { id: NOBODY } }), 'caseNotFound'],
    ['updatecase', ({ client }) => client.updatecase({ body: { Id: NOBODY } }), 'caseNotFound'],
    [
      'updatecasemetadata',
      ({ client }) => client.updatecasemetadata({ body: { Id: NOBODY, Metadata: {} } }),
      'caseNotFound',
    ],
    ['getcasebytemporaryid', ({ client }) => client.getcasebytemporaryid({ query: { id: 1000 } }), 'caseNotFound'],
    [
      'markassigned, a case',
      ({ client }) => client.markassigned({ body: { CaseId: NOBODY, PartyId: 'p1' } }),
      'caseNotFound',
    ],
    [
      'markassigned, a party',
      ({ client }, id) => client.markassigned({ body: { CaseId: id, PartyId: 'p9' } }),
      'partyNotFound',
    ],
    [
      'markasnotsigned, a party',
      ({ client }, id) => client.markasnotsigned({ body: { caseId: id, partyId: 'P1' } }),
      'partyNotFound',
    ],
    [
      'createcasefromtemplate, of a case',
      ({ client }, id) => client.createcasefromtemplate({ body: { templateId: id } }),
      'templateNotFound',
    ],
  ];
  test('responds 404 with its own error code to an unknown id', async () => {
    const signing = await open();
    const id = await signing.createSent();
    for (const [name, call, code] of calls)
      expect([name, await failureOf(call(signing, id))]).toMatchObject([name, { status: 404, code }]);
  });

  test('responds 422 to an action with invalid input', async () => {
    const signing = await open();
    const caseId = await signing.createSent();
    const unknown = [
      [signing.mock.actions.sign({ caseId, partyId: 'p9' }), /no party p9/],
      [signing.mock.actions.reject({ caseId: NOBODY, partyId: 'p1' }), /no case/],
      [signing.mock.actions.approve({ caseId: NOBODY }), /no case/],
    ] as const;
    for (const [call, message] of unknown)
      await expect(call).rejects.toMatchObject({ status: 422, message: expect.stringMatching(message) });
  });
});

throughBothTransports('the form of a request', (open) => {
  const json = (body: string): RequestInit => ({
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });
  const refused: readonly [string, string, RequestInit, number, string?][] = [
    ['no JSON', 'createcase', json('{'), 400, ''],
    ['a list', 'createcase', json('[]'), 400, ''],
    ['a form', 'createcase', { method: 'POST', body: new URLSearchParams({ Name: 'x' }) }, 415, '/content-type'],
    ['no Id', 'updatecase', json('{"Name":"x"}'), 400, ''],
    ['no id', 'sendcase', json('{}'), 400, ''],
    ['an invalid id', 'sendcase', { method: 'POST', body: new URLSearchParams({ id: '7' }) }, 400, '/id'],
    ['an empty multipart form', 'sendcase', { method: 'POST', body: new FormData() }, 400, ''],
    ['a complex value', 'createcase', json('{"Metadata":{"a":{"b":1}}}'), 400, '/Metadata/a'],
    ['a list as value', 'createcase', json('{"Metadata":{"a":[1]}}'), 400, '/Metadata/a'],
    ['a spelling', 'createcase', json('{"Visibility":"Group"}'), 400, '/Visibility'],
    ['a signature type', 'createcase', json('{"AllowedSignatureTypes":["pen"]}'), 400, '/AllowedSignatureTypes/0'],
    ['no whole days', 'createcase', json('{"ExpireAfterDays":1.5}'), 400, '/ExpireAfterDays'],
    ['days before', 'createcase', json('{"RemindAfterDays":-1}'), 400, '/RemindAfterDays'],
    ['an offset', 'createcase', json('{"ExpireOn":"2026-12-01T00:00:00Z"}'), 400, '/ExpireOn'],
    ['fractions', 'createcase', json('{"ExpireOn":"2026-12-01T00:00:00.5"}'), 400, '/ExpireOn'],
    ['no day of that month', 'createcase', json('{"ExpireOn":"2027-02-29T00:00:00"}'), 400, '/ExpireOn'],
    ['an unknown event', 'createcase', json('{"EventCallback":{"Events":["Opened"]}}'), 400, '/EventCallback/Events/0'],
    ['a read-only member of a wrong type', 'createcase', json('{"AccountId":"x"}'), 400, '/AccountId'],
    ['no temporary id', 'getcasebytemporaryid?id=999', {}, 400, '/id'],
    [
      'no boolean',
      'getcase?id=11111111-1111-4111-8111-111111111111&IncludeAllStatuses=1',
      {},
      400,
      '/IncludeAllStatuses',
    ],
    ['no Take', 'findcases?Take=0', {}, 400, '/Take'],
    ['too much', 'findcases?Take=101', {}, 400, '/Take'],
    ['too much of templates', 'findtemplates?Take=101', {}, 400, '/Take'],
    ['Skip below 0', 'findcases?Skip=-1', {}, 400, '/Skip'],
    ['an unknown order', 'findcases?Sort=created', {}, 400, '/Sort'],
    ['a status as reads spell it', 'findcases?Status=Draft', {}, 400, '/Status'],
    ['a date alone', 'findcases?FromDate=2026-11-20', {}, 400, '/FromDate'],
    ['a dictionary within one', 'findcases?Metadata[a][b]=1', {}, 400, '/Metadata/a'],
    ['another method', 'createcase', {}, 405],
    ['another path', 'createcases', { method: 'POST' }, 404],
  ];
  test('checks the form of a request before its credential and the state of its case', async () => {
    const signing = await open();
    for (const [what, operation, init, status, pointer] of refused) {
      const response = await signing.send(operation, init);
      const { error } = (await response.json()) as { error: { violations?: readonly { pointer: string }[] } };
      const place = pointer === undefined ? undefined : expect.arrayContaining([expect.objectContaining({ pointer })]);
      expect([what, response.status, error.violations]).toEqual([what, status, place]);
    }
  });

  test('accepts unknown members and values at their bounds', async () => {
    const signing = await open();
    const allowed: readonly [string, RequestInit][] = [
      ['createcase', json('{"Unknown":{"a":[]},"Parties":[{"Unknown":1}]}')],
      ['createcase', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json; charset=utf-8' } }],
      ['createcase', json('{"Parties":[{"SignatureType":0},{"SignatureType":4},{"SignatureType":"Unknown"}]}')],
      ['createcase', json('{"ExpireOn":"2028-02-29T23:59:59"}')],
      ['findcases?Take=1&Skip=0&unknown=1', {}],
      ['findcases?Take=100&Skip=9900', {}],
      ['findcases?Take=20&Skip=7', {}],
      ['findcases?Sort=Created+DESC', {}],
      ['findcases?FromDate=&ToDate=null&AgentUsername=&Search=', {}],
      ['findcases?IncludeAllStatuses=True&includePendingApprovalStatus=FALSE', {}],
      ['findtemplates?Take=100&Skip=20000', {}],
    ];
    for (const [operation, init] of allowed)
      expect([operation, (await signing.send(operation, init)).status]).toEqual([operation, 200]);
  });
});

describe('the rules table', () => {
  test('the rules table gives each rule a sentence and a pointer', () => {
    const rules = Object.values(RULES).flat();
    expect(rules.filter(({ sentence, pointer }) => sentence.length < 10 || !pointer.startsWith('/'))).toEqual([]);
  });
});
