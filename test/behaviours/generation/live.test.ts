import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { call, start } from './calls.js';
import { LiveClient, LiveMock, SETUP, say, spoken } from './live-client.js';

let live: LiveMock;
beforeEach(async () => {
  live = await LiveMock.start();
});
afterEach(() => live[Symbol.asyncDispose]());

describe('a session', () => {
  test('a session responds to turns and counts their tokens', async () => {
    const client = await live.begin();
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

  test('a session keeps messages that arrive before setupComplete', async () => {
    const client = await live.open().send(SETUP, say('early'));
    expect(await client.next()).toEqual({ setupComplete: {} });
    expect(spoken(await client.turn())).toBe('You said: early');
  });

  test.each<[string, readonly (object | string)[], number]>([
    ['no setup first', [say('x')], 1007],
    ['a second setup', [SETUP, SETUP], 1007],
    ['no JSON', ['{'], 1007],
    ['a message that is nested too deeply', ['['.repeat(5_000)], 1007],
    ['half a character', ['{"setup":{"model":"\\ud800"}}'], 1007],
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
  ])('a session is closed after %s', async (_case, messages, code) => {
    const client = await live.open().send(...messages);
    const seen = await client.until(() => false);
    expect(seen.at(-1)?.code).toBe(code);
  });

  test('a session requires a credential and a WebSocket', async () => {
    expect(
      (await live.open('/ws/vendor.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent').next()).code,
    ).toBe(401);
    const plain = await call(
      live.mock,
      'GET',
      '/ws/vendor.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent?key=k',
    );
    expect(plain.status).toBe(426);
  });

  test('a session calls functions, waits for their results, and cancels calls', async () => {
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
    const client = await live.begin({ tools });
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

  test('a session accepts input in real time', async () => {
    const client = await live.begin({
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
    expect(contents.some(({ outputTranscription }) => outputTranscription?.text?.startsWith('You sent'))).toBe(true);
    const manual = await live.begin({ realtimeInputConfig: { automaticActivityDetection: { disabled: true } } });
    await manual.send(
      { realtimeInput: { activityStart: {} } },
      { realtimeInput: { text: 'over' } },
      { realtimeInput: { activityEnd: {} } },
    );
    expect(spoken(await manual.turn())).toBe('You said: over');
  });

  test('a session does not respond to the history that it starts with', async () => {
    const client = await live.begin({ historyConfig: { initialHistoryInClientContent: true } });
    await client.send(say('history'), say('question'));
    expect(spoken(await client.turn())).toBe('You said: question');
  });

  test('a handle resumes a session', async () => {
    const client = await live.begin({ sessionResumption: { transparent: true } });
    expect((await client.next()).sessionResumptionUpdate).toMatchObject({
      resumable: true,
      lastConsumedClientMessageIndex: '0',
    });
    await client.send(say('remember the tide'));
    const before = (await client.turn()).at(-1)?.usageMetadata?.promptTokenCount ?? 0;
    const { newHandle = '' } = (await client.next()).sessionResumptionUpdate ?? {};
    await client.close();
    const resumed = await live.begin({ sessionResumption: { handle: newHandle } });
    await resumed.next();
    await resumed.send(say('go on'));
    expect((await resumed.turn()).at(-1)?.usageMetadata?.promptTokenCount).toBeGreaterThan(before);
  });

  test('a session shrinks its context', async () => {
    const client = await live.begin({
      contextWindowCompression: { triggerTokens: '40', slidingWindow: { targetTokens: 20 } },
    });
    const counts: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      await client.send(say('one two three four five six'));
      counts.push((await client.turn()).at(-1)?.usageMetadata?.promptTokenCount ?? 0);
    }
    expect(Math.max(...counts)).toBeLessThanOrEqual(40);
  });

  test('a session is warned before the connection ends', async () => {
    const client = await live.begin();
    await live.mock.clock.advance('PT9M');
    expect(await client.next()).toEqual({ goAway: { timeLeft: '60s' } });
    await live.mock.clock.advance('PT1M');
    expect((await client.next()).code).toBe(1001);
  });

  test('input interrupts a session', async () => {
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
