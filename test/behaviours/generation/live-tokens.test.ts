import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { call, start } from './calls.js';
import { CONSTRAINED, LiveClient, LiveMock, type ServerMessage, SETUP, say, spoken } from './live-client.js';

let live: LiveMock;
beforeEach(async () => {
  live = await LiveMock.start();
});
afterEach(() => live[Symbol.asyncDispose]());

async function token(body: object): Promise<string> {
  const { status, body: made } = await call<{ name: string }>(live.mock, 'POST', '/v1alpha/auth_tokens', body);
  expect(status).toBe(200);
  return made.name;
}

const ahead = async (seconds: number): Promise<string> =>
  new Date(Date.parse((await live.mock.clock.get()).now) + seconds * 1_000).toISOString();

describe('tokens', () => {
  test.each<[string, () => Promise<object>, number]>([
    ['defaults', async () => ({}), 200],
    [
      'a time just less than 20 hours ahead',
      async () => ({ expireTime: await ahead(71_990), newSessionExpireTime: await ahead(71_990) }),
      200,
    ],
    ['a time 20 hours ahead', async () => ({ expireTime: await ahead(72_100) }), 400],
    ['a session time 20 hours ahead', async () => ({ newSessionExpireTime: await ahead(72_100) }), 400],
    ['a time that has passed', async () => ({ expireTime: await ahead(-1) }), 400],
    [
      'an unsupported setting',
      async () => ({ bidiGenerateContentSetup: { model: 'models/sonata-2-live', generationConfig: { logprobs: 1 } } }),
      400,
    ],
    ['negative uses', async () => ({ uses: -1 }), 400],
  ])('refuses to make a token with %s', async (_case, body, status) => {
    const response = await call<{ name?: string }>(live.mock, 'POST', '/v1beta/auth_tokens', await body());
    expect(response.status).toBe(status);
    if (status === 200) expect(response.body.name).toMatch(/^auth_tokens\/.{20}/);
  });

  test('a token opens as many sessions as it has uses', async () => {
    const path = CONSTRAINED + (await token({}));
    const client = await live.begin({ sessionResumption: {} }, path);
    const { newHandle } = (await client.next()).sessionResumptionUpdate ?? {};
    expect((await (await live.open(path).send(SETUP)).next()).code).toBe(1008);
    await live.begin({ sessionResumption: { handle: newHandle } }, path);
    const unlimited = CONSTRAINED + (await token({ uses: 0 }));
    for (let use = 0; use < 3; use += 1) await live.begin({}, unlimited);
  });

  test('an expired token opens no new session, and later ends those that are open', async () => {
    const path = CONSTRAINED + (await token({}));
    const client = await live.begin({}, path);
    await live.mock.clock.advance('PT61S');
    expect((await (await live.open(path).send(SETUP)).next()).code).toBe(1008);
    await client.send(say('still here'));
    expect(spoken(await client.turn())).toBe('You said: still here');
    const late = CONSTRAINED + (await token({ expireTime: await ahead(300) }));
    const other = await live.begin({}, late);
    await live.mock.clock.advance('PT5M1S');
    await other.send(say('too late'));
    expect((await other.next()).code).toBe(1008);
    expect((await live.open(late).next()).code).toBe(401);
    expect((await live.open(`${CONSTRAINED}auth_tokens/none`).next()).code).toBe(401);
  });

  test('a token opens a session also if only listed credentials are accepted', async () => {
    const strict = await start({ port: 0, credentials: [{ key: 'k1' }] });
    try {
      const issue = (key: string): Promise<Response> =>
        fetch(`${strict.url}/v1alpha/auth_tokens?key=${key}`, { method: 'POST' });
      expect((await issue('k2')).status).toBe(401);
      const { name } = (await (await issue('k1')).json()) as { name: string };
      const client = await new LiveClient(strict.url, CONSTRAINED + name).send(SETUP);
      expect(await client.next()).toEqual({ setupComplete: {} });
      await client.close();
      for (const other of ['auth_tokens/none', 'k1'])
        expect((await new LiveClient(strict.url, CONSTRAINED + other).next()).code).toBe(401);
    } finally {
      await strict.close();
    }
  });

  test.each<[string, object, object, (first: ServerMessage) => boolean]>([
    [
      'no setup: the setup of the connection applies',
      {},
      { sessionResumption: {} },
      (first) => first.sessionResumptionUpdate !== undefined,
    ],
    [
      'a setup and no mask: it applies entirely',
      { bidiGenerateContentSetup: { model: 'models/sonata-2-live' } },
      { sessionResumption: {} },
      (first) => first.serverContent !== undefined,
    ],
    [
      'a mask: the named fields are taken',
      { fieldMask: 'session_resumption', bidiGenerateContentSetup: { model: 'models/none', sessionResumption: {} } },
      {},
      (first) => first.sessionResumptionUpdate !== undefined,
    ],
    [
      'a mask that names what is missing: it is cleared',
      { fieldMask: 'sessionResumption', bidiGenerateContentSetup: { model: 'models/none' } },
      { sessionResumption: {} },
      (first) => first.serverContent !== undefined,
    ],
  ])('refuses a session for a token with %s', async (_case, body, setup, fits) => {
    const client = await live.begin(setup, CONSTRAINED + (await token(body)));
    await client.send(say('hi'));
    expect(fits(await client.next())).toBe(true);
  });
});
