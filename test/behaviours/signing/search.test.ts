import { expect, test } from 'vitest';

import type { CaseInput, FindcasesRequest } from '../../../generated/signing/types.js';
import { type SigningMock, throughBothTransports } from './signing-mock.js';

type Filter = NonNullable<FindcasesRequest['query']>;

const CASES: readonly CaseInput[] = [
  {
    Name: 'Lease of Harbour Street',
    NameAlias: 'L-118',
    Description: 'A flat by the sea',
    AgentUsername: 'Anna.Berg@example.com',
    Metadata: {
      department: 'Lettings',
      contract: 118,
    },
    Parties: [
      {
        Id: 'p1',
        Name: 'Ingrid Holm',
        EmailAddress: 'ingrid@example.com',
        CaseMobilePhone: '+46701',
        SocialSecurityNumber: '19870214-0000',
        EidSerialNumber: '9752-3604',
        GroupName: 'Holm',
      },
    ],
    Documents: [
      {
        Id: 'd1',
        Filename: 'lease.pdf',
        FormFields: {
          rent: 1450,
          pets: 'no',
        },
      },
      {
        Id: 'd2',
        FormFields: { deposit: 'yes' },
      },
    ],
    AllowedSignatureTypes: ['touch'],
  },
  {
    Name: 'Purchase order',
    AgentUsername: '1042',
    Metadata: {
      department: 'Purchasing',
      Lettings: null,
    },
    Stakeholders: [
      {
        Name: 'Desk',
        EmailAddress: 'desk@example.org',
        MobilePhone: '+4799',
        NationalID: 'N-1',
        EidSerialNumber: 'stake-eid',
      },
    ],
    Approvers: [
      {
        Name: 'Per Nyman',
        EmailAddress: 'per@example.org',
        NationalID: 'N-2',
        EidSerialNumber: 'approver-eid',
      },
    ],
  },
  { Name: 'alpha' },
];

/** Three cases, a second apart; the first is sent. */
async function fill(signing: SigningMock): Promise<SigningMock> {
  for (const body of CASES) {
    const { data } = await signing.client.createcase({ body });
    if (body.Parties !== undefined) await signing.client.sendcase({ body: { id: data.Id } });
    await signing.mock.clock.advance('PT1S');
  }
  return signing;
}

const FOUND: readonly [Filter, readonly string[]][] = [
  [{}, ['Lease', 'Purchase', 'alpha']],
  [{ Status: 'sent' }, ['Lease']],
  [{ Status: 'draft' }, ['Purchase', 'alpha']],
  [{ AgentUsername: 'Anna.Berg@example.com' }, ['Lease']],
  [{ AgentUsername: 'anna.berg@example.com' }, []],
  [{ AgentUsername: 'Anna.Berg' }, []],
  [{ AgentUsername: '' }, ['Lease', 'Purchase', 'alpha']],
  [{ FromDate: '2026-11-20T12:00:01' }, ['Purchase', 'alpha']],
  [{ ToDate: '2026-11-20T12:00:01' }, ['Lease', 'Purchase']],
  [{ FromDate: '', ToDate: '' }, ['Lease', 'Purchase', 'alpha']],
  [{ PartySocialSecurityNumber: '19870214' }, ['Lease']],
  [{ PartyEidSerialNumber: '3604' }, ['Lease']],
  [{ PartyEmailAddress: 'INGRID@' }, ['Lease']],
  [{ PartyMobilePhone: '6701' }, ['Lease']],
  [{ Metadata: { department: 'lett' } }, ['Lease']],
  [{ Metadata: { department: 'purch', Lettings: '' } }, ['Purchase']],
  [{ Metadata: { depart: 'lett' } }, []],
  [{ Metadata: { Department: 'lett' } }, []],
  [{ Metadata: { department: 'Lettings!' } }, []],
  [{ Metadata: { contract: '18' } }, ['Lease']],
  [{ FormData: { rent: '145', pets: 'no' } }, ['Lease']],
  [{ FormData: { rent: '145', deposit: 'yes' } }, []],
  [{ FormData: { ren: '145' } }, []],
  [{ Sort: 'Created DESC' }, ['alpha', 'Purchase', 'Lease']],
  [{ Sort: 'Name' }, ['alpha', 'Lease', 'Purchase']],
  [{ Sort: 'Name DESC' }, ['Purchase', 'Lease', 'alpha']],
  [{ Sort: 'Status' }, ['Purchase', 'alpha', 'Lease']],
  [{ Sort: 'Status DESC' }, ['Lease', 'Purchase', 'alpha']],
  [{ Skip: 1, Take: 1 }, ['Purchase']],
  [{ Skip: 3 }, []],
  [{ Status: 'draft', Search: 'purchase' }, ['Purchase']],
  ...[
    'harbour',
    'l-118',
    'by the sea',
    'Lettings',
    '118',
    'ingrid holm',
    '+46701',
    'holm',
    '19870214',
    '9752',
    'lease.pdf',
    '1450',
    'sent',
    'Sent',
    'Anna.Berg@example.com',
    'contract',
    'rent',
  ].map((Search): [Filter, readonly string[]] => [
    { Search },
    Search === 'Lettings' ? ['Lease', 'Purchase'] : ['Lease'],
  ]),
  ...['desk', 'example.org', '+4799', 'n-1', 'stake-eid', 'per nyman', 'n-2', '1042'].map(
    (Search): [Filter, readonly string[]] => [{ Search }, ['Purchase']],
  ),
  ...['approver-eid', 'contrac', 'Contract', 'Anna.Berg@', 'anna.berg@example.com', 'SENT', 'nobody'].map(
    (Search): [Filter, readonly string[]] => [{ Search }, []],
  ),
];

throughBothTransports('findcases', (open) => {
  test('a search returns the cases that match its filters', async () => {
    const signing = await fill(await open());
    for (const [query, names] of FOUND) {
      const { data } = await signing.client.findcases({ query });
      expect([query, data.map(({ Name = '' }) => Name.split(' ')[0])]).toEqual([query, names]);
    }
  });

  test('lists show compatible statuses, and the filter compares the stored one', async () => {
    const signing = await fill(await open());
    const { client, mock } = signing;
    const [lease] = (await client.findcases({ query: { Status: 'sent' } })).data;
    await mock.actions.sign({ caseId: lease?.Id ?? '', partyId: 'p1' });
    const statuses = async (query: Filter): Promise<unknown[]> =>
      (await client.findcases({ query })).data.map(({ Status }) => Status);
    expect(await statuses({ Status: 'sent' })).toEqual([]);
    expect(await statuses({ Status: 'signed' })).toEqual(['Sent']);
    expect(await statuses({ Status: 'signed', IncludeAllStatuses: true })).toEqual(['Signed']);
    const approved = await signing.create({ ApprovalRequired: true });
    await client.requestapproval({ body: { id: approved } });
    expect(await statuses({ Status: 'pendingapproval' })).toEqual(['Draft']);
    expect(await statuses({ Status: 'pendingapproval', includePendingApprovalStatus: true })).toEqual([
      'PendingApproval',
    ]);
  });

  test('Created sorts by the clock, also after the clock was set back', async () => {
    const signing = await open();
    const { client, mock } = signing;
    await client.createcase({ body: { Name: 'later' } });
    await mock.clock.set('2026-01-01T00:00:00Z');
    await client.createcase({ body: { Name: 'earlier' } });
    expect((await client.findcases({ query: {} })).data.map(({ Name }) => Name)).toEqual(['earlier', 'later']);
    expect((await client.findcases({ query: { Sort: 'Created DESC' } })).data.map(({ Name }) => Name)).toEqual([
      'later',
      'earlier',
    ]);
  });

  test('templates exist from the start and are found like cases', async () => {
    const signing = await open();
    const { client } = signing;
    const names = async (query: NonNullable<Parameters<typeof client.findtemplates>[0]>['query']): Promise<unknown[]> =>
      (await client.findtemplates({ query })).data.map(({ Name }) => Name);
    expect(await names({})).toEqual(['Mutual non-disclosure agreement', 'Employment contract', 'Purchase order']);
    expect(await names({ Metadata: { department: 'people' } })).toEqual(['Employment contract']);
    expect(await names({ Sort: 'Name', Take: 1 })).toEqual(['Employment contract']);
    expect(await names({ FormData: { counterparty: '' } })).toEqual(['Mutual non-disclosure agreement']);
    expect((await client.findcases({ query: {} })).data).toEqual([]);
  });
});
