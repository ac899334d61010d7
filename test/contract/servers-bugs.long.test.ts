import { describe, expect, test } from 'vitest';

import { sampleOf } from '../support/sample-of.js';
import { testServer } from './servers/measure-servers.js';
import { untilFirstFinding } from './replay-findings.js';
import { UNFOUND_BUGS, WITHOUT_TEST } from './servers/exceptions.js';
import { findWrongTestsOn } from './servers/find-wrong-tests.js';
import { FOREIGN_APIS } from './servers/servers.js';

// Beside servers.long.test.ts, so that two cores share the work.
describe.each(FOREIGN_APIS)('the server $name', (api) => {
  const unfound = UNFOUND_BUGS[api.name] ?? {};
  const withoutTest = WITHOUT_TEST[api.name] ?? {};
  const names = Object.keys(api.bugs);

  test.each(
    sampleOf(
      names.filter((bug) => unfound[bug] === undefined && withoutTest[bug] === undefined),
      64,
    ),
  )(
    'gets a finding with the bug %s, whose test fails with it and passes without it',
    { timeout: 120_000 },
    async (bug) => {
      const { findings } = await testServer(api, bug, untilFirstFinding());
      expect(findings).not.toEqual([]);
      expect(await findWrongTestsOn(api, bug, findings)).toEqual([]);
    },
  );

  test.runIf(process.env['SPECMILL_FULL'] === '1')(
    'the bugs that are listed as not found, or as found without a test, are still so',
    { timeout: 300_000 },
    async () => {
      const stale: string[] = [...Object.keys(unfound), ...Object.keys(withoutTest)].filter(
        (bug) => !names.includes(bug),
      );
      for (const bug of Object.keys(unfound))
        if ((await testServer(api, bug, untilFirstFinding())).findings.length > 0) stale.push(bug);
      for (const bug of Object.keys(withoutTest)) {
        const { findings } = await testServer(api, bug, untilFirstFinding());
        if ((await findWrongTestsOn(api, bug, findings)).length === 0) stale.push(bug);
      }
      expect(stale).toEqual([]);
    },
  );
});
