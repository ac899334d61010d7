import { FunctionCallingMode, GoogleGenerativeAI, SchemaType } from '@google/generative-ai';
import { FileState, GoogleAICacheManager, GoogleAIFileManager } from '@google/generative-ai/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { collect, type GenerationMock, readFailure, startGeneration } from './google-genai.js';

const model = 'sonata-2-flash';
let mock: GenerationMock;

beforeAll(async () => {
  mock = await startGeneration();
});
afterAll(() => mock.close());

describe('the older library', () => {
  const createModel = (): ReturnType<GoogleGenerativeAI['getGenerativeModel']> =>
    new GoogleGenerativeAI('key-1').getGenerativeModel({ model }, { baseUrl: mock.url });

  it('generates text, chats and counts tokens', async () => {
    const generative = createModel();
    const { response } = await generative.generateContent('Good morning');
    expect(response.text()).toBe('You said: Good morning');
    const chat = generative.startChat();
    await chat.sendMessage('one');
    expect((await chat.sendMessage('two')).response.text()).toBe('You said: two');
    expect(await generative.countTokens('one two three')).toMatchObject({ totalTokens: 3 });
  });

  it('streams a response chunk by chunk', async () => {
    const { stream, response } = await createModel().generateContentStream('one two three four five six seven');
    const pieces = (await collect(stream)).map((piece) => piece.text());
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe('You said: one two three four five six seven');
    expect((await response).candidates?.[0]?.finishReason).toBe('STOP');
  });

  it('the older library gets JSON that matches a schema, and one value of an enum', async () => {
    const generative = createModel();
    const contents = [{ role: 'user', parts: [{ text: 'Is it calm?' }] }];
    // In lower case, where the service documents upper case.
    const { OBJECT, STRING } = SchemaType;
    const data = await generative.generateContent({
      contents,
      generationConfig: {
        responseMimeType: 'application/json',
        responseSchema: { type: OBJECT, properties: { name: { type: STRING } }, required: ['name'] },
      },
    });
    expect(JSON.parse(data.response.text())).toEqual({ name: expect.any(String) });
    const one = await generative.generateContent({
      contents,
      generationConfig: {
        responseMimeType: 'text/x.enum',
        responseSchema: { type: STRING, format: 'enum', enum: ['calm', 'rough'] },
      },
    });
    expect(one.response.text()).toBe('calm');
  });

  it('calls functions', async () => {
    const generative = createModel();
    const called = await generative.generateContent({
      contents: [{ role: 'user', parts: [{ text: 'The tide?' }] }],
      tools: [{ functionDeclarations: [{ name: 'tide_of', description: 'The tide' }] }],
      toolConfig: { functionCallingConfig: { mode: FunctionCallingMode.ANY } },
    });
    expect(called.response.functionCalls()?.[0]?.name).toBe('tide_of');
  });

  it('the older library creates, reads, changes and deletes cached content', async () => {
    // Alone among the calls of the library, these do not name the type of what they send.
    const caches = new GoogleAICacheManager('key-1', { baseUrl: mock.url });
    const cache = await caches.create({
      model,
      contents: [{ role: 'user', parts: [{ text: 'A story' }] }],
      ttlSeconds: 60,
    });
    const name = cache.name ?? '';
    const cached = new GoogleGenerativeAI('key-1').getGenerativeModelFromCachedContent(
      cache,
      {},
      {
        baseUrl: mock.url,
      },
    );
    expect((await cached.generateContent('Go on')).response.usageMetadata?.cachedContentTokenCount).toBeGreaterThan(0);
    await caches.update(name, { cachedContent: { ttlSeconds: 120 } });
    expect((await caches.list()).cachedContents?.map((one) => one.name)).toEqual([name]);
    await caches.delete(name);
    expect(await readFailure(caches.get(name))).toMatchObject({ status: 404 });
  });

  it('uploads a file in one multipart request, and uses it', async () => {
    const files = new GoogleAIFileManager('key-1', { baseUrl: mock.url });
    const { file } = await files.uploadFile(Buffer.from('high water at noon'), {
      mimeType: 'text/plain',
      displayName: 'tide.txt',
    });
    expect(file).toMatchObject({ displayName: 'tide.txt', mimeType: 'text/plain', sizeBytes: '18' });
    expect(await files.getFile(file.name)).toMatchObject({ state: FileState.ACTIVE });
    const parts = [{ fileData: { mimeType: 'text/plain', fileUri: file.uri } }, { text: 'When?' }];
    const { response } = await createModel().generateContent({ contents: [{ role: 'user', parts }] });
    expect(response.text()).toContain('When?');
    await files.deleteFile(file.name);
    expect((await files.listFiles()).files ?? []).toEqual([]);
  });

  it('the older library throws an error with the status of the response', async () => {
    const generative = new GoogleGenerativeAI('key-1').getGenerativeModel({ model: 'nobody' }, { baseUrl: mock.url });
    expect(await readFailure(generative.generateContent('Hello'))).toMatchObject({ status: 404 });
  });
});
