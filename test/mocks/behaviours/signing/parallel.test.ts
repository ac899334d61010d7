import { expect, test } from 'vitest';

import { throughBothDoors } from './signing-mock.js';

throughBothDoors('at the same time', (open) => {
  test('parties who sign in parallel end the case once', async () => {
    const signing = await open();
    const id = await signing.createSent();
    await Promise.all(['p1', 'p2'].map((partyId) => signing.mock.actions.sign({ caseId: id, partyId })));
    await signing.mock.clock.advance('PT5S');
    expect(await signing.status(id)).toBe('Finished');
    expect((await signing.told(id)).filter(({ kind }) => kind === 'finished')).toHaveLength(2);
  });

  test('one of two cases with the same Id is refused', async () => {
    const signing = await open();
    const body = { Id: '6f1c2f5e-3b7a-4c58-9d0e-2a41b8c7d901' };
    const outcomes = await Promise.allSettled([1, 2].map(() => signing.client.createcase({ body })));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('a snapshot brings back a case with its deadline', async () => {
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
});
