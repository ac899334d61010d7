import type { EmitterKit } from '../../emitter-kit/contract.js';

/** Prints the types and the function that all handlers of an output share. */
export function printHead(kit: EmitterKit, isSplit: boolean): string {
  const { api } = kit.names;
  const up = isSplit ? '../' : './';
  return `import { type HttpHandler, type RequestHandlerOptions, delay, http } from 'msw';
import * as rt from '${up}${kit.runtime('msw').slice(2)}';
import type { ${api}Operations } from '${up}types.js';

/** Options of a handler: the address of the API, a seed for made-up values, a delay, and \`once\`. */
export type ${api}HandlerOptions = rt.MockOptions & RequestHandlerOptions;

/** Makes the response of an operation from its request, which is parsed and has its types. */
export type ${api}Resolver<Name extends keyof ${api}Operations> = rt.Resolver<${api}Operations[Name]>;

/** Makes the handler of an operation: from a resolver, from the body of its success, or with made-up data. */
export interface ${api}Handler<Name extends keyof ${api}Operations, Status extends number> {
  (resolver?: ${api}Resolver<Name> | rt.ResponseBody<${api}Operations[Name], Status>, options?: ${api}HandlerOptions): HttpHandler;
}

${isSplit ? 'export ' : ''}const handler = <Name extends keyof ${api}Operations, Status extends number>(plan: rt.HandlerPlan): ${api}Handler<Name, Status> =>
  (given, options) => rt.createHandler<HttpHandler>({ http, delay }, plan, { given, options });
`;
}

/** A handler: its name, and that of its operation. */
export interface NamedHandler {
  readonly operation: string;
  readonly handler: string;
}

/** Prints the function that makes all handlers, in the order in which MSW must try them. */
export function printAll(kit: EmitterKit, handlers: readonly NamedHandler[], ordered: readonly NamedHandler[]): string {
  const { api } = kit.names;
  const { key, literal } = kit.print;
  const overrides = handlers.map(
    ({ operation, handler }) => `  readonly ${key(operation)}?: Parameters<typeof ${handler}>[0];\n`,
  );
  const calls = ordered.map(({ operation, handler }) => `    ${handler}(given[${literal(operation)}], options),\n`);
  return `/** Resolvers or data, by name of the operation. */
export interface ${api}Overrides {
${overrides.join('')}}

/** Makes the handlers of all operations. MSW tries them in this order: a path before those that match it too. */
export function ${lowerFirst(api)}Handlers({ overrides = {}, ...options }: rt.MockOptions & { readonly overrides?: ${api}Overrides } = {}): HttpHandler[] {
  // An operation may have the name of a member that all objects have.
  const given = Object.assign(Object.create(null), overrides) as ${api}Overrides;
  return [
${calls.join('')}  ];
}
`;
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
