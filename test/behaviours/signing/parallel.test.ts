import { expect, test } from 'vitest';

import { throughBothTransports } from './signing-mock.js';

throughBothTransports('at the same time', (open) => {
  test('parties who sign in parallel end the case once', async () => {
    const signing = await open();
    const id = await signing.createSent();
    await Promise.all(['p1', 'p2'].map((partyId) => signing.mock.actions.sign({ caseId: id, partyId })));
    await signing.mock.clock.advance('PT5S');
    expect(await signing.status(id)).toBe('Finished');
    expect((await signing.sentOf(id)).filter(({ kind }) => kind === 'finished')).toHaveLength(2);
  });

  test('refuses one of two cases that are created with the same Id at the same time', async () => {
    const signing = await open();
    const body = { Id: '6f1c2f5e-3b7a-4c58-9d0e-2a41b8c7d901' };
    const outcomes = await Promise.allSettled([1, 2].map(() => signing.client.createcase({ body })));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('a snapshot restores a case with its deadline', async () => {
    const signing = await open();
    const { mock } = signing;
    const id = await signing.createSent({ ExpireAfterDays: 1 });
    const snapshot = await mock.state.get();
    await mock.reset();
    await expect(signing.read(id)).rejects.toMatchObject({ status: 404 });
    await mock.state.put(snapshot);
    expect(await signing.status(id)).toBe('Sent');
    await mock.clock.advance('P1D');
    expect(await signing.status(id)).toBe('Expired');
  });

  test.each([
    ['nothing', {}, ''],
    ['an invalid status', { Status: 'Lost' }, '/fields/Status'],
    ['no list of parties', { Parties: 'p1' }, '/fields/Parties'],
  ])('a snapshot with an invalid case is refused and changes nothing: %s', async (_what, fields, pointer) => {
    const signing = await open();
    const id = await signing.create();
    const { accounts: { 'key-1': own = {} } = {}, ...snapshot } = await signing.mock.state.get();
    const [record] = own['cases'] ?? [];
    const kept = (record?.value as { fields: object } | undefined)?.fields;
    const value = pointer === '' ? {} : { ...(record?.value as object), fields: { ...kept, ...fields } };
    const bad = { ...snapshot, accounts: { 'key-1': { ...own, cases: [{ id, value }] } } };
    await expect(signing.mock.state.put(bad)).rejects.toMatchObject({
      status: 422,
      violations: [{ pointer: `/accounts/key-1/cases/0/value${pointer}` }],
    });
    expect(await signing.status(id)).toBe('Draft');
  });
});
