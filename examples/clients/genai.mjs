/** Generates a text and an embedding with the client of Google Gen AI. Usage: node genai.mjs http://localhost:4010 */
import { GoogleGenAI } from '@google/genai';

const ai = new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl: process.argv[2] } });
const { text } = await ai.models.generateContent({ model: 'sonata-2-flash', contents: 'Why is the sea calm?' });
console.log(`text: ${typeof text}`);
const { embeddings } = await ai.models.embedContent({
  model: 'sonata-embedding-1',
  contents: ['calm sea', 'high wind'],
  config: { outputDimensionality: 8 },
});
console.log(`embeddings: ${embeddings.map(({ values }) => values.length).join(', ')}`);
