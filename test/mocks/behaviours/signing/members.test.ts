import { describe, expect, test } from 'vitest';

import type { CaseInput } from '../../../../generated/signing/types.js';
import { complete, openSigning } from './signing-mock.js';

const NDA = '0b9d7c1a-52e8-4d36-a7f4-c38e1f60b2d4';

test('an empty object makes an empty draft with every default', async () => {
  await using signing = await openSigning();
  const { data } = await signing.client.createcase({ body: {} });
  expect(await signing.read(data.Id)).toMatchObject({
    Id: data.Id,
    Status: 'Draft',
    Name: '',
    NameAlias: '',
    Description: '',
    Parties: [],
    Documents: [],
    AllowedSignatureTypes: [],
    ...{
      Stakeholders: [],
      Approvers: [],
      Metadata: {},
      NotificationMethods: ['email'],
      Visibility: 'group',
      AccessControl: 'default',
    },
    ...{
      Procedure: 'default',
      ExpireAfterDays: 0,
      RemindAfterDays: 0,
      AgentUsername: 'key-1',
      AgentUsernameType: 'Id',
    },
    ...{
      SendSignRequestEmailToParties: true,
      SendFinishEmailToParties: true,
      SendFinishEmailToCreator: false,
      CreatedOn: '2026-11-20T12:00:00',
    },
  });
});

test('read-only members of a request are ignored', async () => {
  await using signing = await openSigning();
  const sent = {
    Status: 'Finished',
    AccountId: 1,
    MasterAccountId: 2,
    TemporaryId: 9999,
    CreatedOn: '2020-01-01T00:00:00',
    Unknown: 1,
    Parties: [
      {
        Id: 'p1',
        Reviewed: true,
        HasIdCheckDocument: true,
        NotificationStatus: { Email: 'Bounced' },
      },
    ],
    Documents: [
      {
        Id: 'd1',
        Data: 'JVBERi0xLjQ=',
        Size: 5,
        Hash: 'x',
      },
    ],
  };
  const { data } = await signing.client.createcase({ body: sent });
  const read = await signing.read(data.Id);
  expect(read).toMatchObject({ Status: 'Draft', CreatedOn: '2026-11-20T12:00:00' });
  expect([read.AccountId, read.TemporaryId]).not.toContain(1);
  expect(read.TemporaryId).not.toBe(9999);
  expect(read.Parties?.[0]).toMatchObject({
    Reviewed: false,
    HasIdCheckDocument: false,
    NotificationStatus: { Email: 'NotSent' },
  });
  expect(read.Documents?.[0]).toMatchObject({ Data: '', Size: 8, Hash: expect.stringMatching(/^[\da-f]{64}$/) });
});

test('methods and events are kept in the spelling of the spec', async () => {
  await using signing = await openSigning();
  const body = {
    NotificationMethods: ['Email', 'SMS'],
    EventCallback: { Events: ['signatureadded', 'FINISHED'], Url: 'http://127.0.0.1:9/' },
  };
  const { data } = await signing.client.createcase({ body: body as unknown as CaseInput });
  expect(await signing.read(data.Id)).toMatchObject({
    NotificationMethods: ['email', 'sms'],
    EventCallback: { Events: ['SignatureAdded', 'Finished'] },
  });
});

describe('updatecase', () => {
  test('replaces collections as sets, empties texts, keeps all else', async () => {
    await using signing = await openSigning();
    const id = await signing.create({
      Description: 'text',
      NameAlias: 'alias',
      Visibility: 'private',
      Metadata: { a: 1 },
      Stakeholders: [{ Name: 'x' }],
    });
    await signing.client.updatecase({
      body: {
        Id: id,
        Parties: [{ Id: 'p2', EmailAddress: 'new@example.com' }, { Name: 'New party' }],
        Documents: [
          { Id: 'd1', Filename: 'renamed.pdf', Data: '', FormFields: { rent: 1 } },
          { Id: 'd2', Filename: 'added.pdf' },
        ],
      },
    });
    const read = await signing.read(id);
    expect(read).toMatchObject({
      Name: '',
      NameAlias: '',
      Description: '',
      Visibility: 'private',
      Metadata: {},
      Stakeholders: [],
      AllowedSignatureTypes: [],
    });
    expect(read.Parties).toMatchObject([
      { Id: 'p2', Name: 'Marco Rossi', EmailAddress: 'new@example.com' },
      { Name: 'New party' },
    ]);
    expect(read.Documents).toMatchObject([
      { Id: 'd1', Filename: 'renamed.pdf', ContentType: 'application/pdf', Size: 8, FormFields: { rent: 1 } },
      { Id: 'd2', Size: 0 },
    ]);
  });

  test('at Sent only an editable case changes, before the first signature, and stays complete', async () => {
    await using signing = await openSigning();
    const { client, mock } = signing;
    const update = (Id: string, changes: CaseInput = {}): Promise<unknown> =>
      client.updatecase({ body: { ...complete(), ...changes, Id } });
    await expect(update(await signing.createSent())).rejects.toMatchObject({ status: 409 });
    await expect(update(await signing.createSent({ IsEditable: true, MergeOnSend: true }))).rejects.toMatchObject({
      status: 409,
    });
    const id = await signing.createSent({ IsEditable: true });
    await update(id, { Name: 'changed' });
    await expect(update(id, { Parties: [] })).rejects.toMatchObject({
      body: { error: { errorCode: 'caseIncomplete' } },
    });
    await update(id, { ExpireOn: '2026-11-21T00:00:00' });
    await mock.actions.sign({ caseId: id, partyId: 'p1' });
    await expect(update(id)).rejects.toMatchObject({ status: 409 });
    await mock.clock.advance('P1D');
    expect(await signing.read(id)).toMatchObject({ Status: 'Expired', Name: 'Lease' });
  });

  test('approvers are locked once approval was requested, unless AllowEditApprover', async () => {
    await using signing = await openSigning();
    const { client } = signing;
    const approvers: CaseInput = {
      ApprovalRequired: true,
      Approvers: [{ Name: 'Per', EmailAddress: 'per@example.com' }],
    };
    for (const [AllowEditApprover, expected] of [
      [false, 409],
      [true, 200],
    ] as const) {
      const id = await signing.create({ ...approvers, AllowEditApprover });
      await client.requestapproval({ body: { id } });
      await client.updatecase({ body: { ...complete(), ...approvers, Id: id, Name: 'same approvers' } });
      const call = client.updatecase({ body: { ...complete(), Id: id, Approvers: [{ Name: 'Sara' }] } });
      const status = await call.then(
        (answer) => answer.status,
        (error: { status: number }) => error.status,
      );
      expect(status).toBe(expected);
    }
  });

  test('metadata changes at any status', async () => {
    await using signing = await openSigning();
    const id = await signing.createSent({ Metadata: { a: 1 } });
    await signing.mock.actions.reject({ caseId: id, partyId: 'p1' });
    await signing.client.updatecasemetadata({ body: { Id: id, Metadata: { b: null } } });
    expect((await signing.read(id)).Metadata).toEqual({ b: null });
  });
});

describe('templates', () => {
  test('make cases that start anew', async () => {
    await using signing = await openSigning();
    const { client } = signing;
    const newCaseId = 'd4c8b6a2-1f93-4e57-b0a8-5e7d9c2f3614';
    await client.createcasefromtemplate({ body: { templateId: NDA, newCaseId, agentUsername: 'erik@example.com' } });
    const read = await signing.read(newCaseId);
    expect(read).toMatchObject({
      Name: 'Mutual non-disclosure agreement',
      NameAlias: '',
      AgentUsername: 'erik@example.com',
      AgentUsernameType: 'EmailAddress',
      CreatedOn: '2026-11-20T12:00:00',
    });
    expect(read.Parties).toHaveLength(2);
    const { data } = await client.createcasefromtemplate({
      contentType: 'application/x-www-form-urlencoded',
      body: { templateId: NDA },
    });
    expect(await signing.read(data.Id)).toMatchObject({ AgentUsername: 'key-1' });
    await expect(client.createcasefromtemplate({ body: { templateId: NDA, newCaseId: NDA } })).rejects.toMatchObject({
      status: 409,
    });
  });

  test('are read, changed and removed like cases, but not sent', async () => {
    await using signing = await openSigning();
    const { client } = signing;
    expect((await client.getcase({ query: { id: NDA } })).data).toMatchObject({ Id: NDA, Status: 'Draft' });
    await client.updatecasemetadata({ body: { Id: NDA, Metadata: { a: 1 } } });
    await client.updatecase({ body: { Id: NDA, Name: 'Renamed' } });
    expect((await client.findtemplates()).data.map(({ Name }) => Name)).toContain('Renamed');
    await expect(client.sendcase({ body: { id: NDA } })).rejects.toMatchObject({ status: 404 });
    await client.deletecase({ body: { id: NDA } });
    expect((await client.findtemplates()).data).toHaveLength(2);
  });
});

test('each account has cases of its own; a master key reaches those of sub accounts', async () => {
  await using signing = await openSigning();
  const { mock } = signing;
  const id = await signing.create();
  await expect(signing.clientOf('key-2').getcase({ query: { id } })).rejects.toMatchObject({ status: 404 });
  const sub = signing.clientOf('master', '4711');
  const { data } = await sub.createcase({ body: { ...complete(), Name: 'of the sub account' } });
  expect((await signing.clientOf('4711').getcase({ query: { id: data.Id } })).data).toMatchObject({ AccountId: 4711 });
  for (const backslashes of ['\\', '\\\\']) {
    const authorization = `Basic ${Buffer.from(`master${backslashes}4711:secret`).toString('base64')}`;
    const answer = await mock.fetch(`${mock.url}/api/v2/getcase?id=${data.Id}`, { headers: { authorization } });
    expect([backslashes, answer.status]).toEqual([backslashes, 200]);
  }
  await sub.sendcase({ body: { id: data.Id } });
  await mock.actions.sign({ caseId: data.Id, partyId: 'p1' });
  const { MasterAccountId, AccountId } = (await sub.getcase({ query: { id: data.Id } })).data;
  expect(MasterAccountId).not.toBe(AccountId);
});
