/** Asks a chat model and makes embeddings with LangChain. Usage: node langchain.mjs http://localhost:4010 */
import { ChatGoogleGenerativeAI, GoogleGenerativeAIEmbeddings } from '@langchain/google-genai';

const chat = new ChatGoogleGenerativeAI({ model: 'sonata-2-flash', apiKey: 'any', baseUrl: process.argv[2] });
const { content } = await chat.invoke('Why is the sea calm?');
console.log(`text: ${typeof content}`);
const embeddings = new GoogleGenerativeAIEmbeddings({
  model: 'sonata-embedding-1',
  apiKey: 'any',
  baseUrl: process.argv[2],
});
console.log(`embeddings: ${(await embeddings.embedDocuments(['calm sea', 'high wind'])).length}`);
