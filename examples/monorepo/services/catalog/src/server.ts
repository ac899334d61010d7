import type { Product } from '@shop/apis/catalog/index.js';
import { type CatalogHandlers, catalogFetch, reply } from '@shop/apis/catalog/server.js';

/** The catalog: its products are fixed. */
export function createCatalog(products: readonly Product[]) {
  const handlers: CatalogHandlers = {
    listProducts: () => reply.listProducts(200, [...products]),
    getProduct: ({ path }) => {
      const product = products.find(({ id }) => id === path.productId);
      const message = `There is no product ${path.productId}.`;
      return product === undefined ? reply.getProduct(404, { message }) : reply.getProduct(200, product);
    },
  };
  return catalogFetch(handlers, { responses: 'check' });
}
