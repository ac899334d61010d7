import type { RequestViolation } from '../../http/request/refuse-request.js';
import type { Violation } from '../../http/messages.js';

/** The steps of a request. Violations are returned, other errors are thrown. */
export interface PipelineSteps<Resource, Input, Output> {
  readonly route: (input: Input) => Resource;
  readonly validateSecurity: (resource: Resource, input: Input) => readonly RequestViolation[];
  readonly validateInput: (resource: Resource, input: Input) => readonly RequestViolation[];
  readonly validateOutput: (resource: Resource, output: Output) => readonly Violation[];
  /** Our own response, or the refusal of these violations; `undefined` if the spec alone decides. */
  readonly respond: (
    resource: Resource,
    input: Input,
    violations: readonly RequestViolation[],
  ) => Promise<Output | undefined>;
  /** The response that Prism's mocker selects from the spec. */
  readonly mock: (resource: Resource, input: Input) => Output;
}

/** The response, and what is wrong with it. */
export interface StepsResult<Output> {
  readonly output: Output;
  readonly violations: readonly Violation[];
}

/**
 * Runs the steps in the order of prism-core's `factory`, which forwards to an upstream where `respond` is called here.
 * Its ten promises for each call are not made (docs/adr/0006-mock-speed.md); a test compares the two.
 */
export function createStepRunner<Resource, Input, Output>(
  steps: PipelineSteps<Resource, Input, Output>,
): (input: Input) => Promise<StepsResult<Output>> {
  return async (input) => {
    const resource = steps.route(input);
    const insecure = steps.validateSecurity(resource, input);
    const invalid = steps.validateInput(resource, input);
    const violations = insecure.length === 0 ? invalid : [...insecure, ...invalid];
    const output = (await steps.respond(resource, input, violations)) ?? steps.mock(resource, input);
    return { output, violations: steps.validateOutput(resource, output) };
  };
}
