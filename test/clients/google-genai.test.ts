import { randomBytes } from 'node:crypto';

import {
  ApiError,
  BlockedReason,
  FinishReason,
  FunctionCallingConfigMode,
  HarmBlockThreshold,
  HarmCategory,
  Type,
  type GenerateContentResponse,
} from '@google/genai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { collect, createGenai, type GenerationMock, readFailure, startGeneration } from './google-genai.js';

const model = 'sonata-2-flash';
let mock: GenerationMock;

beforeAll(async () => {
  mock = await startGeneration();
});
afterAll(() => mock.close());

/** The calls that broke the spec: of a real client there must be none. */
async function violations(): Promise<unknown> {
  return (await mock.requests({ violations: true })).map(({ path, violations }) => ({ path, violations }));
}

describe('generation', () => {
  it('the library gets a text', async () => {
    const received = await createGenai(mock).models.generateContent({ model, contents: 'Good morning' });
    expect(received.text).toBe('You said: Good morning');
    expect(received.candidates?.[0]?.finishReason).toBe(FinishReason.STOP);
    expect(received.usageMetadata).toMatchObject({ promptTokenCount: 2, candidatesTokenCount: 5, totalTokenCount: 7 });
  });

  it('the mock accepts every setting of a request', async () => {
    const received = await createGenai(mock).models.generateContent({
      model,
      contents: [{ role: 'user', parts: [{ text: 'one two STOP three' }] }],
      config: {
        systemInstruction: 'You are a harbour master.',
        stopSequences: ['STOP'],
        ...{ temperature: 0.2, topP: 0.9, topK: 3, seed: 7, candidateCount: 2, maxOutputTokens: 50 },
        ...{ presencePenalty: 0.1, frequencyPenalty: 0.1, responseLogprobs: true, logprobs: 2 },
        thinkingConfig: { includeThoughts: true, thinkingBudget: 100 },
        safetySettings: [
          {
            category: HarmCategory.HARM_CATEGORY_HARASSMENT,
            threshold: HarmBlockThreshold.BLOCK_ONLY_HIGH,
          },
        ],
      },
    });
    expect(received.candidates?.length).toBe(2);
    expect(received.text).toBe('You said: one two ');
    expect(received.candidates?.[0]?.logprobsResult?.topCandidates?.[0]?.candidates?.length).toBe(2);
    expect(received.usageMetadata?.thoughtsTokenCount).toBeGreaterThan(0);
  });

  it('the library streams a response chunk by chunk', async () => {
    const events = await collect(
      await createGenai(mock).models.generateContentStream({ model, contents: 'one two three four five six seven' }),
    );
    expect(events.length).toBeGreaterThan(1);
    expect(events.map(({ text }) => text).join('')).toBe('You said: one two three four five six seven');
    expect(events.at(-1)?.candidates?.[0]?.finishReason).toBe(FinishReason.STOP);
  });

  it('a chat keeps its history across plain and streamed messages', async () => {
    const chat = createGenai(mock).chats.create({ model });
    expect((await chat.sendMessage({ message: 'first' })).text).toBe('You said: first');
    await collect(await chat.sendMessageStream({ message: 'second' }));
    expect(chat.getHistory().map(({ role }) => role)).toEqual(['user', 'model', 'user', 'model']);
  });

  it('the library counts tokens', async () => {
    const { totalTokens } = await createGenai(mock).models.countTokens({ model, contents: 'one two three' });
    expect(totalTokens).toBe(3);
  });

  it('the library gets JSON that matches a schema, in either dialect', async () => {
    const ai = createGenai(mock);
    const typed = await ai.models.generateContent({
      model,
      contents: 'List two boats',
      config: {
        responseMimeType: 'application/json',
        responseSchema: {
          type: Type.ARRAY,
          minItems: '2',
          maxItems: '2',
          items: { type: Type.OBJECT, properties: { name: { type: Type.STRING } }, required: ['name'] },
        },
      },
    });
    expect(JSON.parse(typed.text ?? '')).toEqual([{ name: expect.any(String) }, { name: expect.any(String) }]);
    const json = await ai.models.generateContent({
      model,
      contents: 'One boat',
      config: {
        responseMimeType: 'application/json',
        responseJsonSchema: {
          $defs: { boat: { type: 'object', properties: { length: { type: 'integer' } }, required: ['length'] } },
          $ref: '#/$defs/boat',
        },
      },
    });
    expect(JSON.parse(json.text ?? '')).toEqual({ length: expect.any(Number) });
  });

  it('the model calls a function and uses its result', async () => {
    const ai = createGenai(mock);
    const config = {
      tools: [
        {
          functionDeclarations: [
            {
              name: 'tide_of',
              description: 'The tide of a harbour',
              parameters: {
                type: Type.OBJECT,
                properties: { harbour: { type: Type.STRING } },
                required: ['harbour'],
              },
            },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.AUTO } },
    };
    const question = { role: 'user', parts: [{ text: 'What is the tide in the harbour?' }] };
    const asked = await ai.models.generateContent({ model, contents: [question], config });
    const [call] = asked.functionCalls ?? [];
    expect(call).toMatchObject({ name: 'tide_of', args: { harbour: expect.any(String) } });
    const turn = asked.candidates?.[0]?.content ?? {};
    const functionResponse = { id: call?.id ?? '', name: 'tide_of', response: { output: 'high' } };
    const received = await ai.models.generateContent({
      model,
      contents: [question, turn, { role: 'user', parts: [{ functionResponse }] }],
      config,
    });
    expect(received.text).toContain('tide_of');
  });

  it('the library gets search results with their sources', async () => {
    const { candidates } = await createGenai(mock).models.generateContent({
      model,
      contents: 'Who built the lighthouse?',
      config: { tools: [{ googleSearch: {} }] },
    });
    expect(candidates?.[0]?.groundingMetadata?.groundingChunks?.[0]?.web?.uri).toMatch(/^https:/);
  });

  it('a response names the reason if a prompt is blocked', async () => {
    const received = await createGenai(mock).models.generateContent({ model, contents: '[block:BLOCKLIST]' });
    expect(received.promptFeedback?.blockReason).toBe(BlockedReason.BLOCKLIST);
    expect(received.candidates ?? []).toEqual([]);
  });
});

describe('files', () => {
  it.each([
    ['small', 5],
    // The library sends pieces of 8 MiB.
    ['in three pieces', 17 * 1024 * 1024],
  ])('the library uploads a file that is %s, and reads, lists, uses and deletes it', async (_name, size) => {
    const ai = createGenai(mock);
    const bytes = randomBytes(size);
    const file = await ai.files.upload({
      file: new Blob([bytes], { type: 'text/plain' }),
      config: { displayName: `${size} bytes` },
    });
    expect(file).toMatchObject({ name: expect.stringMatching(/^files\//), sizeBytes: String(size), state: 'ACTIVE' });
    const { name = '', uri = '', mimeType = '' } = file;
    expect(await ai.files.get({ name })).toMatchObject({ name, displayName: `${size} bytes` });
    expect((await collect(await ai.files.list({ config: { pageSize: 1 } }))).map((one) => one.name)).toContain(name);
    const received = await ai.models.generateContent({
      model,
      contents: [{ role: 'user', parts: [{ text: 'Read' }, { fileData: { fileUri: uri, mimeType } }] }],
    });
    expect(received.text).toContain('text/plain');
    await ai.files.delete({ name });
    expect(await readFailure(ai.files.get({ name }))).toMatchObject({ name: 'ApiError', status: 404 });
  });

  it('a video is PROCESSING until it is ACTIVE', async () => {
    const ai = createGenai(mock);
    const { name = '', state } = await ai.files.upload({ file: new Blob(['film'], { type: 'video/mp4' }) });
    expect(state).toBe('PROCESSING');
    await mock.actions['settle-file']({ name, state: 'ACTIVE' });
    expect((await ai.files.get({ name })).state).toBe('ACTIVE');
  });
});

describe('cached contents and models', () => {
  it('the library creates, reads, extends, lists, uses and deletes cached content', async () => {
    const ai = createGenai(mock);
    const { name = '', expireTime } = await ai.caches.create({
      model,
      config: { contents: 'A long story', systemInstruction: 'Be short', ttl: '100s', displayName: 'Story' },
    });
    expect(name).toMatch(/^cachedContents\//);
    expect(await ai.caches.get({ name })).toMatchObject({ name, expireTime, displayName: 'Story' });
    const changed = await ai.caches.update({ name, config: { ttl: '7200s' } });
    expect(Date.parse(changed.expireTime ?? '')).toBeGreaterThan(Date.parse(expireTime ?? ''));
    expect((await collect(await ai.caches.list())).map((one) => one.name)).toContain(name);
    const { usageMetadata } = await ai.models.generateContent({
      model,
      contents: 'Go on',
      config: { cachedContent: name },
    });
    expect(usageMetadata?.cachedContentTokenCount).toBeGreaterThan(0);
    await ai.caches.delete({ name });
    expect(await readFailure(ai.caches.get({ name }))).toMatchObject({ name: 'ApiError', status: 404 });
  });

  it('the library lists models page by page, and reads one', async () => {
    const ai = createGenai(mock);
    const names = (await collect(await ai.models.list({ config: { pageSize: 2 } }))).map(({ name }) => name);
    expect(names).toContain(`models/${model}`);
    expect(new Set(names).size).toBe(names.length);
    expect(await ai.models.get({ model })).toMatchObject({
      name: `models/${model}`,
      inputTokenLimit: 1_048_576,
      supportedActions: expect.arrayContaining(['generateContent']),
    });
  });
});

describe('failures', () => {
  it.each([
    ['an unknown model', { model: 'nobody', contents: 'Hello' }, 404, 'NOT_FOUND'],
    ['a temperature above 2', { model, contents: 'Hello', config: { temperature: 2.1 } }, 400, 'INVALID_ARGUMENT'],
    ['a failure of the service', { model, contents: '[error:500]' }, 500, 'INTERNAL'],
  ])('the library throws an ApiError for %s', async (_name, request, status, word) => {
    const error = await readFailure(createGenai(mock).models.generateContent(request));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ name: 'ApiError', status });
    expect(JSON.parse((error as ApiError).message)).toMatchObject({ error: { code: status, status: word } });
  });

  it('the library throws if a stream is refused or breaks off', async () => {
    const { models } = createGenai(mock);
    const refused = await readFailure(models.generateContentStream({ model: 'nobody', contents: 'Hello' }));
    expect(refused).toMatchObject({ name: 'ApiError', status: 404 });
    const got: GenerateContentResponse[] = [];
    const events = await models.generateContentStream({ model, contents: 'one two three [error:503]' });
    const broken = await readFailure(
      (async () => {
        for await (const event of events) got.push(event);
      })(),
    );
    expect(got.length).toBe(1);
    expect(broken).toMatchObject({ name: 'ApiError', status: 503 });
  });

  it('the library throws if a fault interrupts a stream', async () => {
    const { models } = createGenai(mock);
    const event = { candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'A' }] } }] };
    const error = { error: { code: 429, message: 'Slow down.', status: 'RESOURCE_EXHAUSTED' } };
    const headers = { 'content-type': 'text/event-stream' };
    await mock.faults.put([{ operationId: 'streamGenerateContent', headers, body: [event, error], times: 1 }]);
    const events = await models.generateContentStream({ model, contents: 'Hello' });
    expect(await readFailure(collect(events))).toMatchObject({ name: 'ApiError', status: 429 });
  });

  it('aborting stops a call and a stream', async () => {
    const slow = await startGeneration({ latency: '200ms' });
    try {
      const { models } = createGenai(slow);
      const config = { abortSignal: AbortSignal.timeout(50) };
      const call = await readFailure(models.generateContent({ model, contents: 'Hello', config }));
      expect(String(call)).toMatch(/abort/i);
      const stop = new AbortController();
      const events = await models.generateContentStream({
        model,
        contents: 'one two three four five six seven eight nine ten eleven twelve',
        config: { abortSignal: stop.signal },
      });
      const stream = readFailure(
        (async () => {
          for await (const _event of events) stop.abort();
        })(),
      );
      expect(String(await stream)).toMatch(/abort/i);
    } finally {
      await slow.close();
    }
  });
});

it('no request of the library breaks the spec, except the refused one', async () => {
  expect(await violations()).toEqual([
    {
      path: '/v1beta/models/sonata-2-flash:generateContent',
      violations: [{ in: 'body', pointer: '/generationConfig/temperature', message: expect.any(String) }],
    },
  ]);
});
