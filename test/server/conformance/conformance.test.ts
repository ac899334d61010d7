import { describe, expect, test } from 'vitest';

import { CONFORMANCE_CASES } from './cases.js';
import { runCase, type StartServer } from './conformance-case.js';
import { startInProcess, startOnHttp } from './start-transports.js';

const TRANSPORTS: readonly (readonly [string, StartServer])[] = [
  ['http', startOnHttp],
  ['fetch', startInProcess],
];

describe.each(TRANSPORTS)('the %s transport', (_transport, start) => {
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
