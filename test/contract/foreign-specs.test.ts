import { expect, test } from 'vitest';

import { findFaults } from './foreign-specs.js';

// All documents: foreign-specs.long.test.ts.
test.each([
  '3.0/json/petstore-simple.json',
  '3.0/json/response-multiple-mediatypes.json',
  '3.0/json/security-multiple.json',
  '3.1/json/train-travel.json',
])('a contract run finds nothing in the mock of %s', async (spec) => {
  expect(await findFaults(spec, 5)).toEqual([]);
});
