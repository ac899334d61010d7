import { type HandlerResponse, type Middleware, type RequestContext, type Violation, isRecord } from 'specmill/mock';

/** A reason in the table of codes in the spec, and the violations to which it applies. */
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

/** Adds the request id to every response, and the code of the reason to errors. */
export const finishResponses: Middleware = async (call, next) => {
  const response = withReason(await next());
  return response.headers['x-requestid'] === undefined
    ? { ...response, headers: { ...requestHeaders(call), ...response.headers } }
    : response;
};

function withReason(response: HandlerResponse): HandlerResponse {
  const { status, body } = response;
  if (status !== 400 || !response.refusal || body?.kind !== 'json' || !isRecord(body.value)) return response;
  const { error } = body.value;
  const violations = isRecord(error) && Array.isArray(error['violations']) ? (error['violations'] as Violation[]) : [];
  const reason = REASONS.find(({ fits }) => violations.some(fits));
  if (reason === undefined || !isRecord(error)) return response;
  const { code, message } = reason;
  return { ...response, body: { kind: 'json', value: { error: { ...error, code, message } } } };
}

const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The trace id header takes precedence over the query parameter (x-assumption in the spec). */
export function requestHeaders({
  random,
  request,
}: Pick<RequestContext, 'random' | 'request'>): Record<string, string> {
  const sent = request.headers['x-clienttraceid'];
  const query = new URLSearchParams(request.target.split('?').slice(1).join('?'));
  const trace = typeof sent === 'string' ? sent : query.get('ClientTraceId');
  return {
    'x-requestid': random.uuid(),
    ...(trace !== null && GUID.test(trace) ? { 'x-clienttraceid': trace } : {}),
  };
}
