import { runContract } from 'specmill/contract';
import { expect, test } from 'vitest';

import { createApp } from './server.js';

test('the server does what its spec says', async () => {
  const app = createApp();
  const report = await runContract({
    api: 'shop',
    url: 'https://shop.example.com',
    fetch: async (request, init) => app.fetch(new Request(request, init)),
  });
  expect(report.findings).toEqual([]);
  expect(report.reach.succeeded).toHaveLength(4);
});
