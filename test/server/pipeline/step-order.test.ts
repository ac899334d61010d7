import { factory, type IPrismDiagnostic, type IPrismProxyConfig } from '@stoplight/prism-core';
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js';
import { describe, expect, it } from 'vitest';

import { defineMock, startMock } from '../../../entry/mock.js';
import { loadDocument } from '../../support/load-document.js';

/** What is wrong with a request, and who responds to it. */
interface Case {
  readonly isRouted: boolean;
  readonly isSecure: boolean;
  readonly isValid: boolean;
  readonly responds: 'handler' | 'badly' | 'refusing' | 'mocker';
}

/** Who responded, or the part of the call that it was refused for first. */
interface Outcome {
  readonly result: 'handler' | 'mocker' | 'no route' | 'refused' | 'security' | 'body' | 'response';
  /** The parts with violations, sorted. */
  readonly violations: readonly string[];
}

const BOTH = [true, false];
const CASES: readonly Case[] = BOTH.flatMap((isRouted) =>
  BOTH.flatMap((isSecure) =>
    BOTH.flatMap((isValid) =>
      (['handler', 'badly', 'refusing', 'mocker'] as const).map((responds) => ({
        ...{ isRouted, isSecure, isValid, responds },
      })),
    ),
  ),
);

const SILENT = { child: () => SILENT } as unknown as Parameters<typeof factory>[1]['logger'];
for (const level of ['fatal', 'error', 'warn', 'info', 'success', 'debug', 'trace'])
  Object.assign(SILENT, { [level]: () => undefined });

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

class Refusal extends Error {
  readonly outcome: Outcome;
  constructor(result: Outcome['result'], violations: readonly string[] = []) {
    super(result);
    this.outcome = { result, violations };
  }
}

const NOT_IMPLEMENTED = Object.assign(new Error('not implemented'), {
  name: 'https://stoplight.io/prism/errors#UPSTREAM_NOT_IMPLEMENTED',
});

/** Prism takes violations as its own diagnostics, and passes them on unchanged. */
function check(part: string, isRight: boolean): Either<[IPrismDiagnostic], object> {
  const found = [part] as unknown as [IPrismDiagnostic];
  return isRight ? right({}) : left(found);
}

/** Runs a case through Prism's own pipeline, as it forwards to an upstream: a handler is the upstream. */
async function runPrism({ isRouted, isSecure, isValid, responds }: Case): Promise<Outcome> {
  const prism = factory<object, object, object, IPrismProxyConfig>(CONFIG, {
    route: () => (isRouted ? right({}) : left(new Refusal('no route'))),
    validateSecurity: () => check('security', isSecure),
    validateInput: () => check('body', isValid),
    validateOutput: () => check('response', responds !== 'badly'),
    forward:
      ({ validations }) =>
      () =>
      () => {
        const found = validations as unknown as string[];
        const [first] = found as Outcome['result'][];
        if (first !== undefined) return Promise.resolve(left(new Refusal(first, found.toSorted())));
        if (responds === 'refusing') return Promise.resolve(left(new Refusal('refused')));
        return Promise.resolve(responds === 'mocker' ? left(NOT_IMPLEMENTED) : right({ by: 'handler' }));
      },
    mock: () => () => right({ by: 'mocker' }),
    logger: SILENT,
  });
  const result = await prism.request({}, [], CONFIG)();
  if (isLeft(result)) return (result.left as Refusal).outcome;
  const { output, validations } = result.right;
  const violations = validations.output as unknown as string[];
  return { result: violations.length > 0 ? 'response' : (output as { by: 'handler' | 'mocker' }).by, violations };
}

const SCHEMA = { type: 'object', properties: { by: { type: 'string' } } };
const EXAMPLE = { 'application/json': { schema: SCHEMA, example: { by: 'mocker' } } };
const OPERATION = {
  security: [{ key: [] }],
  requestBody: { required: true, content: { 'application/json': { schema: { type: 'object', required: ['name'] } } } },
};
const paths = Object.fromEntries(
  (['handler', 'badly', 'refusing', 'mocker'] as const).map((id) => [
    `/${id}`,
    { post: { operationId: id, ...OPERATION, responses: { 200: { description: 'ok', content: EXAMPLE } } } },
  ]),
);
const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Steps', version: '1' },
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-key' } } },
  paths,
};

async function runMock({ isRouted, isSecure, isValid, responds }: Case): Promise<Outcome> {
  const mock = await startMock(
    defineMock(await loadDocument(DOCUMENT), {
      operations: {
        handler: (call) => call.respond(200, { by: 'handler' }),
        badly: (call) => call.respond(200, { by: 1 }),
        refusing: (call) => call.refuse(409, 'refused'),
      },
    }),
  );
  const response = await mock.fetch(`${mock.url}/${isRouted ? responds : 'nowhere'}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(isSecure ? { 'x-key': 'k' } : {}) },
    body: isValid ? '{"name":"a"}' : '{}',
  });
  const body = (await response.json()) as { readonly by: 'handler' | 'mocker' };
  const [call] = await mock.requests();
  await mock.close();
  const result = response.ok ? body.by : RESULTS[response.status];
  return { result: result ?? 'no route', violations: (call?.violations ?? []).map((one) => one.in).toSorted() };
}

const RESULTS: Readonly<Record<number, Outcome['result']>> = {
  400: 'body',
  401: 'security',
  404: 'no route',
  409: 'refused',
  500: 'response',
};

describe('the steps of a request', () => {
  it.each(CASES)('are those of prism-core, in its order: %o', async (one) => {
    expect(await runMock(one)).toEqual(await runPrism(one));
  });
});
