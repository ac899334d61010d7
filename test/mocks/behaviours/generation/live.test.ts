import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { ServerMessage } from '../../../../mocks/behaviours/generation/live/live-messages.js';
import { call, start, type GenerationMock } from './calls.js';
import { CONSTRAINED, LiveClient, SETUP, say, spoken } from './live-client.js';

let mock: GenerationMock;
let clients: LiveClient[] = [];
beforeEach(async () => {
  mock = await start();
});
afterEach(async () => {
  for (const client of clients) await client.close();
  clients = [];
  await mock.close();
});

function open(path?: string): LiveClient {
  const client = new LiveClient(mock.url, path);
  clients.push(client);
  return client;
}

async function begin(setup: object = {}, path?: string): Promise<LiveClient> {
  const client = await open(path).send({ setup: { ...SETUP.setup, ...setup } });
  expect(await client.next()).toEqual({ setupComplete: {} });
  return client;
}

async function token(body: object): Promise<string> {
  const { status, body: made } = await call<{ name: string }>(mock, 'POST', '/v1alpha/auth_tokens', body);
  expect(status).toBe(200);
  return made.name;
}

const ahead = async (seconds: number): Promise<string> =>
  new Date(Date.parse((await mock.clock.get()).now) + seconds * 1_000).toISOString();

describe('a session', () => {
  test('answers turns, and counts their tokens', async () => {
    const client = await begin();
    await client.send(say('is anybody there?'));
    const turn = await client.turn();
    expect(spoken(turn)).toBe('You said: is anybody there?');
    expect(turn.at(-2)).toEqual({ serverContent: { generationComplete: true } });
    const { usageMetadata } = turn.at(-1) ?? {};
    expect(usageMetadata?.totalTokenCount).toBe(
      (usageMetadata?.promptTokenCount ?? 0) + (usageMetadata?.responseTokenCount ?? 0),
    );
    await client.send({
      client_content: { turns: [{ role: 'user', parts: [{ text: 'in snake_case' }] }], turn_complete: true },
    });
    expect(spoken(await client.turn())).toBe('You said: in snake_case');
  });

  test('keeps what arrives before setupComplete', async () => {
    const client = await open().send(SETUP, say('early'));
    expect(await client.next()).toEqual({ setupComplete: {} });
    expect(spoken(await client.turn())).toBe('You said: early');
  });

  test.each<[string, readonly (object | string)[], number]>([
    ['no setup first', [say('x')], 1007],
    ['a second setup', [SETUP, SETUP], 1007],
    ['no JSON', ['{'], 1007],
    ['two members', [{ ...SETUP, ...say('x') }], 1007],
    ['a setup without a model', [{ setup: {} }], 1007],
    [
      'a setting that is unsupported',
      [{ setup: { ...SETUP.setup, generationConfig: { responseMimeType: 'text/plain' } } }],
      1007,
    ],
    ['stop_sequences', [{ setup: { ...SETUP.setup, generation_config: { stop_sequences: ['x'] } } }], 1007],
    [
      'modalities that match nothing',
      [{ setup: { ...SETUP.setup, generationConfig: { responseModalities: ['IMAGE'] } } }],
      1007,
    ],
    ['activity with automatic detection', [SETUP, { realtimeInput: { activityStart: {} } }], 1007],
    [
      'a response to no call',
      [SETUP, { toolResponse: { functionResponses: [{ id: 'x', name: 'f', response: {} }] } }],
      1007,
    ],
    ['an unknown model', [{ setup: { model: 'models/none' } }], 1008],
    ['a model for other things', [{ setup: { model: 'models/sonata-2-pro' } }], 1008],
    ['a retired model', [{ setup: { model: 'models/sonata-1-flash' } }], 1008],
    ['an unknown handle', [{ setup: { ...SETUP.setup, sessionResumption: { handle: 'none' } } }], 1008],
  ])('is closed after %s', async (_case, messages, code) => {
    const client = await open().send(...messages);
    const seen = await client.until(() => false);
    expect(seen.at(-1)?.code).toBe(code);
  });

  test('needs a credential, and a WebSocket', async () => {
    expect(
      (await open('/ws/vendor.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent').next()).code,
    ).toBe(401);
    const plain = await call(
      mock,
      'GET',
      '/ws/vendor.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent?key=k',
    );
    expect(plain.status).toBe(426);
  });

  test('calls functions, waits for their results, and takes calls back', async () => {
    const tools = [
      {
        functionDeclarations: [
          {
            name: 'find_berth',
            description: 'Finds a berth',
            parameters: { type: 'OBJECT', properties: { n: { type: 'INTEGER' } }, required: ['n'] },
          },
        ],
      },
    ];
    const client = await begin({ tools });
    await client.send(say('a berth please'));
    const { toolCall } = await client.next();
    const [{ id = '', args = {} } = {}] = toolCall?.functionCalls ?? [];
    expect(Number.isInteger(args['n'])).toBe(true);
    await client.send({ toolResponse: { functionResponses: [{ id, name: 'find_berth', response: { berth: 'B7' } }] } });
    expect(spoken(await client.turn())).toBe('find_berth answered {"berth":"B7"}.');
    await client.send(say('a berth again'));
    await client.next();
    await client.send(say('never mind'));
    expect((await client.next()).toolCallCancellation?.ids).toHaveLength(1);
    expect(spoken(await client.turn())).toBe('You said: never mind');
  });

  test('hears input in real time', async () => {
    const client = await begin({
      generationConfig: { responseModalities: ['AUDIO'] },
      inputAudioTranscription: {},
      outputAudioTranscription: {},
    });
    const audio = { mimeType: 'audio/pcm;rate=16000', data: 'AAABAAIAAwAEAAUA' };
    await client.send(
      { realtimeInput: { audio } },
      { realtimeInput: { audio } },
      { realtimeInput: { audioStreamEnd: true } },
    );
    const turn = await client.turn();
    const contents = turn.map(({ serverContent }) => serverContent ?? {});
    expect(contents[0]?.inputTranscription?.text).toContain('24 bytes');
    expect(contents.some(({ modelTurn }) => modelTurn?.parts?.[0]?.inlineData !== undefined)).toBe(true);
    expect(contents.some(({ outputTranscription }) => outputTranscription?.text.startsWith('You sent'))).toBe(true);
    const manual = await begin({ realtimeInputConfig: { automaticActivityDetection: { disabled: true } } });
    await manual.send(
      { realtimeInput: { activityStart: {} } },
      { realtimeInput: { text: 'over' } },
      { realtimeInput: { activityEnd: {} } },
    );
    expect(spoken(await manual.turn())).toBe('You said: over');
  });

  test('starts with a history that is not answered', async () => {
    const client = await begin({ historyConfig: { initialHistoryInClientContent: true } });
    await client.send(say('history'), say('question'));
    expect(spoken(await client.turn())).toBe('You said: question');
  });

  test('is resumed by its handle', async () => {
    const client = await begin({ sessionResumption: { transparent: true } });
    expect((await client.next()).sessionResumptionUpdate).toMatchObject({
      resumable: true,
      lastConsumedClientMessageIndex: '0',
    });
    await client.send(say('remember the tide'));
    const before = (await client.turn()).at(-1)?.usageMetadata?.promptTokenCount ?? 0;
    const { newHandle = '' } = (await client.next()).sessionResumptionUpdate ?? {};
    await client.close();
    const resumed = await begin({ sessionResumption: { handle: newHandle } });
    await resumed.next();
    await resumed.send(say('go on'));
    expect((await resumed.turn()).at(-1)?.usageMetadata?.promptTokenCount).toBeGreaterThan(before);
  });

  test('shrinks its context', async () => {
    const client = await begin({
      contextWindowCompression: { triggerTokens: '40', slidingWindow: { targetTokens: 20 } },
    });
    const counts: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      await client.send(say('one two three four five six'));
      counts.push((await client.turn()).at(-1)?.usageMetadata?.promptTokenCount ?? 0);
    }
    expect(Math.max(...counts)).toBeLessThanOrEqual(40);
  });

  test('is warned before the connection comes to its end', async () => {
    const client = await begin();
    await mock.clock.advance('PT9M');
    expect(await client.next()).toEqual({ goAway: { timeLeft: '60s' } });
    await mock.clock.advance('PT1M');
    expect((await client.next()).code).toBe(1001);
  });

  test('is interrupted by input', async () => {
    const slow = await start({ port: 0, latency: 40 });
    try {
      const client = new LiveClient(slow.url);
      await client.send(SETUP, say('a long story '.repeat(30)));
      await client.next();
      await client.next();
      await client.send(say('stop'));
      await client.until(({ serverContent }) => serverContent?.interrupted === true);
      await client.turn();
      expect(spoken(await client.turn())).toBe('You said: stop');
      await client.close();
    } finally {
      await slow.close();
    }
  });
});

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
  ])('made with %s', async (_case, body, status) => {
    const answer = await call<{ name?: string }>(mock, 'POST', '/v1beta/auth_tokens', await body());
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.body.name).toMatch(/^auth_tokens\/.{20}/);
  });

  test('open as many sessions as they have uses', async () => {
    const path = CONSTRAINED + (await token({}));
    const client = await begin({ sessionResumption: {} }, path);
    const { newHandle } = (await client.next()).sessionResumptionUpdate ?? {};
    expect((await (await open(path).send(SETUP)).next()).code).toBe(1008);
    await begin({ sessionResumption: { handle: newHandle } }, path);
    const unlimited = CONSTRAINED + (await token({ uses: 0 }));
    for (let use = 0; use < 3; use += 1) await begin({}, unlimited);
  });

  test('open no new session, and then take no message, after their times', async () => {
    const path = CONSTRAINED + (await token({}));
    const client = await begin({}, path);
    await mock.clock.advance('PT61S');
    expect((await (await open(path).send(SETUP)).next()).code).toBe(1008);
    await client.send(say('still here'));
    expect(spoken(await client.turn())).toBe('You said: still here');
    const late = CONSTRAINED + (await token({ expireTime: await ahead(300) }));
    const other = await begin({}, late);
    await mock.clock.advance('PT5M1S');
    await other.send(say('too late'));
    expect((await other.next()).code).toBe(1008);
    expect((await open(late).next()).code).toBe(401);
    expect((await open(`${CONSTRAINED}auth_tokens/none`).next()).code).toBe(401);
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
  ])('with %s', async (_case, body, setup, fits) => {
    const client = await begin(setup, CONSTRAINED + (await token(body)));
    await client.send(say('hi'));
    expect(fits(await client.next())).toBe(true);
  });
});
