import { factory, type IPrismComponents, type IPrismProxyConfig } from '@stoplight/prism-core';
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js';

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

type Logger = IPrismComponents<unknown, unknown, unknown, IPrismProxyConfig>['logger'];

/** In the error's name this makes Prism ask its mocker. */
const NOT_IMPLEMENTED = 'https://stoplight.io/prism/errors#UPSTREAM_NOT_IMPLEMENTED';

/**
 * Prism's pipeline (route, validate the input, answer, validate the output) over our own steps. Our source of answers is
 * its `forward` component, the only asynchronous one; `errors` is on, since Prism would forward even what has no route.
 */
export function createPrismPipeline<Resource, Input, Output>(
  steps: PrismSteps<Resource, Input, Output>,
): (input: Input) => Promise<PrismResult<Output>> {
  const prism = factory<Resource, Input, Output, IPrismProxyConfig>(NO_DEFAULTS, {
    route: ({ input }) => right(steps.route(input)),
    validateSecurity: ({ element }) => right(element),
    validateInput: ({ resource, element }) => {
      const insecure = steps.validateSecurity(resource, element);
      const invalid = steps.validateInput(resource, element);
      return toEither(insecure.length === 0 ? invalid : [...insecure, ...invalid], element);
    },
    validateOutput: ({ resource, element }) => toEither(steps.validateOutput(resource, element), element),
    forward:
      ({ data, validations }, _href, _proxy, resource) =>
      () =>
      async () => {
        if (resource === undefined) return left(new Error('Prism forwards a call without a route.'));
        const output = await steps.answer(resource, data, validations as MockDiagnostic[]);
        return output === undefined ? left(notImplemented()) : right(output);
      },
    mock:
      ({ resource, input }) =>
      () =>
        right(steps.mock(resource, input.data)),
    logger: SILENT,
  });
  return async (input) => {
    const result = await prism.request(input, NO_RESOURCES, CONFIG)();
    if (isLeft(result)) throw result.left;
    return { output: result.right.output, violations: result.right.validations.output as MockDiagnostic[] };
  };
}

const CONFIG: IPrismProxyConfig = {
  isProxy: true,
  errors: true,
  // Done with the input: what Prism does to put the two together costs more than both.
  checkSecurity: false,
  validateRequest: true,
  validateResponse: true,
  // Never called: `forward` is ours.
  upstream: new URL('http://specmill.invalid'),
  upstreamProxy: undefined,
  // Not read: our `mock` step gives each call of the mocker a configuration of its own.
  mock: undefined,
};

/** Prism copies its defaults into the configuration at each call. */
const NO_DEFAULTS = {} as IPrismProxyConfig;
const NO_RESOURCES: never[] = [];

function toEither<Value>(
  violations: readonly MockDiagnostic[],
  value: Value,
): Either<[MockDiagnostic, ...MockDiagnostic[]], Value> {
  const [first, ...others] = violations;
  return first === undefined ? right(value) : left([first, ...others]);
}

function notImplemented(): Error {
  const error = new Error('No behaviour is written or inferred for this call.');
  error.name = NOT_IMPLEMENTED;
  return error;
}

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
