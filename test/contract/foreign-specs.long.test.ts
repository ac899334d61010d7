import { expect, test } from 'vitest';

import { sampleOf } from '../support/sample-of.js';
import { FOREIGN_SPECS, findFaults } from './foreign-specs.js';

test.each(sampleOf(FOREIGN_SPECS, 6))(
  'a contract run finds nothing in the mock of %s',
  { timeout: 180_000 },
  async (spec) => {
    expect(await findFaults(spec, 10)).toEqual([]);
  },
);
