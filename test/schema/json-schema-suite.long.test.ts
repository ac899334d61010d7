import { describe, expect, test } from 'vitest';

import { DRAFTS, findSuite, runSuite } from '../support/json-schema-suite.js';

const folder = findSuite();
const reason = 'needs the JSON Schema Test Suite beside the checkout or in SPECMILL_JSON_SCHEMA_SUITE';

describe.skipIf(folder === undefined)(`the JSON Schema Test Suite (${reason})`, () => {
  test.each(Object.keys(DRAFTS))(
    'the validator passes every required test of %s',
    { timeout: 60_000 },
    async (draft) => {
      const results = await runSuite(folder ?? '', draft);
      expect(results.length).toBeGreaterThan(600);
      expect(results.filter(({ outcome }) => outcome !== 'right')).toEqual([]);
    },
  );
});
