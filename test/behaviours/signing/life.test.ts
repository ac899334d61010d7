import { expect, test } from 'vitest';

import { failureOf, throughBothTransports } from './signing-mock.js';

throughBothTransports('the life of a case', (open) => {
  test('a case goes from draft to finished', async () => {
    const signing = await open();
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

  test('form input has the same effect as JSON', async () => {
    const signing = await open();
    const { client, status } = signing;
    const id = await signing.create();
    const contentType = 'application/x-www-form-urlencoded' as const;
    await client.sendcase({ contentType, body: { id } });
    await client.markassigned({ contentType, body: { CaseId: id, PartyId: 'p1' } });
    await client.markasnotsigned({ contentType, body: { caseId: id, partyId: 'p2' } });
    await client.updatecasemetadata({ contentType, body: { Id: id, Metadata: { department: 'Legal', floor: '007' } } });
    expect(await status(id)).toBe('Signed');
    expect((await signing.read(id)).Metadata).toEqual({ department: 'Legal', floor: '007' });
    await client.deletecase({ contentType, body: { id } });
    expect(await failureOf(signing.read(id))).toMatchObject({ status: 404 });
    const approved = await signing.createSent();
    for (const call of [client.remindcase, client.recallcase]) await call({ contentType, body: { id: approved } });
    await client.updatecase({ body: { ...(await signing.read(approved)), Id: approved, ApprovalRequired: true } });
    await client.requestapproval({ contentType, body: { id: approved } });
    expect(await status(approved)).toBe('PendingApproval');
  });

  test('a form as multipart/form-data has the same effect, with the same names', async () => {
    const signing = await open();
    const id = await signing.create();
    const fields = { Id: id, 'Metadata[year]': '2026', 'Metadata[a b]': 'å' };
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    expect((await signing.send('updatecasemetadata', { method: 'POST', body })).status).toBe(200);
    expect((await signing.read(id)).Metadata).toEqual({ year: '2026', 'a b': 'å' });
    const other = new FormData();
    other.set('ID', id);
    expect((await signing.send('deletecase', { method: 'POST', body: other })).status).toBe(200);
  });

  test('a form sends all values of metadata as texts', async () => {
    const signing = await open();
    const id = await signing.create();
    const body = new URLSearchParams({
      Id: id,
      'Metadata[year]': '2026',
      'Metadata[open]': 'true',
      'Metadata[a b]': '',
    });
    expect((await signing.send('updatecasemetadata', { method: 'POST', body })).status).toBe(200);
    expect((await signing.read(id)).Metadata).toEqual({ year: '2026', open: 'true', 'a b': '' });
  });

  test('one signature is enough for a case with one party', async () => {
    const signing = await open();
    const id = await signing.createSent({ Parties: [{ Id: 'only' }] });
    await signing.mock.actions.sign({ caseId: id, partyId: 'only' });
    expect(await signing.status(id)).toBe('Signed');
  });

  test('a rejection ends the case', async () => {
    const signing = await open();
    const id = await signing.createSent({ ExpireAfterDays: 1 });
    await signing.mock.actions.sign({ caseId: id, partyId: 'p1' });
    await signing.mock.actions.reject({ caseId: id, partyId: 'p2' });
    expect(await signing.status(id)).toBe('Rejected');
    await signing.mock.clock.advance('P2D');
    expect(await signing.status(id)).toBe('Rejected');
    for (const call of [signing.client.recallcase, signing.client.remindcase, signing.client.sendcase])
      expect(await failureOf(call({ body: { id } }))).toMatchObject({ code: 'invalidStatus' });
  });

  test.each(['requireany', undefined] as const)('one approver is enough with ApprovalType %s', async (ApprovalType) => {
    const signing = await open();
    const Approvers = [{ Name: 'Per' }, { Name: 'Sara' }];
    const id = await signing.create({
      ApprovalRequired: true,
      Approvers,
      ...(ApprovalType === undefined ? {} : { ApprovalType }),
    });
    await signing.client.requestapproval({ body: { id } });
    await signing.mock.actions.approve({ caseId: id });
    expect(await signing.status(id)).toBe('Sent');
  });

  test('a case that requires approval is sent by its approvers', async () => {
    const signing = await open();
    const { mock, client, status } = signing;
    const Approvers = [
      { Name: 'Per', EmailAddress: 'per@example.com' },
      { Name: 'Sara', MobilePhone: '+46702' },
    ];
    const id = await signing.create({ ApprovalType: 'requireall', Approvers });
    await client.requestapproval({ body: { id } });
    expect(await status(id)).toBe('PendingApproval');
    expect((await client.getcase({ query: { id } })).data.Status).toBe('Draft');
    expect((await signing.sentOf(id)).map(({ kind, method, address }) => [kind, method, address])).toEqual([
      ['approvalRequest', 'email', 'per@example.com'],
      ['approvalRequest', 'sms', '+46702'],
    ]);
    await mock.actions.approve({ caseId: id });
    expect(await status(id)).toBe('PendingApproval');
    await mock.actions.approve({ caseId: id });
    expect(await status(id)).toBe('Sent');
  });
});

throughBothTransports('marks', (open) => {
  test('a case finishes when all parties are marked as not signing', async () => {
    const signing = await open();
    const id = await signing.createSent();
    for (const partyId of ['p1', 'p2']) await signing.client.markasnotsigned({ body: { caseId: id, partyId } });
    await signing.mock.clock.advance('PT5S');
    expect(await signing.status(id)).toBe('Finished');
  });

  test('a party without a name gets one when it is marked as not signing', async () => {
    const signing = await open();
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

throughBothTransports('signing order', (open) => {
  test('in a sequence only the next party can sign and is asked and reminded', async () => {
    const signing = await open();
    const { mock, client, sentOf } = signing;
    const id = await signing.createSent({ SignInSequence: true });
    const asked = async (kind: string): Promise<unknown[]> =>
      (await sentOf(id)).filter((one) => one.kind === kind).map(({ partyId }) => partyId);
    expect(await asked('signRequest')).toEqual(['p1']);
    await expect(mock.actions.sign({ caseId: id, partyId: 'p2' })).rejects.toThrow(/not the turn of party p2/);
    await client.remindcase({ body: { id } });
    expect(await asked('reminder')).toEqual(['p1']);
    await mock.actions.sign({ caseId: id, partyId: 'p1' });
    expect(await asked('signRequest')).toEqual(['p1', 'p2']);
  });

  test('parties can be marked as not signing out of sequence', async () => {
    const signing = await open();
    const id = await signing.createSent({ SignInSequence: true });
    await signing.client.markassigned({ body: { CaseId: id, PartyId: 'p2' } });
    await signing.client.markasnotsigned({ body: { caseId: id, partyId: 'p1' } });
    expect(await signing.status(id)).toBe('Signed');
  });
});

throughBothTransports('recall and removal', (open) => {
  test('a recalled case is a draft without signatures', async () => {
    const signing = await open();
    const { mock, client } = signing;
    const id = await signing.createSent({ SendRecallEmailToParties: true, ExpireAfterDays: 1 });
    await mock.actions.sign({ caseId: id, partyId: 'p1' });
    await client.recallcase({ body: { id } });
    expect(await signing.status(id)).toBe('Draft');
    expect((await signing.sentOf(id)).filter(({ kind }) => kind === 'recalled')).toHaveLength(2);
    await mock.clock.advance('P2D');
    expect(await signing.status(id)).toBe('Draft');
    await client.sendcase({ body: { id } });
    await mock.actions.sign({ caseId: id, partyId: 'p1' });
    expect(await signing.status(id)).toBe('Sent');
  });

  test.each([
    ['Draft', {}],
    ['Pending', { Procedure: 'batch' }],
  ] as const)('a %s case is removed', async (status, changes) => {
    const signing = await open();
    const id = await signing.create(changes);
    expect(await signing.status(id)).toBe(status);
    expect((await signing.client.deletecase({ body: { id } })).data).toEqual({ Id: id });
    expect(await failureOf(signing.client.deletecase({ body: { id } }))).toMatchObject({ status: 404 });
  });

  test('a case can be removed at every other status', async () => {
    const signing = await open();
    const { client, mock } = signing;
    const signed = await signing.createSent({ Parties: [{ Id: 'p1' }] });
    await mock.actions.sign({ caseId: signed, partyId: 'p1' });
    const rejected = await signing.createSent();
    await mock.actions.reject({ caseId: rejected, partyId: 'p1' });
    const waiting = await signing.create({ ApprovalRequired: true });
    await client.requestapproval({ body: { id: waiting } });
    const expired = await signing.createSent({ ExpireOn: '2026-11-20T12:00:01' });
    const statuses = async (): Promise<unknown[]> =>
      Promise.all([signed, rejected, waiting, expired].map((id) => signing.status(id)));
    expect(await statuses()).toEqual(['Signed', 'Rejected', 'PendingApproval', 'Sent']);
    await mock.clock.advance('PT5S');
    expect(await statuses()).toEqual(['Finished', 'Rejected', 'PendingApproval', 'Expired']);
    for (const id of [signed, rejected, waiting, expired]) await client.deletecase({ body: { id } });
    expect((await client.findcases()).data).toEqual([]);
  });

  test('a removed case is gone, and its Id can be used again', async () => {
    const signing = await open();
    const id = await signing.createSent({ ExpireAfterDays: 1 });
    await signing.client.deletecase({ body: { id } });
    expect(await failureOf(signing.client.getcase({ query: { id } }))).toMatchObject({ status: 404 });
    await signing.client.createcase({ body: { Id: id } });
    await signing.mock.clock.advance('P2D');
    expect(await signing.status(id)).toBe('Draft');
  });
});
