import { factory, type IPrismDiagnostic, type IPrismProxyConfig } from '@stoplight/prism-core';
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js';
import { describe, expect, it } from 'vitest';

import type { Violation } from '../../../http/messages.js';
import type { RequestViolation } from '../../../http/request/refuse-request.js';
import { createStepRunner, type PipelineSteps, type StepsResult } from '../../../server/pipeline/handle-operation.js';
import { SILENT } from '../../../server/prism/prism-mocker.js';

type Steps = PipelineSteps<string, string, string>;
type Run = (input: string) => Promise<StepsResult<string>>;

/** The same steps as the components of Prism's own pipeline, in the way in which Prism forwards to an upstream. */
function createOriginal(steps: Steps): Run {
  const prism = factory<string, string, string, IPrismProxyConfig>({} as IPrismProxyConfig, {
    route: ({ input }) => right(steps.route(input)),
    validateSecurity: ({ resource, element }) => toEither(steps.validateSecurity(resource, element), element),
    validateInput: ({ resource, element }) => toEither(steps.validateInput(resource, element), element),
    validateOutput: ({ resource, element }) => toEither(steps.validateOutput(resource, element), element),
    forward:
      ({ data, validations }, _href, _proxy, resource = '') =>
      () =>
      async () => {
        const output = await steps.respond(resource, data, validations as unknown as RequestViolation[]);
        return output === undefined ? left(notImplemented()) : right(output);
      },
    mock:
      ({ resource, input }) =>
      () =>
        right(steps.mock(resource, input.data)),
    logger: SILENT,
  });
  return async (input) => {
    const result = await prism.request(input, [], CONFIG)();
    if (isLeft(result)) throw result.left;
    return { output: result.right.output, violations: result.right.validations.output as unknown as Violation[] };
  };
}

const CONFIG: IPrismProxyConfig = {
  isProxy: true,
  errors: true,
  checkSecurity: true,
  validateRequest: true,
  validateResponse: true,
  upstream: new URL('http://specmill.invalid'),
  upstreamProxy: undefined,
  mock: undefined,
};

/** Prism takes violations in the form of its own diagnostics, and hands them on as they are. */
function toEither(found: readonly object[], value: string): Either<[IPrismDiagnostic, ...IPrismDiagnostic[]], string> {
  const [first, ...others] = found as IPrismDiagnostic[];
  return first === undefined ? right(value) : left([first, ...others]);
}

function notImplemented(): Error {
  return Object.assign(new Error('not implemented'), {
    name: 'https://stoplight.io/prism/errors#UPSTREAM_NOT_IMPLEMENTED',
  });
}

function violation(message: string): RequestViolation & Violation {
  const found: Violation = { in: 'body', pointer: '', message };
  return { ...found, violation: found };
}

function fail(message: string): never {
  throw new Error(message);
}

/** Steps that write down what they were called with. */
function createSteps(own: Partial<Steps>): { readonly steps: Steps; readonly calls: unknown[] } {
  const calls: unknown[] = [];
  const usual: Steps = {
    route: (input) => `resource of ${input}`,
    validateSecurity: () => [],
    validateInput: () => [],
    validateOutput: () => [],
    respond: () => Promise.resolve('response'),
    mock: () => 'mocked',
  };
  const tell =
    (name: keyof Steps) =>
    (...given: unknown[]): never => {
      calls.push([name, ...given]);
      return (own[name] ?? usual[name])(...(given as [never, never, never])) as never;
    };
  return {
    calls,
    steps: {
      route: tell('route'),
      validateSecurity: tell('validateSecurity'),
      validateInput: tell('validateInput'),
      validateOutput: tell('validateOutput'),
      respond: tell('respond'),
      mock: tell('mock'),
    },
  };
}

async function outcomeOf(create: (steps: Steps) => Run, own: Partial<Steps>): Promise<unknown> {
  const { steps, calls } = createSteps(own);
  const result = await create(steps)('input').catch((error: unknown) => String(error));
  return { calls, result };
}

const bad = { security: violation('no key'), input: violation('no name'), output: violation('no id') };
const nothing: Steps['respond'] = () => Promise.resolve(undefined);
const CASES: Readonly<Record<string, Partial<Steps>>> = {
  'all is well': {},
  'no route': { route: () => fail('no route') },
  'a violation of security': { validateSecurity: () => [bad.security] },
  'a violation of the input': { validateInput: () => [bad.input, violation('no age')] },
  'violations of both': { validateSecurity: () => [bad.security], validateInput: () => [bad.input] },
  'the source refuses': { validateInput: () => [bad.input], respond: () => Promise.reject(new Error('refused')) },
  'the mocker responds': { respond: nothing },
  'the mocker fails': { respond: nothing, mock: () => fail('no example') },
  'the mocker responds badly': { respond: nothing, validateOutput: () => [bad.output] },
  'a violation of the response': { validateOutput: () => [bad.output, violation('no name')] },
  'the check of the response fails': { validateOutput: () => fail('a bug') },
  'the check of the input fails': { validateInput: () => fail('a bug') },
};

describe('the pipeline', () => {
  it.each(Object.entries(CASES))('does what that of prism-core does: %s', async (_name, own) => {
    const ours = await outcomeOf(createStepRunner, own);
    expect(ours).toEqual(await outcomeOf(createOriginal, own));
  });
});
