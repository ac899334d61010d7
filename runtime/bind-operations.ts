import type { ClientContext } from './context.js';
import { checkBaseUrl } from './request.js';

/** The functions of a module as methods: without their first parameter, the context. */
export type BoundOperations<Operations> = { readonly [Name in keyof Operations]: BoundOperation<Operations[Name]> };

type BoundOperation<Operation> = Operation extends (context: never, ...rest: infer Rest) => infer Result
  ? (...rest: Rest) => Result
  : never;

/**
 * Makes a client of the functions of a module.
 *
 * @throws TypeError where the `baseUrl` is no address, or has credentials, a query or a fragment in it.
 */
export function bindOperations<Operations extends object>(
  context: ClientContext,
  operations: Operations,
): BoundOperations<Operations> {
  checkBaseUrl(context.baseUrl);
  const bind =
    (operation: (context: ClientContext, ...rest: unknown[]) => unknown) =>
    (...rest: unknown[]) =>
      operation(context, ...rest);
  const methods = Object.entries(operations).map(([name, operation]) => [name, bind(operation)]);
  return Object.fromEntries(methods) as BoundOperations<Operations>;
}
