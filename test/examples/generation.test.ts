import { expect, test } from 'vitest';

import { runExample } from './run-example.js';

test('the example generates text, streams and opens a live session', async () => {
  expect(await runExample('generation/talk-to-a-model.ts')).toEqual([
    'text: You said: Is the harbour open (STOP)',
    'boats: 2, all long enough: true',
    'function: find_berth',
    'stream: 4 pieces: You said: Tell me about the tides of the whole week.',
    'upload: harbour.mp4 is ACTIVE',
    'film: You said: Which boats arrive? You sent: video/mp4.',
    'live: You said: Over?',
    'live again: The token has no use left.',
    'blocked: SAFETY',
    'refused: FAILED_PRECONDITION: Model models/sonata-1-flash is RETIRED and cannot be used.',
  ]);
});
