/**
 * Talks to a model, with the generated client against a mock in this very process: text, structured data, a function
 * call, a stream, a video that is uploaded first, and a live session with a token.
 *
 *     npm run build && npx jiti examples/generation/talk-to-a-model.ts
 */
import { createGenerationClient, isGenerationError, SessionClosedError } from '../../generated/generation/client.js';
import type { GenerateContentResponse } from '../../generated/generation/types.js';
import { startMock } from 'specmill/mock';

const mock = await startMock('generation', { seed: 1 });
const client = createGenerationClient({
  baseUrl: mock.url,
  fetch: mock.fetch,
  credentials: { apiKeyQuery: 'my-key' },
});
const path = { model: 'sonata-2-flash' };

function textOf({ candidates = [] }: GenerateContentResponse): string {
  return (candidates[0]?.content?.parts ?? []).map(({ text = '' }) => text).join('');
}

// The mock responds with the text that the test gave it.
const { data: plain } = await client.generateContent({
  path,
  body: {
    contents: [{ role: 'user', parts: [{ text: 'Is the harbour open?' }] }],
    generationConfig: { stopSequences: ['?'] },
  },
});
console.log(`text: ${textOf(plain)} (${plain.candidates?.[0]?.finishReason})`);

// Structured responses satisfy their schema.
const { data: structured } = await client.generateContent({
  path,
  body: {
    contents: [{ role: 'user', parts: [{ text: 'Two boats, please.' }] }],
    generationConfig: {
      responseMimeType: 'application/json',
      responseSchema: {
        type: 'ARRAY',
        minItems: '2',
        maxItems: '2',
        items: {
          type: 'OBJECT',
          properties: { kind: { type: 'STRING', enum: ['sail', 'motor'] }, length: { type: 'INTEGER', minimum: 4 } },
          required: ['kind', 'length'],
        },
      },
    },
  },
});
const boats = JSON.parse(textOf(structured)) as { kind: string; length: number }[];
console.log(`boats: ${boats.length}, all long enough: ${boats.every(({ length }) => length >= 4)}`);

// Where a text has words in common with a declared function, the function is called.
const { data: called } = await client.generateContent({
  path,
  body: {
    contents: [{ role: 'user', parts: [{ text: 'Is there a free berth?' }] }],
    tools: [{ functionDeclarations: [{ name: 'find_berth', description: 'Finds a free berth.' }] }],
  },
});
console.log(`function: ${called.candidates?.[0]?.content?.parts?.[0]?.functionCall?.name}`);

const pieces: string[] = [];
const question = [{ role: 'user', parts: [{ text: 'Tell me about the tides of the whole week.' }] }];
for await (const event of client.streamGenerateContentEvents({ path, body: { contents: question } })) {
  pieces.push(textOf(event));
}
console.log(`stream: ${pieces.length} pieces: ${pieces.join('')}`);

// A video is processed for five seconds; the clock of the mock need not be waited for.
const file = await client.uploadFile(new Blob(['frames'], { type: 'video/mp4' }), {
  displayName: 'harbour.mp4',
  sleep: async () => void (await mock.clock.advance('PT5S')),
});
console.log(`upload: ${file.displayName} is ${file.state}`);
const film = {
  role: 'user',
  parts: [{ fileData: { mimeType: 'video/mp4', fileUri: file.uri ?? '' } }, { text: 'Which boats arrive?' }],
};
const { data: seen } = await client.generateContent({ path, body: { contents: [film] } });
console.log(`film: ${textOf(seen)}`);

// A live session, opened with a token that works once. Without `webSocket` the client takes the platform's.
const { data: token } = await client.createAuthTokenV1alpha({ body: { uses: 1 } });
const guest = createGenerationClient({
  baseUrl: mock.url,
  fetch: mock.fetch,
  credentials: { accessToken: token.name ?? '' },
});
const open = (): ReturnType<typeof guest.openConstrainedLiveSession> =>
  guest.openConstrainedLiveSession({ model: 'models/sonata-2-live' }, { webSocket: mock.webSocket });
const session = await open();
session.send({ clientContent: { turns: [{ role: 'user', parts: [{ text: 'Over?' }] }], turnComplete: true } });
let spoken = '';
for await (const { serverContent } of session) {
  spoken += (serverContent?.modelTurn?.parts ?? []).map(({ text = '' }) => text).join('');
  if (serverContent?.turnComplete === true) break;
}
session.close();
console.log(`live: ${spoken}`);
const again = await open().catch((error: unknown) => error);
console.log(`live again: ${again instanceof SessionClosedError ? again.reason : 'open'}`);

// What a client has to handle can be asked for.
const unsafe = [{ parts: [{ text: '[block:HARM_CATEGORY_HARASSMENT]' }] }];
const { data: blocked } = await client.generateContent({ path, body: { contents: unsafe } });
console.log(`blocked: ${blocked.promptFeedback?.blockReason}`);
try {
  await client.generateContent({ path: { model: 'sonata-1-flash' }, body: { contents: question } });
} catch (error) {
  if (!isGenerationError(error, 'generateContent') || error.status !== 400) throw error;
  console.log(`refused: ${error.body.error.status}: ${error.body.error.message}`);
}
await mock.close();
