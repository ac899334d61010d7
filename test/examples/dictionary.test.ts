import { expect, test } from 'vitest';

import { runExample } from './run-example.js';

test('the example looks up words in both directions', async () => {
  expect(await runExample('dictionary/look-up-words.ts')).toEqual([
    'en-de house: das Haus (NOUN), das Heim (NOUN)',
    'en-de fly: die Fliege (NOUN), fliegen (VERB)',
    'en-de snorkfest: not in the dictionary',
    'es-en volar: fly (VERB)',
    expect.stringMatching(/^mosca 0\.\d+: fly$/),
    expect.stringMatching(/^volar 0\.\d+: fly$/),
    expect.stringMatching(/^pilotar 0\.\d+: fly$/),
    'refused: 400023: The pair of languages is not in dictionary scope: exactly one side must be English.',
  ]);
});
