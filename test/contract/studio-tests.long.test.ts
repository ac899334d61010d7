import { expect, test } from 'vitest';

import { sampleOf } from '../support/sample-of.js';
import { untilFirstFinding } from './replay-findings.js';
import { findWrongTestsOn } from './servers/find-wrong-tests.js';
import { testServer } from './servers/measure-servers.js';
import { studio } from './servers/studio/server.js';

/** Ids that the query chooses are not varied, so nothing is known of them. */
const UNFOUND: ReadonlySet<string> = new Set(['handle-pattern', 'handle-ignored']);
/** Texts that a filter finds by their beginning are not in the map. */
const WITHOUT_PREFIX: ReadonlySet<string> = new Set(['prefix-ignored', 'prefix-anywhere']);
/** The test sends its requests one after the other, or reads the job at once. */
const WITHOUT_TEST: ReadonlySet<string> = new Set(['code-twice-at-once', 'mix-never-done', 'mix-url-null']);

const BUGS = Object.keys(studio.bugs).filter((bug) =>
  [UNFOUND, WITHOUT_PREFIX, WITHOUT_TEST].every((names) => !names.has(bug)),
);

test.each(sampleOf(BUGS, 12))(
  'the pasted test for the bug %s of the studio fails with it and passes without it',
  { timeout: 120_000 },
  async (bug) => {
    const { findings } = await testServer(studio, bug, untilFirstFinding());
    expect(findings).not.toEqual([]);
    expect(await findWrongTestsOn(studio, bug, findings)).toEqual([]);
  },
);
