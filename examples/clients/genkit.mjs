/** Generates a text and an embedding with Genkit. Usage: node genkit.mjs http://localhost:4010 */
import { googleAI } from '@genkit-ai/google-genai';
import { genkit } from 'genkit';

const ai = genkit({ plugins: [googleAI({ apiKey: 'any', baseUrl: process.argv[2] })] });
const { text } = await ai.generate({ model: googleAI.model('sonata-2-flash'), prompt: 'Why is the sea calm?' });
console.log(`text: ${typeof text}`);
const [{ embedding }] = await ai.embed({ embedder: googleAI.embedder('sonata-embedding-1'), content: 'calm sea' });
console.log(`embedding: ${embedding.length > 0}`);
