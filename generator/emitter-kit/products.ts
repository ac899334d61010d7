import type { EmitterDefinition } from './contract.js';

/** The emitters that are built in and off by default, each loaded when it runs. A new one is added here. */
export const PRODUCTS: Readonly<Record<string, () => Promise<EmitterDefinition<never>>>> = {
  msw: async () => (await import('../products/msw/msw.js')).msw,
  'tanstack-query': async () => (await import('../products/tanstack-query/tanstack-query.js')).tanstackQuery,
  zod: async () => (await import('../products/zod/zod.js')).zod,
  server: async () => (await import('../products/server/server.js')).server,
};

/** Loads a built-in emitter by its name. */
export async function loadProduct(name: string): Promise<EmitterDefinition> {
  const load = PRODUCTS[name];
  if (load === undefined) throw new Error(`There is no built-in emitter ${name}.`);
  // Cast: its options are checked by its own declaration before it runs.
  return (await load()) as EmitterDefinition;
}
