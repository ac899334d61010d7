import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ask, call, generate, start, stream, textOf, type GenerationMock, type Target } from './calls.js';

let mock: GenerationMock;
const transports: Record<string, () => Target> = {
  socket: () => ({ url: mock.url, fetch }),
  fetch: () => ({ url: mock.url, fetch: mock.fetch }),
};

beforeAll(async () => {
  mock = await start({ port: 0, seed: 7 });
});
afterAll(() => mock.close());

describe.each(Object.keys(transports))('generates content through the %s', (transport) => {
  const target = (): Target => transports[transport]?.() ?? { url: '', fetch };

  test('a response echoes the last text of the user, and its token counts add up', async () => {
    const contents = [
      { role: 'user', parts: [{ text: 'first' }] },
      { role: 'model', parts: [{ text: 'yes' }] },
      { role: 'user', parts: [{ text: 'Is the harbour open?' }] },
    ];
    const { status, body } = await generate(target(), { contents });
    expect(status).toBe(200);
    expect(textOf(body)).toBe('You said: Is the harbour open?');
    expect(body.candidates?.[0]).toMatchObject({ index: 0, finishReason: 'STOP', content: { role: 'model' } });
    const { promptTokenCount = 0, candidatesTokenCount = 0, totalTokenCount } = body.usageMetadata ?? {};
    expect(candidatesTokenCount).toBe(body.candidates?.[0]?.tokenCount);
    expect(totalTokenCount).toBe(promptTokenCount + candidatesTokenCount);
    expect(body).toMatchObject({ modelVersion: 'sonata-2-flash-001', modelStatus: { modelStage: 'STABLE' } });
  });

  test('a model is shown with its members in the order of the specification', async () => {
    const { body } = await call<{ readonly models: readonly object[] }>(target(), 'GET', '/v1beta/models');
    const names = Object.keys(body.models[3] ?? {});
    expect(names).toEqual([
      ...['name', 'baseModelId', 'version', 'displayName', 'description', 'inputTokenLimit', 'outputTokenLimit'],
      ...['supportedGenerationMethods', 'supportedResponseModalities', 'thinking', 'temperature', 'maxTemperature'],
      ...['topP', 'topK', 'modelStatus'],
    ]);
  });

  test('the parts of a stream join to the text of the plain response, with the same totals', async () => {
    const request = ask('one two three four five six seven eight nine ten', {
      generationConfig: { candidateCount: 2 },
    });
    const whole = (await generate(target(), request)).body;
    const events = await stream(target(), request);
    expect(events.length).toBeGreaterThan(2);
    for (const index of [0, 1]) {
      const pieces = events.flatMap(({ candidates = [] }) => candidates.filter((one) => one.index === index));
      expect(pieces.map((one) => textOf({ candidates: [one] })).join('')).toBe(textOf(whole, index));
      expect(
        pieces
          .map(({ finishReason }) => finishReason)
          .slice(0, -1)
          .every((reason) => reason === undefined),
      ).toBe(true);
      expect(pieces.at(-1)?.finishReason).toBe('STOP');
    }
    expect(new Set(events.map(({ responseId }) => responseId)).size).toBe(1);
    expect(events.at(-1)?.usageMetadata).toEqual(whole.usageMetadata);
  });

  test('a stream without alt=sse is one JSON array', async () => {
    const { headers, body } = await call<object[]>(
      target(),
      'POST',
      '/v1beta/models/sonata-2-flash:streamGenerateContent?key=k',
      ask('hello there, old harbour master'),
    );
    expect(headers.get('content-type')).toContain('application/json');
    expect(body.length).toBeGreaterThan(1);
  });
});

test('all candidates are returned, each with its own text', async () => {
  const { body } = await generate(mock, ask('hi', { generationConfig: { candidateCount: 3 } }));
  expect(body.candidates?.map(({ index }) => index)).toEqual([0, 1, 2]);
  expect(new Set([0, 1, 2].map((index) => textOf(body, index))).size).toBe(3);
});

test.each([
  [{ stopSequences: ['harbour'] }, 'You said: the ', 'STOP'],
  [{ stopSequences: ['open', 'is'] }, 'You said: the harbour ', 'STOP'],
  [{ stopSequences: ['not there'] }, 'You said: the harbour is open', 'STOP'],
  [{ maxOutputTokens: 4 }, 'You said: the', 'MAX_TOKENS'],
  [{ maxOutputTokens: 2, stopSequences: ['open'] }, 'You said', 'MAX_TOKENS'],
  [{ maxOutputTokens: 7 }, 'You said: the harbour is open', 'STOP'],
])('generation ends as %j requires', async (generationConfig, text, finishReason) => {
  const { body } = await generate(mock, ask('the harbour is open', { generationConfig }));
  expect(textOf(body)).toBe(text);
  expect(body.candidates?.[0]?.finishReason).toBe(finishReason);
});

test('a large negative frequency penalty repeats until the limit', async () => {
  const { body } = await generate(
    mock,
    ask('tide', { generationConfig: { frequencyPenalty: -2, maxOutputTokens: 50 } }),
  );
  expect(body.candidates?.[0]).toMatchObject({ finishReason: 'MAX_TOKENS', tokenCount: 50 });
});

test('log probabilities are listed for each token, the chosen one first', async () => {
  const { body } = await generate(mock, ask('hi', { generationConfig: { responseLogprobs: true, logprobs: 3 } }));
  const [{ logprobsResult = {}, avgLogprobs = 0, tokenCount = 0 } = {}] = body.candidates ?? [];
  const { chosenCandidates = [], topCandidates = [], logProbabilitySum = 0 } = logprobsResult;
  expect(chosenCandidates.map(({ token }) => token).join('')).toBe('You said: hi');
  expect(chosenCandidates).toHaveLength(tokenCount);
  expect(
    topCandidates.every(
      ({ candidates = [] }, step) => candidates.length === 3 && candidates[0]?.token === chosenCandidates[step]?.token,
    ),
  ).toBe(true);
  expect(logProbabilitySum / tokenCount).toBeCloseTo(avgLogprobs, 4);
});

test('thoughts are shown on request, and counted', async () => {
  const { body } = await generate(mock, ask('hi', { generationConfig: { thinkingConfig: { includeThoughts: true } } }));
  expect(body.candidates?.[0]?.content?.parts?.[0]?.thought).toBe(true);
  const {
    promptTokenCount = 0,
    thoughtsTokenCount = 0,
    candidatesTokenCount = 0,
    totalTokenCount,
  } = body.usageMetadata ?? {};
  expect(thoughtsTokenCount).toBeGreaterThan(0);
  expect(totalTokenCount).toBe(promptTokenCount + thoughtsTokenCount + candidatesTokenCount);
});

test('speech and images come as inline media', async () => {
  const spoken = (await generate(mock, ask('hi', { generationConfig: { responseModalities: ['AUDIO'] } }))).body;
  expect(spoken.candidates?.[0]?.content?.parts?.[0]?.inlineData?.mimeType).toMatch(/^audio\//);
  const drawn = (
    await generate(mock, ask('hi', { generationConfig: { responseModalities: ['IMAGE', 'TEXT'] } }), 'sonata-2-image')
  ).body;
  expect(drawn.candidates?.[0]?.content?.parts?.map((part) => Object.keys(part)[0])).toEqual(['text', 'inlineData']);
});

test('members in snake_case are read like those in camelCase', async () => {
  const { body } = await generate(mock, {
    contents: [{ parts: [{ text: 'hi' }, { inline_data: { mime_type: 'image/png', data: 'AAAA' } }] }],
    generation_config: { max_output_tokens: 2 },
  });
  expect(body.candidates?.[0]).toMatchObject({ finishReason: 'MAX_TOKENS', tokenCount: 2 });
  const twice = await generate(mock, ask('hi', { generationConfig: {}, ['generation_config' as never]: {} }));
  expect(twice.status).toBe(400);
});

test.each([
  ['sonata-2-flash', { responseModalities: ['IMAGE'] }, '/generationConfig/responseModalities'],
  ['sonata-2-flash', { responseModalities: ['TEXT', 'AUDIO'] }, '/generationConfig/responseModalities'],
  ['sonata-2-flash', { imageConfig: { aspectRatio: '16:9' } }, '/generationConfig/imageConfig'],
  ['sonata-1-pro', { thinkingConfig: {} }, '/generationConfig/thinkingConfig'],
  ['sonata-2-image', { topK: 3 }, '/generationConfig/topK'],
  ['sonata-2-flash', { stopSequences: ['1', '2', '3', '4', '5', '6'] }, '/generationConfig/stopSequences'],
  ['sonata-2-flash', { temperature: 2.1 }, '/generationConfig/temperature'],
  ['sonata-2-flash', { logprobs: 2 }, '/generationConfig'],
  ['sonata-2-flash', { responseLogprobs: true, logprobs: 21 }, '/generationConfig/logprobs'],
  ['sonata-2-flash', { responseSchema: { type: 'STRING' } }, '/generationConfig'],
  [
    'sonata-2-flash',
    { responseMimeType: 'application/json', responseSchema: { type: 'STRING' }, responseJsonSchema: {} },
    '/generationConfig',
  ],
])('the model %s refuses the configuration %j', async (model, generationConfig, pointer) => {
  const { status, body } = await generate(mock, { ...ask('hi'), generationConfig }, model);
  expect([status, body.error?.status]).toEqual([400, 'INVALID_ARGUMENT']);
  expect(body.error?.violations?.[0]?.pointer.startsWith(pointer)).toBe(true);
});

test.each([
  ['sonata-1-flash', 400, 'FAILED_PRECONDITION'],
  ['sonata-1-vision', 400, 'FAILED_PRECONDITION'],
  ['sonata-1-pro', 200, undefined],
  ['sonata-2-pro', 200, undefined],
  ['sonata-2-live', 400, 'INVALID_ARGUMENT'],
  ['sonata-9', 404, 'NOT_FOUND'],
  ['no-such-model', 404, 'NOT_FOUND'],
  ['unknown', 404, 'NOT_FOUND'],
  ['nonexistent-model-1', 404, 'NOT_FOUND'],
  ['tenor-3-flash', 200, undefined],
  ['notary', 200, undefined],
  ['My_Model', 200, undefined],
  ['sonata-2-flash-001', 200, undefined],
  ['sonata-2-flash-latest', 200, undefined],
  ['sonata-1-flash-001', 400, 'FAILED_PRECONDITION'],
  ['models%2Fsonata-2-flash', 200, undefined],
])('a request to %s gets %i', async (model, status, code) => {
  const response = await generate(mock, ask('hi'), model);
  expect([response.status, response.body.error?.status]).toEqual([status, code]);
});

test('a model outside of the catalogue is described with the limits that the mock applies', async () => {
  const { status, body } = await call(mock, 'GET', '/v1beta/models/tenor');
  expect([status, body]).toEqual([200, expect.objectContaining({ name: 'models/tenor', thinking: true })]);
  expect((await call(mock, 'GET', '/v1beta/models/no-such-model')).status).toBe(404);
});

describe('safety', () => {
  test.each([
    ['[block:HARM_CATEGORY_HARASSMENT] hi', [], 'SAFETY'],
    ['[block:HARM_CATEGORY_HARASSMENT:LOW] hi', [], undefined],
    [
      '[block:HARM_CATEGORY_HARASSMENT:LOW] hi',
      [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_LOW_AND_ABOVE' }],
      'SAFETY',
    ],
    [
      '[block:HARM_CATEGORY_HARASSMENT] hi',
      [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
      undefined,
    ],
    ['[block:HARM_CATEGORY_HARASSMENT] hi', [{ category: 'HARM_CATEGORY_JAILBREAK', threshold: 'OFF' }], 'SAFETY'],
    ['[block:BLOCKLIST]', [], 'BLOCKLIST'],
  ])('the safety category %s has the settings %j', async (text, safetySettings, blockReason) => {
    const { status, body } = await generate(mock, { ...ask(text), safetySettings });
    expect(status).toBe(200);
    expect(body.promptFeedback?.blockReason).toBe(blockReason);
    expect(body.candidates === undefined).toBe(blockReason !== undefined);
    const events = await stream(mock, { ...ask(text), safetySettings });
    expect(events.at(-1)?.promptFeedback?.blockReason).toBe(blockReason);
    if (blockReason !== undefined) expect(events).toHaveLength(1);
  });

  test('a candidate that fails a threshold stops', async () => {
    const { body } = await generate(mock, ask('[harm:HARM_CATEGORY_HATE_SPEECH:MEDIUM]'));
    expect(body.candidates?.[0]).toMatchObject({
      finishReason: 'SAFETY',
      safetyRatings: [{ category: 'HARM_CATEGORY_HATE_SPEECH', probability: 'MEDIUM', blocked: true }],
    });
    expect((await generate(mock, ask('[finish:RECITATION]'))).body.candidates?.[0]?.finishReason).toBe('RECITATION');
  });

  test('two settings for one category are refused', async () => {
    const setting = { category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' };
    expect((await generate(mock, { ...ask('hi'), safetySettings: [setting, setting] })).status).toBe(400);
  });
});

test('an error in the middle of a stream is its last event', async () => {
  const events = await stream(mock, ask('one two three four five six seven eight [error:503]'));
  expect(events).toHaveLength(2);
  expect(events[1]?.error).toMatchObject({ code: 503, status: 'UNAVAILABLE' });
  expect((await generate(mock, ask('[error:503]'))).status).toBe(503);
});

describe.each(Object.keys(transports))('a fault in the middle of a stream ends it, through the %s', (transport) => {
  const target = (): Target => transports[transport]?.() ?? { url: '', fetch };
  const first = { candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'A' }] } }] };
  const plan = (body: readonly object[], more: object = {}): Promise<void> =>
    mock.faults.put([
      {
        operationId: 'streamGenerateContent',
        headers: { 'content-type': 'text/event-stream' },
        body,
        times: 1,
        ...more,
      },
    ]);

  test('an error in the middle of a stream comes after the first event', async () => {
    await plan([first, { error: { code: 429, message: 'Slow down.', status: 'RESOURCE_EXHAUSTED' } }]);
    const events = await stream(target(), ask('hi'));
    expect(events.map(({ error }) => error?.code)).toEqual([undefined, 429]);
  });

  test('a broken connection in the middle of a stream comes after the first event', async () => {
    await plan([first], { abort: true });
    await expect(stream(target(), ask('hi'))).rejects.toThrow(/terminated|breaks off/);
    expect((await stream(target(), ask('hi'))).length).toBeGreaterThan(0);
    expect((await mock.requests({ violations: true })).filter(({ status }) => status === 200)).toEqual([]);
  });
});

test('a stream is paced by the latency, and ends when the client disconnects', async () => {
  const slow = await start({ port: 0, latency: 60 });
  try {
    const begin = performance.now();
    const events = await stream(
      { url: slow.url, fetch },
      ask('one two three four five six seven eight nine ten eleven twelve'),
    );
    expect(performance.now() - begin).toBeGreaterThan(60 * (events.length - 1));
    const gone = new AbortController();
    const text = stream({ url: slow.url, fetch }, ask('word '.repeat(200)), gone.signal);
    setTimeout(() => gone.abort(), 200);
    await expect(text).rejects.toThrow(/abort/i);
    await expect.poll(async () => (await slow.requests()).length).toBe(2);
  } finally {
    await slow.close();
  }
});

test('the same seed and the same requests give the same responses', async () => {
  const responses = await Promise.all(
    [1, 1, 2].map(async (seed) => {
      const other = await start({ seed });
      const generationConfig = {
        responseMimeType: 'application/json' as const,
        responseJsonSchema: { type: 'array', items: { type: 'integer' }, minItems: 5 },
      };
      return JSON.stringify((await generate(other, ask('numbers', { generationConfig }))).body);
    }),
  );
  expect(responses[0]).toBe(responses[1]);
  expect(responses[0]).not.toBe(responses[2]);
});
