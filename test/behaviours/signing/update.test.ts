import { expect, test } from 'vitest';

import type { CaseInput } from '../../../generated/signing/types.js';
import { complete, throughBothTransports } from './signing-mock.js';

throughBothTransports('updatecase', (open) => {
  test('an update replaces collections, empties texts and keeps everything else', async () => {
    const signing = await open();
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

  test('a case does not change if it is sent back as it was read', async () => {
    const signing = await open();
    const id = await signing.create({
      Metadata: { a: 1 },
      Stakeholders: [{ Name: 'x' }],
      NotificationMethods: ['sms'],
      ExpireOn: '2030-01-01T00:00:00',
      EventCallback: { Events: ['Sent'], Url: 'http://127.0.0.1:9/' },
    });
    const before = await signing.read(id);
    await signing.client.updatecase({ body: { ...before, Id: id } });
    expect(await signing.read(id)).toEqual(before);
  });

  test('an update keeps account, status and time of creation', async () => {
    const signing = await open();
    const id = await signing.create();
    const before = await signing.read(id);
    const fixed = {
      AccountId: 1,
      MasterAccountId: 2,
      Status: 'Finished',
      TemporaryId: 4444,
      CreatedOn: '2020-01-01T00:00:00',
      Documents: [{ Id: 'd1', Size: 9, Hash: 'x' }],
    };
    await signing.client.updatecase({ body: { ...complete(), ...fixed, Id: id } });
    const { Documents, ...after } = await signing.read(id);
    expect({ ...after, Documents }).toEqual({ ...before, Documents });
    expect(Documents).toEqual(before.Documents);
  });

  test('a document can be replaced by one with another Id', async () => {
    const signing = await open();
    const id = await signing.create();
    const before = (await signing.read(id)).Documents ?? [];
    await signing.client.updatecase({ body: { ...complete(), Id: id, Documents: [{ Id: 'd2', Data: 'AAAA' }] } });
    const after = (await signing.read(id)).Documents ?? [];
    expect(after).toMatchObject([{ Id: 'd2', Size: 3 }]);
    expect(after[0]?.Hash).not.toBe(before[0]?.Hash);
  });

  test('a sent case changes only if it is editable, unsigned and stays complete', async () => {
    const signing = await open();
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

  test('approvers cannot change after approval was requested, unless AllowEditApprover', async () => {
    const signing = await open();
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
        (response) => response.status,
        (error: { status: number }) => error.status,
      );
      expect(status).toBe(expected);
    }
  });

  test('approvers who stay keep their approvals', async () => {
    const signing = await open();
    const [per, sara, ulf] = ['Per', 'Sara', 'Ulf'].map((Name) => ({ Name }));
    const rules: CaseInput = { ApprovalType: 'requireall', AllowEditApprover: true };
    const id = await signing.create({ ...rules, Approvers: [per, sara].flatMap((one) => one ?? []) });
    await signing.client.requestapproval({ body: { id } });
    await signing.mock.actions.approve({ caseId: id });
    const Approvers = [per, ulf].flatMap((one) => one ?? []);
    await signing.client.updatecase({ body: { ...complete(), ...rules, Id: id, Approvers } });
    expect(await signing.status(id)).toBe('PendingApproval');
    await signing.mock.actions.approve({ caseId: id });
    expect(await signing.status(id)).toBe('Sent');
  });

  test('metadata can change at any status', async () => {
    const signing = await open();
    const id = await signing.createSent({ Metadata: { a: 1 } });
    await signing.mock.actions.reject({ caseId: id, partyId: 'p1' });
    await signing.client.updatecasemetadata({ body: { Id: id, Metadata: { b: null } } });
    expect((await signing.read(id)).Metadata).toEqual({ b: null });
  });
});
