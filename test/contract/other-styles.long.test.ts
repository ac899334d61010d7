import { expect, test } from 'vitest';

import { untilFirstFinding } from './replay-findings.js';
import { testServer } from './servers/measure-servers.js';
import { planner } from './servers/planner/server.js';
import { OTHER_STYLES } from './servers/servers.js';

// All of their bugs: `npm run bench -- servers`.
test.each(OTHER_STYLES)(
  'the server $name has at least twenty bugs, and without them a run finds nothing',
  { timeout: 240_000 },
  async (api) => {
    expect(Object.keys(api.bugs).length).toBeGreaterThanOrEqual(20);
    const { findings, requests } = await testServer(api);
    expect(findings.map(({ check, operationId, message }) => `${check} ${operationId}: ${message}`)).toEqual([]);
    expect(requests).toBeLessThan(3_000);
  },
);

test('a run finds items below a foreign parent, also if the name of an item contains its parents', async () => {
  const { findings } = await testServer(planner, 'card-of-other', untilFirstFinding());
  expect(findings.map(({ check, operationId }) => `${check}: ${operationId}`)).toEqual(['belongs to parent: GetCard']);
});
