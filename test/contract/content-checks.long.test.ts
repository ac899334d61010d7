import { expect, test } from 'vitest';

import { untilFirstFinding } from './replay-findings.js';
import { findWrongTestsOn } from './servers/find-wrong-tests.js';
import { testServer } from './servers/measure-servers.js';
import { findForeignApi } from './servers/servers.js';

// More of them: other-styles.long.test.ts.
test.each([
  ['range-suffix', 'conditional requests'],
  ['policy-lost-update', 'conditional requests'],
  ['sha-old', 'read back equal'],
])(
  'the bug %s of a server with files gets the finding "%s", whose test tells it',
  { timeout: 120_000 },
  async (bug, check) => {
    const depot = findForeignApi('depot');
    const { findings } = await testServer(depot, bug, { phases: ['examples', 'stateful'], ...untilFirstFinding() });
    expect(findings.map((finding) => finding.check)).toContain(check);
    expect(await findWrongTestsOn(depot, bug, findings)).toEqual([]);
  },
);
