/** Asks a chat model with LangChain. Usage: node langchain.mjs http://localhost:4010 */
import { ChatGoogleGenerativeAI } from '@langchain/google-genai';

const chat = new ChatGoogleGenerativeAI({ model: 'sonata-2-flash', apiKey: 'any', baseUrl: process.argv[2] });
const { content } = await chat.invoke('Why is the sea calm?');
console.log(`text: ${typeof content}`);
