import { expect, test } from 'vitest';

import { startMock } from '../../support/start-mock.js';
import { complete, failureOf, type SigningMock, throughBothTransports } from './signing-mock.js';

/** Which cases a user sees. */
async function idsOf(signing: SigningMock, user: string): Promise<unknown[]> {
  const response = await signing.send('findcases', { user });
  return ((await response.json()) as { Id: string }[]).map(({ Id }) => Id);
}

throughBothTransports('a credential', (open) => {
  test.each([
    ['none', undefined],
    ['another scheme', 'Bearer abc'],
    ['no base64', 'Basic !!!'],
    ['no colon', `Basic ${btoa('key')}`],
    ['no key', `Basic ${btoa(':secret')}`],
    ['the invalid key', `Basic ${btoa('invalid:secret')}`],
    ['the invalid key as a master', `Basic ${btoa('invalid\\\\sub:secret')}`],
    ['a master key without a sub account', `Basic ${btoa('key\\:secret')}`],
    ['three backslashes', `Basic ${btoa('key\\\\\\sub:secret')}`],
  ])('responds 401 to a credential that is %s', async (_what, authorization) => {
    const signing = await open();
    for (const [operation, method] of [
      ['createcase', 'POST'],
      ['findtemplates', 'GET'],
    ] as const) {
      const headers = authorization === undefined ? {} : { authorization };
      const { fetch } = signing.mock;
      const response = await fetch(signing.url(operation), { method, headers });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Basic /);
      expect(await response.json()).toMatchObject({ error: { errorCode: 'authenticationFailed' } });
    }
  });

  test('checks the credential before the body', async () => {
    const signing = await open();
    const response = await signing.mock.fetch(signing.url('createcase'), { method: 'POST', body: '{' });
    expect(response.status).toBe(401);
  });
});

throughBothTransports('accounts', (open) => {
  test('each key is an account with its own cases', async () => {
    const signing = await open();
    const id = await signing.create();
    expect(await failureOf(signing.clientOf('key-2').getcase({ query: { id } }))).toMatchObject({ status: 404 });
    expect((await signing.clientOf('key-2').findcases()).data).toEqual([]);
    const { AccountId, MasterAccountId } = await signing.read(id);
    expect(MasterAccountId).toBe(AccountId);
  });

  test('a master key reaches a sub account with one backslash or two, by its number or its external id', async () => {
    const signing = await open();
    const branch = signing.clientOf('master', 'branch');
    const { Id } = (await branch.createcase({ body: complete() })).data;
    const { AccountId, MasterAccountId } = (await branch.getcase({ query: { id: Id } })).data;
    expect(MasterAccountId).not.toBe(AccountId);
    for (const user of ['master\\branch', 'master\\\\branch', `master\\${AccountId}`, `master\\\\${AccountId}`])
      expect([user, await idsOf(signing, user)]).toEqual([user, [Id]]);
    for (const user of ['master', 'branch', String(AccountId), 'master\\other', 'MASTER\\branch'])
      expect([user, await idsOf(signing, user)]).toEqual([user, []]);
  });

  test('sub accounts of two masters stay apart if they have the same name', async () => {
    const signing = await open();
    const made = await Promise.all(
      ['one', 'two'].map(async (key) => {
        const client = signing.clientOf(key, 'branch');
        const { Id } = (await client.createcase({ body: complete() })).data;
        return (await client.getcase({ query: { id: Id } })).data;
      }),
    );
    expect(await idsOf(signing, 'one\\branch')).toEqual([made[0]?.Id]);
    expect(await idsOf(signing, 'two\\branch')).toEqual([made[1]?.Id]);
    expect(made[0]?.AccountId).not.toBe(made[1]?.AccountId);
  });

  test('parties can sign cases of sub accounts', async () => {
    const signing = await open();
    const sub = signing.clientOf('master', '4711');
    const { Id } = (await sub.createcase({ body: complete() })).data;
    await sub.sendcase({ body: { id: Id } });
    expect(await signing.mock.actions.sign({ caseId: Id, partyId: 'p1' })).toMatchObject({ AccountId: 4711 });
  });

  test('a snapshot restores sub accounts', async () => {
    const signing = await open();
    const sub = signing.clientOf('master', 'branch');
    const { Id } = (await sub.createcase({ body: complete() })).data;
    const snapshot = await signing.mock.state.get();
    await signing.mock.reset();
    expect(await idsOf(signing, 'master\\branch')).toEqual([]);
    await signing.mock.state.put(snapshot);
    expect(await idsOf(signing, 'master\\branch')).toEqual([Id]);
  });
});

test('a list of credentials gives a sub account its own key', async () => {
  const credentials = [
    { key: 'head', secret: 's', account: 'acme' },
    { key: 'other-head', secret: 's', account: 'acme' },
    { key: 'branch-key', secret: 's', account: 'acme\\branch' },
  ];
  await using mock = await startMock('signing', { credentials });
  const call = (user: string, init?: RequestInit): Promise<Response> =>
    mock.fetch(`${mock.url}/api/v2/${init?.method === 'POST' ? 'createcase' : 'findcases'}`, {
      ...init,
      headers: { authorization: `Basic ${btoa(`${user}:s`)}`, 'content-type': 'application/json' },
    });
  await call('head\\branch', { method: 'POST', body: '{}' });
  for (const user of ['head\\branch', 'other-head\\branch', 'branch-key'])
    expect([user, await (await call(user)).json()]).toMatchObject([user, [{ Status: 'Draft' }]]);
  expect(await (await call('head')).json()).toEqual([]);
  expect((await call('stranger')).status).toBe(401);
});
