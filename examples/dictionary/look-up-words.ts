/**
 * Looks words up from both sides, with the generated client against a mock in this very process.
 *
 *     npm run build && npx jiti examples/dictionary/look-up-words.ts
 */
import { createDictionaryClient, isDictionaryError } from '../../generated/dictionary/client.js';
import { startMock } from 'specmill/mock';

const mock = await startMock('dictionary');
const client = createDictionaryClient({
  baseUrl: mock.url,
  fetch: mock.fetch,
  credentials: { subscriptionKey: 'my-key' },
});

/** What the terms mean, best first. At most ten terms a call: an eleventh is a refusal. */
async function lookUp(from: string, to: string, ...terms: readonly string[]): Promise<void> {
  const { data: results } = await client.lookupDictionary({
    query: { 'api-version': '3.0', from, to },
    body: terms.map((Text) => ({ Text })),
  });
  for (const { displaySource, translations } of results) {
    const words = translations.map(({ prefixWord, displayTarget, posTag }) =>
      `${prefixWord} ${displayTarget} (${posTag})`.trim(),
    );
    console.log(`${from}-${to} ${displaySource}: ${words.join(', ') || 'not in the dictionary'}`);
  }
}

await lookUp('en', 'de', 'House', 'fly', 'snorkfest');
await lookUp('es', 'en', 'volar');

// Each translation leads back to the word that it came from.
const { data } = await client.lookupDictionary({
  query: { 'api-version': '3.0', from: 'en', to: 'es' },
  body: [{ Text: 'fly' }],
});
for (const { displayTarget, confidence, backTranslations } of data[0]?.translations ?? []) {
  console.log(`${displayTarget} ${confidence}: ${backTranslations.map(({ displayText }) => displayText).join(', ')}`);
}

// The failure is typed: its code has the status in its first three digits.
try {
  await lookUp('de', 'es', 'fliegen');
} catch (error) {
  if (!isDictionaryError(error, 'lookupDictionary') || error.status !== 400) throw error;
  console.log(`refused: ${error.body.error.code}: ${error.body.error.message}`);
}
await mock.close();
