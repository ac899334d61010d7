import { expect, test } from 'vitest';

import { runExample } from './run-example.js';

test('the example polls an inbox for changes', async () => {
  expect(await runExample('notifications/follow-threads.ts')).toEqual([
    'at first: nothing',
    'after 0 pauses: Paint it blue (review_requested), Leak below deck (mention); calls so far: 3',
    'after 3 pauses: Leak below deck (mention); calls so far: 6',
    'muted: true',
    'all marked as read: 205',
    'at last: Leak below deck (mention)',
  ]);
});
