import { expect, test } from 'vitest';

import { runExample } from './run-example.js';

test('the example walks a case from draft to finished', async () => {
  expect(await runExample('signing/walk-a-case.ts')).toEqual([
    'created: Draft',
    'refused: caseIncomplete: The case cannot be sent without Documents.',
    'document added: Draft',
    'sent: Sent',
    'Ingrid has signed: Sent',
    'Marco has signed on paper: Signed',
    'sealed: Finished',
    'found: Lease of Harbour Street 12',
  ]);
});
