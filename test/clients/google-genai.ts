import { GoogleGenAI, type GoogleGenAIOptions } from '@google/genai';

import { type Mock, type MockOptions, startMock } from '../../entry/mock.js';
import type { ActionsOf } from '../../server/start/mock.js';

/** The names that the real service has instead of the word `vendor`. */
const VENDOR = 'google,header=goog';

export type GenerationMock = Mock<ActionsOf<'generation'>>;

export function startGeneration(options: MockOptions = {}): Promise<GenerationMock> {
  return startMock('generation', { port: 0, vendor: VENDOR, ...options });
}

/** The library as its users make it: a key, and the address of the service instead of the real one. */
export function createGenai({ url }: GenerationMock, { httpOptions, ...more }: GoogleGenAIOptions = {}): GoogleGenAI {
  return new GoogleGenAI({ apiKey: 'key-1', httpOptions: { baseUrl: url, ...httpOptions }, ...more });
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** What went wrong, in the words that the library has for it. */
export function readFailure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => 'no failure',
    (error: unknown) => error,
  );
}
