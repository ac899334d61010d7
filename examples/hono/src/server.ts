import { randomUUID } from 'node:crypto';

import type { Order } from '../generated/shop/index.js';
import { reply, type ShopHandlers, shopHono } from '../generated/shop/server.js';

/** A shop that keeps its orders in memory. Requests are checked before a handler gets them. */
export function createApp() {
  const orders = new Map<string, Order>();
  const missing = (id: string) => ({ message: `There is no order ${id}.` });
  const handlers: ShopHandlers = {
    listOrders: () => reply.listOrders(200, [...orders.values()]),
    createOrder: ({ body }) => {
      const order = { ...body, id: randomUUID() };
      orders.set(order.id, order);
      return reply.createOrder(201, order);
    },
    getOrder: ({ path }) => {
      const order = orders.get(path.orderId);
      return order === undefined ? reply.getOrder(404, missing(path.orderId)) : reply.getOrder(200, order);
    },
    deleteOrder: ({ path }) =>
      orders.delete(path.orderId) ? reply.deleteOrder(204) : reply.deleteOrder(404, missing(path.orderId)),
  };
  return shopHono(handlers, { responses: 'check' });
}
