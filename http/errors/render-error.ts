import type { Api } from '../../model/api.js';
import type { AnswerBody, HeaderMap, Violation } from '../messages.js';
import type { RenderError } from '../../server/sandbox/sandbox.js';
import { type ErrorFacts, fillError } from './build-error-body.js';
import { createFindErrorSchema } from './find-error-schema.js';
import { reasonPhrase } from './status-names.js';

/** An error as a body with its media type. */
export interface RenderedError {
  readonly body: AnswerBody;
  readonly headers: HeaderMap;
}

/** Renders the errors of an API: in the shape that its spec declares, else as problem details (RFC 9457). */
export function createRenderError(api: Api): RenderError {
  const find = createFindErrorSchema(api);
  return ({ status, message, operation, violations = [], details = {} }) => {
    // That a credential is missing is what the status says; as a violation it is for the journal.
    const told = violations.filter((violation) => violation.in !== 'security');
    const facts: ErrorFacts = { status, message, violations: told, details };
    const declared = find(operation, status);
    if (declared === undefined) return renderProblem(facts);
    return {
      body: { kind: 'json', value: fillError(declared, facts, api) },
      headers: { 'content-type': declared.mediaType },
    };
  };
}

/** Problem details (RFC 9457). */
export function renderProblem(facts: {
  readonly status: number;
  readonly message: string;
  readonly violations?: readonly Violation[];
  readonly details?: Readonly<Record<string, unknown>>;
}): RenderedError {
  const { status, message, violations = [], details = {} } = facts;
  const problem = { type: 'about:blank', title: reasonPhrase(status), status, detail: message };
  const value = { ...problem, ...details, ...(violations.length > 0 ? { violations } : {}) };
  return { body: { kind: 'json', value }, headers: { 'content-type': 'application/problem+json' } };
}
