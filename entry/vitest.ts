import { type MatchSpecOptions, toMatchSpec } from '../contract/response-matcher.js';

export { type MatchResult, type MatchSpecOptions, toMatchSpec } from '../contract/response-matcher.js';

declare global {
  // Vitest and Jest both use the matchers of this interface.
  namespace jest {
    interface Matchers<R, T> {
      /** Checks the status, headers and body of a response against the spec. The body can be read afterwards. */
      toMatchSpec(options: MatchSpecOptions): Promise<R extends void ? void : R>;
    }
  }
}

/** The part of `expect` that adds matchers. */
interface ExtendableExpect {
  readonly extend: (matchers: { readonly toMatchSpec: typeof toMatchSpec }) => void;
}

/** Returns the global `expect` of Jest, or of Vitest with `globals: true`, else the one that Vitest exports. */
async function findExpect(): Promise<ExtendableExpect | undefined> {
  const { expect } = globalThis as { readonly expect?: ExtendableExpect };
  // Mocha's suites often have the `expect` of Chai, which has no `extend`.
  if (typeof expect?.extend === 'function') return expect;
  try {
    return (await import('vitest')).expect;
  } catch {
    // Vitest is not installed or does not run: there is only the export.
    return undefined;
  }
}

(await findExpect())?.extend({ toMatchSpec });
