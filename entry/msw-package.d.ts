/** The part of MSW that `msw.ts` uses, for the compiler of this repository. Programs have the types of their own MSW. */
declare module 'msw' {
  export class HttpHandler {
    private constructor();
    private readonly kind: string;
  }
  export const http: {
    readonly all: (
      path: string | RegExp,
      resolver: (call: { readonly request: Request }) => Promise<Response>,
    ) => HttpHandler;
  };
  export function bypass(input: Request): Request;
}
