import type { EmitterDefinition } from './contract.js';

interface Product {
  /** What it adds to an output, in a few words. */
  readonly summary: string;
  readonly load: () => Promise<EmitterDefinition<never>>;
}

/** The emitters that are built in and off by default, each loaded when it runs. A new one is added here. */
export const PRODUCTS: Readonly<Record<string, Product>> = {
  msw: {
    summary: 'handlers for MSW',
    load: async () => (await import('../products/msw/msw.js')).msw,
  },
  'tanstack-query': {
    summary: 'options, keys and mutations for TanStack Query',
    load: async () => (await import('../products/tanstack-query/tanstack-query.js')).tanstackQuery,
  },
  zod: {
    summary: 'schemas of Zod that accept what the validators accept',
    load: async () => (await import('../products/zod/zod.js')).zod,
  },
  server: {
    summary: 'typed handlers and a server for Hono, Fastify, Express and fetch',
    load: async () => (await import('../products/server/server.js')).server,
  },
};

/** Loads a built-in emitter by its name. */
export async function loadProduct(name: string): Promise<EmitterDefinition> {
  const product = PRODUCTS[name];
  if (product === undefined) throw new Error(`There is no built-in emitter ${name}.`);
  // Cast: its options are checked by its own declaration before it runs.
  return (await product.load()) as EmitterDefinition;
}
