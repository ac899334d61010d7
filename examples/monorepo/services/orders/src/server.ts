import { randomUUID } from 'node:crypto';

import { type CatalogContext, getProduct, isCatalogError } from '@shop/apis/catalog/index.js';
import type { Order } from '@shop/apis/orders/index.js';
import { type OrdersHandlers, ordersFetch, reply } from '@shop/apis/orders/server.js';

/** Orders, with the price that the catalog has at that time. */
export function createOrders(catalog: CatalogContext) {
  const orders = new Map<string, Order>();
  const handlers: OrdersHandlers = {
    createOrder: async ({ body }) => {
      const cents = await findPrice(catalog, body.productId);
      const total = cents === undefined ? {} : { cents: cents * body.amount };
      const order = { id: randomUUID(), productId: body.productId, amount: body.amount, ...total };
      orders.set(order.id, order);
      return reply.createOrder(201, order);
    },
    getOrder: ({ path }) => {
      const order = orders.get(path.orderId);
      const message = `There is no order ${path.orderId}.`;
      return order === undefined ? reply.getOrder(404, { message }) : reply.getOrder(200, order);
    },
  };
  return ordersFetch(handlers, { responses: 'check' });
}

async function findPrice(catalog: CatalogContext, productId: string): Promise<number | undefined> {
  try {
    return (await getProduct(catalog, { path: { productId } })).data.cents;
  } catch (error) {
    if (isCatalogError(error, 'getProduct') && error.status === 404) return undefined;
    throw error;
  }
}
