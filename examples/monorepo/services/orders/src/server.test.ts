import { runContract } from 'specmill/contract';
import { startMock } from 'specmill/mock';
import { afterAll, expect, test } from 'vitest';

import { createOrders } from './server.js';

// The other service is a mock from the spec that both share.
const catalog = await startMock('catalog');
await catalog.data.put({ '/products': [{ id: 'tea', name: 'Tea', cents: 250 }] });
const orders = createOrders({ baseUrl: catalog.url, fetch: catalog.fetch });
afterAll(() => catalog.close());

const post = async (body: object): Promise<unknown> => {
  const request = new Request('https://orders.example.com/orders', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await orders(request)).json();
};

test('an order has the price of the catalog, or none', async () => {
  expect(await post({ productId: 'tea', amount: 3 })).toMatchObject({ productId: 'tea', cents: 750 });
  expect(await post({ productId: 'salt', amount: 3 })).not.toHaveProperty('cents');
  expect((await catalog.requests({ violations: true })).length).toBe(0);
});

test('the service does what its spec says', async () => {
  const report = await runContract({
    api: 'orders',
    url: 'https://orders.example.com',
    fetch: async (request, init) => orders(new Request(request, init)),
  });
  expect(report.findings).toEqual([]);
});
