import { expect, test } from 'vitest';

import { runExample } from './run-example.js';

test.each<[string, string, readonly unknown[]]>([
  [
    'walks a case from draft to finished',
    'signing/walk-a-case.ts',
    [
      'created: Draft',
      'refused: caseIncomplete: The case cannot be sent without Documents.',
      'document added: Draft',
      'sent: Sent',
      'Ingrid has signed: Sent',
      'Marco has signed on paper: Signed',
      'sealed: Finished',
      'found: Lease of Harbour Street 12',
    ],
  ],
  [
    'generates text, streams and opens a live session',
    'generation/talk-to-a-model.ts',
    [
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
    ],
  ],
  [
    'looks up words in both directions',
    'dictionary/look-up-words.ts',
    [
      'en-de house: das Haus (NOUN), das Heim (NOUN)',
      'en-de fly: die Fliege (NOUN), fliegen (VERB)',
      'en-de snorkfest: not in the dictionary',
      'es-en volar: fly (VERB)',
      expect.stringMatching(/^mosca 0\.\d+: fly$/),
      expect.stringMatching(/^volar 0\.\d+: fly$/),
      expect.stringMatching(/^pilotar 0\.\d+: fly$/),
      'refused: 400023: The pair of languages is not in dictionary scope: exactly one side must be English.',
    ],
  ],
  [
    'checks a configuration and works with rows',
    'engine/check-configuration.ts',
    [
      'draft: /data-source/database-type must be equal to one of the allowed values',
      'draft: /runtime/pagination/default-page-size must be >= 1',
      "draft: /entities/Book must have required property 'permissions'",
      'draft: /entities/Book must NOT have additional properties',
      'put right: a valid configuration',
      'health: Healthy',
      'created: 201 [{"id":7,"title":"Tides of the estuary","year":1999,"price":null,"inPrint":null,"publisherId":null}]',
      'updated: [{"id":7,"title":"Tides of the estuary","year":2001,"price":null,"inPrint":null,"publisherId":null}]',
      'deleted: 404',
    ],
  ],
  [
    'creates, reads and changes tables',
    'tables/keep-tables.ts',
    [
      'tables: books, orders, returns',
      'updated in 2 tries: What customers have ordered, {"team":"sales"}',
      'refused: 412',
      'expired: now false, in two hours true',
    ],
  ],
  [
    'polls an inbox for changes',
    'notifications/follow-threads.ts',
    [
      'at first: nothing',
      'after 0 pauses: Paint it blue (review_requested), Leak below deck (mention); calls so far: 3',
      'after 3 pauses: Leak below deck (mention); calls so far: 6',
      'muted: true',
      'all marked as read: 205',
      'at last: Leak below deck (mention)',
    ],
  ],
  [
    'waits until a rate limit is over',
    'rate-limits/stay-within-limits.ts',
    [
      'a write costs 5 points, an endpoint has 900 in 60 s',
      'at first: 0 of 5000 used, 5000 left',
      'refused: 403, retry-after 60',
      'careless: 180 of 5000 used, 4820 left',
      'waiting 60 s',
      'careful: 181 of 5000 used, 4819 left',
    ],
  ],
])('the example %s', async (_does, program, lines) => {
  expect(await runExample(program)).toEqual(lines);
});
