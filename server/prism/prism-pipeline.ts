import type { IPrismComponents, IPrismProxyConfig } from '@stoplight/prism-core';

import type { MockDiagnostic } from '../seams/mock-diagnostic.js';

/** What a mock puts in the place of Prism's components. A violation is returned; all else that goes wrong is thrown. */
export interface PrismSteps<Resource, Input, Output> {
  /** @throws what the caller of the pipeline is to get. */
  readonly route: (input: Input) => Resource;
  readonly validateSecurity: (resource: Resource, input: Input) => readonly MockDiagnostic[];
  readonly validateInput: (resource: Resource, input: Input) => readonly MockDiagnostic[];
  readonly validateOutput: (resource: Resource, output: Output) => readonly MockDiagnostic[];
  /** Our own answer, or the refusal of these violations; nothing where Prism's mocker is to answer. */
  readonly answer: (
    resource: Resource,
    input: Input,
    violations: readonly MockDiagnostic[],
  ) => Promise<Output | undefined>;
  /** Prism's mocker, which cannot wait. */
  readonly mock: (resource: Resource, input: Input) => Output;
}

/** What came out: the answer, and what is wrong with it. */
export interface PrismResult<Output> {
  readonly output: Output;
  readonly violations: readonly MockDiagnostic[];
}

/**
 * Prism's pipeline over our own steps: route, validate security and the input, answer, validate the output. Our source of
 * answers stands where Prism forwards to an upstream, and the mocker answers where that says that it cannot. The steps are
 * called here one after another, as prism-core's `factory` calls them, without its ten promises for each call
 * (docs/adr/0006-mock-speed.md); test/server/prism holds the two against each other.
 */
export function createPrismPipeline<Resource, Input, Output>(
  steps: PrismSteps<Resource, Input, Output>,
): (input: Input) => Promise<PrismResult<Output>> {
  return async (input) => {
    const resource = steps.route(input);
    const insecure = steps.validateSecurity(resource, input);
    const invalid = steps.validateInput(resource, input);
    const violations = insecure.length === 0 ? invalid : [...insecure, ...invalid];
    const output = (await steps.answer(resource, input, violations)) ?? steps.mock(resource, input);
    return { output, violations: steps.validateOutput(resource, output) };
  };
}

type Logger = IPrismComponents<unknown, unknown, unknown, IPrismProxyConfig>['logger'];

function ignore(): void {
  // Prism tells its log of every step; the journal of the mock says what happened.
}

/** Prism asks for children of its log at each call, and uses a level of its own. */
const silent = {
  fatal: ignore,
  error: ignore,
  warn: ignore,
  info: ignore,
  success: ignore,
  debug: ignore,
  trace: ignore,
  child: () => silent,
};
export const SILENT: Logger = silent;
