import path from 'node:path';

import { expect, test } from 'vitest';

import type { CaseInput } from '../../../generated/signing/types.js';
import { loadApi } from '../../../model/load-api.js';
import type { SchemaObject } from '../../../model/schema-types.js';
import { complete, throughBothTransports } from './signing-mock.js';

const api = await loadApi(path.join(import.meta.dirname, '../../../specs/signing/openapi.yaml'));

function schemaOf(name: string): SchemaObject {
  const schema = api.schemas.get(name)?.schema;
  if (typeof schema !== 'object') throw new Error(`The spec has no schema ${name}.`);
  return schema;
}

/** The members of a schema as the spec describes them. */
function membersOf(name: string): Readonly<Record<string, SchemaObject>> {
  return schemaOf(name).properties as Readonly<Record<string, SchemaObject>>;
}

throughBothTransports('members', (open) => {
  test('an empty object creates an empty draft with every default of the spec', async () => {
    const signing = await open();
    const { data } = await signing.client.createcase({ body: {} });
    const read = await signing.read(data.Id);
    const described = Object.entries(membersOf('Case')).flatMap(([name, { default: value }]) =>
      value === undefined ? [] : [[name, value] as const],
    );
    expect(described.length).toBeGreaterThan(30);
    expect(read).toMatchObject(Object.fromEntries(described));
    expect(read).toMatchObject({
      Id: data.Id,
      Status: 'Draft',
      AgentUsername: 'key-1',
      AgentUsernameType: 'Id',
      CreatedOn: '2026-11-20T12:00:00',
    });
  });

  test('a member named __proto__ is stored like any other unknown member', async () => {
    const signing = await open();
    const body = JSON.parse('{ "Name": "x", "__proto__": { "a": 1 }, "Own": 1 }') as CaseInput;
    const { data } = await signing.client.createcase({ body });
    const read = await signing.read(data.Id);
    expect({ keeps: Object.hasOwn(read, '__proto__'), Own: (read as { readonly Own?: unknown }).Own }).toEqual({
      keeps: true,
      Own: 1,
    });
  });

  test.each([
    ['Parties', 'Party'],
    ['Documents', 'Document'],
  ] as const)('so do empty %s', async (list, schema) => {
    const signing = await open();
    const { data } = await signing.client.createcase({ body: { [list]: [{}] } });
    const [made] = (await signing.read(data.Id))[list] ?? [];
    const described = Object.entries(membersOf(schema)).filter(([, member]) => member.default !== undefined);
    expect(made).toMatchObject(Object.fromEntries(described.map(([name, member]) => [name, member.default])));
    expect(made?.Id).toMatch(/^[\da-f-]{36}$/);
  });

  test.each([
    [{ AgentUsername: 'anna@example.com' }, { AgentUsername: 'anna@example.com', AgentUsernameType: 'EmailAddress' }],
    [
      { AgentUsername: 'anna@example.com', AgentUsernameType: 'Id' as const },
      { AgentUsername: 'anna@example.com', AgentUsernameType: 'Id' },
    ],
    [{ AgentUsername: '1042' }, { AgentUsername: '1042', AgentUsernameType: 'Id' }],
    [{ AgentUsername: '' }, { AgentUsername: 'key-1', AgentUsernameType: 'Id' }],
  ])('the agent of a party is found for %j', async (sent, expected) => {
    const signing = await open();
    const id = await signing.create(sent);
    expect(await signing.read(id)).toMatchObject(expected);
    await signing.client.updatecase({ body: { ...complete(), Id: id } });
    expect(await signing.read(id)).toMatchObject(expected);
  });

  test('read-only members of a request are ignored', async () => {
    const signing = await open();
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
    for (const [schema, value] of [
      ['Case', sent],
      ['Party', sent.Parties[0]],
      ['Document', sent.Documents[0]],
    ] as const) {
      const readOnly = Object.entries(membersOf(schema)).filter(([, member]) => member.readOnly === true);
      expect(Object.keys(value ?? {})).toEqual(expect.arrayContaining(readOnly.map(([name]) => name)));
    }
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

  test('methods and events are stored in the spelling of the spec', async () => {
    const signing = await open();
    const ALL = schemaOf('EventName').enum as string[];
    const body = {
      NotificationMethods: ['Email', 'SMS', 'none'],
      EventCallback: { Events: ALL.map((name) => name.toUpperCase()), Url: 'http://127.0.0.1:9/' },
    };
    const { data } = await signing.client.createcase({ body: body as unknown as CaseInput });
    expect(await signing.read(data.Id)).toMatchObject({
      NotificationMethods: ['email', 'sms', 'none'],
      EventCallback: { Events: ALL },
    });
  });
});
