import { describe, expect, test } from 'vitest';

import { CONFORMANCE_CASES } from './cases.js';
import { runCase, type StartServer } from './conformance-case.js';
import { startFetchDoor, startHttpDoor } from './start-doors.js';

const DOORS: readonly (readonly [string, StartServer])[] = [
  ['http', startHttpDoor],
  ['fetch', startFetchDoor],
];

describe.each(DOORS)('the %s door', (_door, start) => {
  test.each(CONFORMANCE_CASES.map((one) => [one.group, one.name, one] as const))(
    '%s: %s',
    async (_group, _name, row) => {
      const server = await start(row.document);
      try {
        expect(await runCase(server, row)).toBeUndefined();
      } finally {
        await server.close();
      }
    },
  );
});
