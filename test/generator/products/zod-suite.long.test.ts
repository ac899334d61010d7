import { describe, expect, it } from 'vitest';

import { DRAFTS, findSuite, runSuite } from '../../support/json-schema-suite.js';
import { sampleOf } from '../../support/sample-of.js';
import { zodSchemas } from '../../support/zod-schemas.js';

const folder = findSuite();
/** The least part of the required tests in which Zod must agree with the validators. */
const FLOOR = 0.97;

describe.skipIf(folder === undefined)('the JSON Schema Test Suite through Zod', () => {
  // CI takes the latest draft.
  it.each(sampleOf(Object.keys(DRAFTS).toReversed(), Object.keys(DRAFTS).length))(
    'schemas of Zod agree with the validators in the required tests of %s',
    async (draft) => {
      const ours = await runSuite(folder ?? '', draft);
      const theirs = await runSuite(folder ?? '', draft, '', async (api) => {
        const { schemas } = await zodSchemas(api);
        const schema = schemas[`z${api.rootSchema}`];
        return (value) => schema?.safeParse(value).success === true;
      });
      const deviations = ours.flatMap(({ file, name, outcome }, index) =>
        theirs[index]?.outcome === outcome ? [] : [`${file}: ${name}`],
      );
      console.log(`${draft}: ${ours.length - deviations.length} of ${ours.length} agree`);
      expect(ours.length).toBeGreaterThan(600);
      expect(1 - deviations.length / ours.length).toBeGreaterThanOrEqual(FLOOR);
      // Each deviation is listed here.
      expect(deviations).toEqual([]);
    },
    60_000,
  );
});
