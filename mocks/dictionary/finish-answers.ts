import { isRecord } from '../../model/document/records.js';
import type { MockDefinition, HandlerResponse, Visit } from '../../server/handler-api.js';
import type { Violation } from '../../http/messages.js';

/** A reason of the table of codes in the spec, and the violations that it stands for. */
interface Reason {
  readonly code: number;
  readonly message: string;
  readonly fits: (violation: Violation) => boolean;
}

const isAt =
  (place: Violation['in'], pointer: RegExp, message = /^/) =>
  (violation: Violation): boolean =>
    violation.in === place && pointer.test(violation.pointer) && message.test(violation.message);

const REASONS: readonly Reason[] = [
  {
    code: 400_021,
    message: 'The API version parameter is missing or not valid.',
    fits: isAt('query', /^\/api-version$/),
  },
  { code: 400_035, message: 'The source language (from) is missing or not valid.', fits: isAt('query', /^\/from$/) },
  { code: 400_036, message: 'The target language (to) is missing or not valid.', fits: isAt('query', /^\/to$/) },
  {
    code: 400_043,
    message: 'The client trace identifier is not valid.',
    fits: (violation) =>
      isAt('query', /^\/ClientTraceId$/)(violation) || isAt('header', /^\/x-clienttraceid$/i)(violation),
  },
  { code: 400_074, message: 'The body of the request is not valid JSON.', fits: isAt('body', /^$/, /JSON$/) },
  { code: 400_072, message: 'The request holds too many terms.', fits: isAt('body', /^$/, /more than/) },
  { code: 400_050, message: 'A term is too long.', fits: isAt('body', /^\/\d+\/text$/i, /more than/) },
  { code: 400_005, message: 'A term is missing or not valid.', fits: isAt('body', /^\/\d+/) },
];

/** Every answer, a refusal too, says which request it is of; the code of a refusal says why. */
export const finishAnswers: NonNullable<MockDefinition['aroundAll']> = async (visit, next) => {
  const reply = withReason(await next());
  return reply.headers['x-requestid'] === undefined
    ? { ...reply, headers: { ...requestHeaders(visit), ...reply.headers } }
    : reply;
};

function withReason(reply: HandlerResponse): HandlerResponse {
  const { status, body } = reply;
  if (status !== 400 || !reply.refusal || body?.kind !== 'json' || !isRecord(body.value)) return reply;
  const { error } = body.value;
  const violations = isRecord(error) && Array.isArray(error['violations']) ? (error['violations'] as Violation[]) : [];
  const reason = REASONS.find(({ fits }) => violations.some(fits));
  if (reason === undefined || !isRecord(error)) return reply;
  const { code, message } = reason;
  return { ...reply, body: { kind: 'json', value: { error: { ...error, code, message } } } };
}

const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The header of the trace id counts before the query parameter (x-assumption in the spec). */
export function requestHeaders({ random, request }: Pick<Visit, 'random' | 'request'>): Record<string, string> {
  const sent = request.headers['x-clienttraceid'];
  const query = new URLSearchParams(request.target.split('?').slice(1).join('?'));
  const trace = typeof sent === 'string' ? sent : query.get('ClientTraceId');
  return {
    'x-requestid': random.uuid(),
    ...(trace !== null && GUID.test(trace) ? { 'x-clienttraceid': trace } : {}),
  };
}
