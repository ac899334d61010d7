import type { MatchSpecOptions } from '../contract/response-matcher.js';

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
