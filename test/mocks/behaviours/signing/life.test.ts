import { describe, expect, test } from 'vitest';

import type { CaseInput } from '../../../../generated/signing/types.js';
import { complete, DOORS, openSigning, type SigningMock } from './signing-mock.js';

/** The failure of a call: its status and code, as the generated client throws it. */
async function failureOf(call: Promise<unknown>): Promise<{ status: number; code: unknown; pointers: unknown }> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const { status, body } = error as {
    status: number;
    body: { error: { errorCode: string; violations?: { pointer: string }[] } };
  };
  return { status, code: body.error.errorCode, pointers: body.error.violations?.map(({ pointer }) => pointer) };
}

describe.each(DOORS)('the life of a case (%s)', (door) => {
  test('from draft to finished', async () => {
    await using signing = await openSigning(door);
    const { mock, client, status } = signing;
    const id = await signing.create();
    expect(await status(id)).toBe('Draft');
    expect((await client.sendcase({ body: { id } })).data).toEqual({ Id: id });
    expect(await status(id)).toBe('Sent');
    await mock.actions.sign({ caseId: id, partyId: 'p1' });
    expect(await status(id)).toBe('Sent');
    await mock.actions.sign({ caseId: id, partyId: 'p2' });
    expect(await status(id)).toBe('Signed');
    expect((await client.getcase({ query: { id } })).data.Status).toBe('Sent');
    await mock.clock.advance('PT5S');
    expect(await status(id)).toBe('Finished');
  });

  test('form input does what JSON does', async () => {
    await using signing = await openSigning(door);
    const { client, status } = signing;
    const id = await signing.create();
    const contentType = 'application/x-www-form-urlencoded' as const;
    await client.sendcase({ contentType, body: { id } });
    await client.markassigned({ contentType, body: { CaseId: id, PartyId: 'p1' } });
    await client.markasnotsigned({ contentType, body: { caseId: id, partyId: 'p2' } });
    await client.updatecasemetadata({ contentType, body: { Id: id, Metadata: { department: 'Legal' } } });
    expect(await status(id)).toBe('Signed');
    expect((await signing.read(id)).Metadata).toEqual({ department: 'Legal' });
  });

  test('a case that requires approval is sent by its approvers', async () => {
    await using signing = await openSigning(door);
    const { mock, client, status } = signing;
    const Approvers = [
      { Name: 'Per', EmailAddress: 'per@example.com' },
      { Name: 'Sara', MobilePhone: '+46702' },
    ];
    const id = await signing.create({ ApprovalType: 'requireall', Approvers });
    await client.requestapproval({ body: { id } });
    expect(await status(id)).toBe('PendingApproval');
    expect((await client.getcase({ query: { id } })).data.Status).toBe('Draft');
    expect((await signing.told(id)).map(({ kind, method, address }) => [kind, method, address])).toEqual([
      ['approvalRequest', 'email', 'per@example.com'],
      ['approvalRequest', 'sms', '+46702'],
    ]);
    await mock.actions.approve({ caseId: id });
    expect(await status(id)).toBe('PendingApproval');
    await mock.actions.approve({ caseId: id });
    expect(await status(id)).toBe('Sent');
  });
});

describe('refusals', () => {
  const cases: readonly [
    string,
    CaseInput,
    (signing: SigningMock, id: string) => Promise<unknown>,
    number,
    string,
    string[]?,
  ][] = [
    [
      'sendcase without documents',
      { Documents: [] },
      ({ client }, id) => client.sendcase({ body: { id } }),
      409,
      'caseIncomplete',
      ['/Documents'],
    ],
    [
      'sendcase without a group name',
      { UseGroupNames: true },
      ({ client }, id) => client.sendcase({ body: { id } }),
      409,
      'groupNameMissing',
      ['/Parties/0/GroupName'],
    ],
    [
      'sendcase after ExpireOn',
      { ExpireOn: '2026-11-01T00:00:00' },
      ({ client }, id) => client.sendcase({ body: { id } }),
      409,
      'deadlinePassed',
      ['/ExpireOn'],
    ],
    [
      'sendcase with ApprovalRequired',
      { ApprovalRequired: true },
      ({ client }, id) => client.sendcase({ body: { id } }),
      409,
      'approvalRequired',
    ],
    [
      'sendcase with ApprovalType',
      { ApprovalType: 'requireany' },
      ({ client }, id) => client.sendcase({ body: { id } }),
      409,
      'approvalRequired',
    ],
    [
      'sendcase with AllowEditApprover',
      { AllowEditApprover: true },
      ({ client }, id) => client.sendcase({ body: { id } }),
      409,
      'approvalRequired',
    ],
    [
      'sendcase of a Pending case',
      { Procedure: 'batch' },
      ({ client }, id) => client.sendcase({ body: { id } }),
      409,
      'invalidStatus',
      ['/Status'],
    ],
    [
      'requestapproval without need',
      {},
      ({ client }, id) => client.requestapproval({ body: { id } }),
      409,
      'approvalNotRequired',
    ],
    [
      'requestapproval without parties',
      { ApprovalRequired: true, Parties: [] },
      ({ client }, id) => client.requestapproval({ body: { id } }),
      409,
      'caseIncomplete',
    ],
    ['remindcase of a draft', {}, ({ client }, id) => client.remindcase({ body: { id } }), 409, 'invalidStatus'],
    ['recallcase of a draft', {}, ({ client }, id) => client.recallcase({ body: { id } }), 409, 'invalidStatus'],
    [
      'markassigned of a draft',
      {},
      ({ client }, id) => client.markassigned({ body: { CaseId: id, PartyId: 'p1' } }),
      409,
      'invalidStatus',
    ],
    [
      'markassigned of an unknown party',
      {},
      ({ client }, id) => client.markassigned({ body: { CaseId: id, PartyId: 'p9' } }),
      404,
      'partyNotFound',
    ],
    [
      'createcase with an Id in use',
      {},
      ({ client }, id) => client.createcase({ body: { Id: id.toUpperCase() } }),
      409,
      'duplicateId',
    ],
    [
      'createcase with two parties of one Id',
      {},
      ({ client }) => client.createcase({ body: { Parties: [{ Id: 'a' }, { Id: 'a' }] } }),
      400,
      'invalidRequest',
      ['/Parties/1/Id'],
    ],
    [
      'createcase with two documents of one Id',
      {},
      ({ client }) => client.createcase({ body: { Documents: [{ Id: 'a' }, { Id: 'a' }] } }),
      400,
      'invalidRequest',
      ['/Documents/1/Id'],
    ],
    [
      'createcase with a wrong member',
      {},
      ({ client }) => client.createcase({ body: { ExpireOn: 'tomorrow' } }),
      400,
      'invalidRequest',
      ['/ExpireOn'],
    ],
    [
      'updatecase with other content of a document',
      {},
      ({ client }, id) =>
        client.updatecase({ body: { ...complete(), Id: id, Documents: [{ Id: 'd1', Data: 'AAAA' }] } }),
      409,
      'documentImmutable',
      ['/Documents/0/Data'],
    ],
    [
      'getcase of an unknown case',
      {},
      ({ client }) => client.getcase({ query: { id: '11111111-1111-4111-8111-111111111111' } }),
      404,
      'caseNotFound',
    ],
    [
      'createcasefromtemplate of an unknown one',
      {},
      ({ client }, id) => client.createcasefromtemplate({ body: { templateId: id } }),
      404,
      'templateNotFound',
    ],
    [
      'findcases beyond 10000',
      {},
      ({ client }) => client.findcases({ query: { Skip: 9990, Take: 20 } }),
      400,
      'invalidRequest',
      ['/Skip'],
    ],
    [
      'findcases of more than 100',
      {},
      ({ client }) => client.findcases({ query: { Take: 101 } }),
      400,
      'invalidRequest',
      ['/Take'],
    ],
  ];
  test.each(cases)('%s', async (...row) => {
    const [, changes, call, status, code, pointers] = row;
    await using signing = await openSigning();
    const id = await signing.create(changes);
    const failure = await failureOf(call(signing, id));
    expect(failure).toMatchObject({ status, code, ...(pointers === undefined ? {} : { pointers }) });
  });

  test('what was settled stays so', async () => {
    await using signing = await openSigning();
    const { mock, client } = signing;
    const id = await signing.createSent();
    await mock.actions.sign({ caseId: id, partyId: 'p1' });
    expect(await failureOf(client.markassigned({ body: { CaseId: id, PartyId: 'p1' } }))).toMatchObject({
      status: 409,
      code: 'partySettled',
    });
    await expect(mock.actions.sign({ caseId: id, partyId: 'p1' })).rejects.toThrow(/has signed already/);
    await expect(mock.actions.sign({ caseId: id, partyId: 'p9' })).rejects.toThrow(/no party p9/);
    await expect(mock.actions.sign({ caseId: '11111111-1111-4111-8111-111111111111', partyId: 'p1' })).rejects.toThrow(
      /no case/,
    );
    await mock.actions.reject({ caseId: id, partyId: 'p2' });
    expect(await signing.status(id)).toBe('Rejected');
    for (const call of [client.recallcase, client.remindcase, client.sendcase])
      expect(await failureOf(call({ body: { id } }))).toMatchObject({ code: 'invalidStatus' });
  });

  test('a party without a name gets one when it is marked', async () => {
    await using signing = await openSigning();
    const { client } = signing;
    const id = await signing.createSent({
      Parties: [
        { Id: 'p1', Name: '' },
        { Id: 'p2', Name: 'Marco' },
      ],
    });
    expect(await failureOf(client.markassigned({ body: { CaseId: id, PartyId: 'p1' } }))).toEqual({
      status: 400,
      code: 'partyNameRequired',
      pointers: ['/PartyName'],
    });
    await client.markassigned({ body: { CaseId: id, PartyId: 'p1', PartyName: 'Jonas' } });
    await client.markassigned({ body: { CaseId: id, PartyId: 'p2', PartyName: 'Ignored' } });
    expect((await signing.read(id)).Parties?.map(({ Name }) => Name)).toEqual(['Jonas', 'Marco']);
  });
});

describe('signing order', () => {
  test('only the next party signs, is asked and is reminded', async () => {
    await using signing = await openSigning();
    const { mock, client, told } = signing;
    const id = await signing.createSent({ SignInSequence: true });
    const asked = async (kind: string): Promise<unknown[]> =>
      (await told(id)).filter((one) => one.kind === kind).map(({ partyId }) => partyId);
    expect(await asked('signRequest')).toEqual(['p1']);
    await expect(mock.actions.sign({ caseId: id, partyId: 'p2' })).rejects.toThrow(/not the turn of party p2/);
    await client.remindcase({ body: { id } });
    expect(await asked('reminder')).toEqual(['p1']);
    await mock.actions.sign({ caseId: id, partyId: 'p1' });
    expect(await asked('signRequest')).toEqual(['p1', 'p2']);
  });

  test('marks are not held back by it', async () => {
    await using signing = await openSigning();
    const id = await signing.createSent({ SignInSequence: true });
    await signing.client.markassigned({ body: { CaseId: id, PartyId: 'p2' } });
    await signing.client.markasnotsigned({ body: { caseId: id, partyId: 'p1' } });
    expect(await signing.status(id)).toBe('Signed');
  });
});

describe('recall and removal', () => {
  test('a recalled case is a draft without signatures', async () => {
    await using signing = await openSigning();
    const { mock, client } = signing;
    const id = await signing.createSent({ SendRecallEmailToParties: true, ExpireAfterDays: 1 });
    await mock.actions.sign({ caseId: id, partyId: 'p1' });
    await client.recallcase({ body: { id } });
    expect(await signing.status(id)).toBe('Draft');
    expect((await signing.told(id)).filter(({ kind }) => kind === 'recalled')).toHaveLength(2);
    await mock.clock.advance('P2D');
    expect(await signing.status(id)).toBe('Draft');
    await client.sendcase({ body: { id } });
    await mock.actions.sign({ caseId: id, partyId: 'p1' });
    expect(await signing.status(id)).toBe('Sent');
  });

  test('a removed case is gone, and its Id is free', async () => {
    await using signing = await openSigning();
    const id = await signing.createSent({ ExpireAfterDays: 1 });
    await signing.client.deletecase({ body: { id } });
    expect(await failureOf(signing.client.getcase({ query: { id } }))).toMatchObject({ status: 404 });
    await signing.client.createcase({ body: { Id: id } });
    await signing.mock.clock.advance('P2D');
    expect(await signing.status(id)).toBe('Draft');
  });
});
