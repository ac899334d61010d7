import { expect, test } from 'vitest';

import type { CaseInput } from '../../../generated/signing/types.js';
import { complete, type SigningMock, throughBothTransports } from './signing-mock.js';

/** An update of a case that changes nothing. */
async function updateOf({ read }: SigningMock, id: string): Promise<CaseInput & { readonly Id: string }> {
  const { Documents = [] } = await read(id);
  return { ...complete(), Id: id, Documents: Documents.map(({ Id = '', Filename = '' }) => ({ Id, Filename })) };
}

throughBothTransports('deadlines', (open) => {
  const cases: readonly [string, CaseInput, string, string][] = [
    ['ExpireAfterDays counts from sending', { ExpireAfterDays: 3 }, 'P3D', 'Expired'],
    ['the last second before it', { ExpireAfterDays: 3 }, 'PT71H59M59S', 'Sent'],
    ['0 is no deadline', { ExpireAfterDays: 0 }, 'P900D', 'Sent'],
    ['ExpireOn is absolute', { ExpireOn: '2026-11-21T12:00:00' }, 'P1D', 'Expired'],
    ['ExpireOn overrides ExpireAfterDays', { ExpireOn: '2026-11-25T12:00:00', ExpireAfterDays: 1 }, 'P4D', 'Sent'],
  ];
  test.each(cases)('a case expires by its deadline: %s', async (_name, changes, advance, status) => {
    const signing = await open();
    const id = await signing.createSent(changes);
    await signing.mock.clock.advance(advance);
    expect(await signing.status(id)).toBe(status);
  });

  test('after ExpireOn is removed, ExpireAfterDays decides the deadline', async () => {
    const signing = await open();
    const { client } = signing;
    const id = await signing.create({ ExpireOn: '2026-11-25T12:00:00', ExpireAfterDays: 2 });
    await client.updatecase({ body: { ...(await updateOf(signing, id)), ExpireOn: null } });
    expect(await signing.read(id)).not.toHaveProperty('ExpireOn');
    await client.sendcase({ body: { id } });
    await signing.mock.clock.advance('P2D');
    expect(await signing.status(id)).toBe('Expired');
    const created = await client.createcase({ body: { ExpireOn: null } });
    expect(await signing.read(created.data.Id)).not.toHaveProperty('ExpireOn');
  });

  test('an update without ExpireOn keeps the deadline', async () => {
    const signing = await open();
    const id = await signing.create({ ExpireOn: '2026-11-25T12:00:00' });
    await signing.client.updatecase({ body: await updateOf(signing, id) });
    expect(await signing.read(id)).toHaveProperty('ExpireOn', '2026-11-25T12:00:00');
  });

  test('a draft does not expire by the clock', async () => {
    const signing = await open();
    const id = await signing.create({ ExpireOn: '2026-11-21T12:00:00' });
    await signing.mock.clock.advance('P9D');
    expect(await signing.status(id)).toBe('Draft');
  });
});

throughBothTransports('the clock', (open) => {
  test('RemindAfterDays reminds parties who have not signed, once', async () => {
    const signing = await open();
    const id = await signing.createSent({ RemindAfterDays: 2 });
    await signing.mock.actions.sign({ caseId: id, partyId: 'p1' });
    await signing.mock.clock.advance('P30D');
    const reminders = (await signing.sentOf(id)).filter(({ kind }) => kind === 'reminder');
    expect(reminders.map(({ partyId, sentOn }) => [partyId, sentOn])).toEqual([['p2', '2026-11-22T12:00:00']]);
  });

  test('a batch case is pending for five seconds', async () => {
    const signing = await open();
    const id = await signing.create({ Procedure: 'batch' });
    expect(await signing.status(id)).toBe('Pending');
    await signing.mock.clock.advance('PT5S');
    expect(await signing.status(id)).toBe('Draft');
  });

  test('a temporary id works for 24 hours', async () => {
    const signing = await open();
    const { client, mock } = signing;
    const id = await signing.create();
    const { TemporaryId = 0 } = await signing.read(id);
    expect(TemporaryId).toBeGreaterThanOrEqual(1000);
    expect((await client.getcasebytemporaryid({ query: { id: TemporaryId } })).data.Id).toBe(id);
    await mock.clock.advance('PT23H59M59S');
    expect((await client.getcasebytemporaryid({ query: { id: TemporaryId } })).data.Id).toBe(id);
    await mock.clock.advance('PT1S');
    await expect(client.getcasebytemporaryid({ query: { id: TemporaryId } })).rejects.toMatchObject({ status: 404 });
    expect(await signing.read(id)).not.toHaveProperty('TemporaryId');
  });
});

throughBothTransports('notifications', (open) => {
  const cases: readonly [string, CaseInput, Readonly<Record<string, number>>][] = [
    ['by default: parties by email', {}, { 'signRequest email': 2, 'finished email': 2 }],
    ['by SMS where there is a phone', { NotificationMethods: ['sms'] }, { 'signRequest sms': 1, 'finished sms': 1 }],
    ['none switches all off', { NotificationMethods: ['none', 'email'] }, {}],
    ['no sign requests', { SendSignRequestEmailToParties: false }, { 'finished email': 2 }],
    ['no emails when finished', { SendFinishEmailToParties: false }, { 'signRequest email': 2 }],
    ['the creator', { SendFinishEmailToCreator: true, NotificationMethods: ['none'] }, { 'finished email': 1 }],
    [
      'stakeholders, when all have signed',
      { Stakeholders: [{ EmailAddress: 'desk@example.com' }], NotificationMethods: ['none'] },
      { 'signed email': 1 },
    ],
  ];
  test.each(cases)('notifications go out in time: %s', async (_name, changes, expected) => {
    const signing = await open();
    const id = await signing.createSent(changes);
    for (const partyId of ['p1', 'p2']) await signing.mock.actions.sign({ caseId: id, partyId });
    await signing.mock.clock.advance('PT5S');
    const counts: Record<string, number> = {};
    for (const { kind, method } of await signing.sentOf(id))
      counts[`${kind} ${method}`] = (counts[`${kind} ${method}`] ?? 0) + 1;
    expect(counts).toEqual(expected);
  });

  test('the texts of a case override those of the system', async () => {
    const signing = await open();
    const id = await signing.createSent({
      RequestMessage: 'Please sign',
      RequestMessageSms: 'Sign!',
      NotificationMethods: ['email', 'sms'],
      Culture: 'sv-SE',
      Description: 'A lease',
    });
    const sent = (await signing.sentOf(id)).filter(({ partyId }) => partyId === 'p1');
    expect(sent).toMatchObject([
      { method: 'email', message: 'Please sign', culture: 'sv-SE', description: 'A lease' },
      { method: 'sms', message: 'Sign!', culture: 'sv-SE' },
    ]);
    const [first, second] = (await signing.read(id)).Parties ?? [];
    expect([first?.NotificationStatus, second?.NotificationStatus]).toEqual([{ Email: 'Sent' }, { Email: 'Sent' }]);
  });

  test('the creator is notified of a rejection if the case asks for that', async () => {
    const signing = await open();
    const id = await signing.createSent({ SendRejectNotification: true });
    await signing.mock.actions.reject({ caseId: id, partyId: 'p2' });
    expect((await signing.sentOf(id)).at(-1)).toMatchObject({ kind: 'rejected', role: 'creator' });
  });
});
