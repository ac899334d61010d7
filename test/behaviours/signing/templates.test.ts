import { expect, test } from 'vitest';

import { throughBothTransports } from './signing-mock.js';

const NDA = '0b9d7c1a-52e8-4d36-a7f4-c38e1f60b2d4';

throughBothTransports('templates', (open) => {
  test('a case made from a template starts as a new draft', async () => {
    const signing = await open();
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

  test('templates are read, changed and removed like cases, but cannot be sent', async () => {
    const signing = await open();
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
