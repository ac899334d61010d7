import { describe, expect, test } from 'vitest';

import { FOREIGN_APIS } from './servers/servers.js';

describe.each(FOREIGN_APIS)('the server $name', (api) => {
  test('has at least twenty bugs and serves its spec without any of them', async () => {
    expect(Object.keys(api.bugs).length).toBeGreaterThanOrEqual(20);
    const server = await api.start();
    try {
      const response = await fetch(`${server.url}/specmill-unknown`, { headers: api.headers ?? {} });
      expect([401, 404]).toContain(response.status);
    } finally {
      await server.close();
    }
  });
});
