import { expect, test } from 'vitest';

import { FOREIGN_SPECS, findFaults } from './foreign-specs.js';

test.each(FOREIGN_SPECS)('a contract run finds nothing in the mock of %s', { timeout: 180_000 }, async (spec) => {
  expect(await findFaults(spec, 10)).toEqual([]);
});
