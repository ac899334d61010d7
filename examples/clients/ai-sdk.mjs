/** Generates and streams a text, and makes embeddings, with the AI SDK. Usage: node ai-sdk.mjs http://localhost:4010 */
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { embedMany, generateText, streamText } from 'ai';

const google = createGoogleGenerativeAI({ apiKey: 'any', baseURL: `${process.argv[2]}/v1beta` });
const model = google('sonata-2-flash');
const { text, finishReason } = await generateText({ model, prompt: 'Why is the sea calm?' });
console.log(`text: ${typeof text}, ${finishReason}`);
let parts = 0;
for await (const part of streamText({ model, prompt: 'Why is the wind high?' }).textStream)
  parts += part === '' ? 0 : 1;
console.log(`stream: ${parts > 0}`);
const values = ['calm sea', 'high wind'];
const { embeddings } = await embedMany({ model: google.textEmbeddingModel('sonata-embedding-1'), values });
console.log(`embeddings: ${embeddings.length}`);
