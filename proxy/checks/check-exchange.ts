import type { Api, Operation } from '../../model/api.js';
import type { Diagnostic } from '../../model/diagnostics/diagnostic.js';
import { createIdentifyCaller } from '../../http/credentials/authenticate.js';
import { compileAnswerRules, type FindAnswerRule } from '../../http/response/response-spec.js';
import { compileBody } from '../../http/request/read-body.js';
import { compileParameters } from '../../http/request/read-parameters.js';
import { type RouteMatch, createRouter } from '../../http/routing/router.js';
import type { RequestViolation } from '../../http/request/refuse-request.js';
import type { Violation } from '../../http/messages.js';
import type { ExpandedBody } from '../exchange/exchange.js';
import { AnswerCheck, type AnswerHead } from './response-check.js';
import {
  type CheckedBody,
  type RequestHead,
  type RequestRules,
  checkParameters,
  checkRequestBody,
  checkRoute,
  checkSecurity,
  looksInside,
} from './request-check.js';

/** One call, held against the spec as it goes by. */
export interface CallCheck {
  readonly match: RouteMatch;
  readonly operation: Operation | undefined;
  /** There is no operation: what that breaks. */
  readonly unrouted: readonly Violation[];
  /** What the head of the request breaks. */
  readonly head: readonly RequestViolation[];
  /** Whether more than the media type of the body is looked at. */
  readonly looksInside: boolean;
  readonly checkBody: (body: ExpandedBody) => CheckedBody;
  /** Nothing where there is no operation to hold the answer against. */
  readonly openAnswer: (head: AnswerHead) => AnswerCheck | undefined;
}

export type CheckCall = (head: RequestHead) => CallCheck;

interface CompiledRules extends RequestRules {
  readonly findAnswerRule: FindAnswerRule;
}

/**
 * Holds calls against an API. Operations are prepared when they are first called.
 *
 * @param report - told of schemas that cannot be checked exactly.
 */
export function createChecker(api: Api, report: (diagnostic: Diagnostic) => void): CheckCall {
  const findRoute = createRouter(api);
  const identify = createIdentifyCaller(api);
  const compiled = new Map<Operation, CompiledRules>();
  const rulesOf = (operation: Operation): CompiledRules => {
    const known = compiled.get(operation);
    if (known !== undefined) return known;
    const context = { api, report };
    const rules = {
      operation,
      readParameters: compileParameters(operation, context),
      readBody: compileBody(operation, context),
      findAnswerRule: compileAnswerRules(operation, context),
    };
    compiled.set(operation, rules);
    return rules;
  };
  return (head) => {
    const match = findRoute(head.method, head.path);
    if (match.kind !== 'operation') return withoutOperation(match);
    const rules = rulesOf(match.operation);
    return {
      match,
      operation: match.operation,
      unrouted: [],
      head: [...checkSecurity(rules, head, { api, identify }), ...checkParameters(rules, head, match.values)],
      looksInside: looksInside(rules, head.headers),
      checkBody: (body) => checkRequestBody(rules, head, body),
      openAnswer: (answer) =>
        new AnswerCheck(answer, { operation: match.operation, rule: rules.findAnswerRule(answer.status) }),
    };
  };
}

function withoutOperation(match: RouteMatch): CallCheck {
  return {
    match,
    operation: undefined,
    unrouted: checkRoute(match),
    head: [],
    looksInside: false,
    checkBody: () => ({ diagnostics: [] }),
    openAnswer: () => undefined,
  };
}
