import { describe, expect, it } from 'vitest';

import { runContract } from '../../entry/contract.js';
import { REAL_SERVERS } from './real-servers.js';

describe.each(REAL_SERVERS)('a run against $name', ({ missing, spec, start }) => {
  if (missing !== undefined) console.warn(missing);

  it.skipIf(missing !== undefined)(
    'leaves the data of others as it was',
    async () => {
      await using server = await start();
      const before = await server.snapshot();
      const report = await runContract({ api: spec, url: server.url, headers: server.headers, maxTime: '60s' });
      expect(await server.snapshot()).toEqual(before);
      expect(report.changed).toEqual([]);
      expect(report.reach.succeeded.length).toBeGreaterThan(2);
    },
    180_000,
  );
});
