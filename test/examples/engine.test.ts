import { expect, test } from 'vitest';

import { runExample } from './run-example.js';

test('the example checks a configuration and works with rows', async () => {
  expect(await runExample('engine/check-configuration.ts')).toEqual([
    'draft: /data-source/database-type must be equal to one of the allowed values',
    'draft: /runtime/pagination/default-page-size must be >= 1',
    "draft: /entities/Book must have required property 'permissions'",
    'draft: /entities/Book must NOT have additional properties',
    'put right: a valid configuration',
    'health: Healthy',
    'created: 201 [{"id":7,"title":"Tides of the estuary","year":1999,"price":null,"inPrint":null,"publisherId":null}]',
    'updated: [{"id":7,"title":"Tides of the estuary","year":2001,"price":null,"inPrint":null,"publisherId":null}]',
    'deleted: 404',
  ]);
});
