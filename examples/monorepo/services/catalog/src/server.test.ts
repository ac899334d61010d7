import { runContract } from 'specmill/contract';
import { expect, test } from 'vitest';

import { createCatalog } from './server.js';

test('the catalog does what its spec says, which the mock in the tests of orders does too', async () => {
  const catalog = createCatalog([{ id: 'tea', name: 'Tea', cents: 250 }]);
  const report = await runContract({
    api: 'catalog',
    url: 'https://catalog.example.com',
    fetch: async (request, init) => catalog(new Request(request, init)),
  });
  expect(report.findings).toEqual([]);
});
