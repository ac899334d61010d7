import { describe, expect, test } from 'vitest';

import { DOORS, openSigning } from './signing-mock.js';

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
    await mock.clock.advance('PT5S');
    expect(await status(id)).toBe('Finished');
  });
});
