import { describe, expect, test } from 'vitest';

import { sampleOf } from '../support/sample-of.js';
import { untilFirstFinding } from './replay-findings.js';
import { WITHOUT_TEST } from './servers/exceptions.js';
import { findWrongTestsOn } from './servers/find-wrong-tests.js';
import { testServer } from './servers/measure-servers.js';
import { OTHER_STYLES } from './servers/servers.js';

/** How many of the bugs of a server a run finds at least; `npm run bench -- servers` has the figures of each. */
const LEAST_FOUND = 0.6;

describe.each(OTHER_STYLES)('the server $name', (api) => {
  const bugs = Object.keys(api.bugs).filter((bug) => WITHOUT_TEST[api.name]?.[bug] === undefined);
  const sample = sampleOf(bugs, 48);
  let found = 0;

  test.each(sample)(
    'has tests of findings that fail with the bug %s and pass without it',
    { timeout: 120_000 },
    async (bug) => {
      const { findings } = await testServer(api, bug, untilFirstFinding());
      if (findings.length > 0) found += 1;
      expect(await findWrongTestsOn(api, bug, findings)).toEqual([]);
    },
  );

  test('has findings for most of these bugs', () => {
    expect(found).toBeGreaterThanOrEqual(Math.floor(LEAST_FOUND * sample.length));
    expect(found).toBeGreaterThan(0);
  });
});
