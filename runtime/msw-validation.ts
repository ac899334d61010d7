import type { HandlerPlan, MockViolation, ReadValues } from './msw.js';
import type { ValidationError } from './validation.js';

/** How invalid requests are refused. */
export interface Refusal {
  /** Default: 400. */
  readonly status?: number;
  /** The media types of bodies. */
  readonly content?: readonly string[];
}

type Validate = (
  request: unknown,
) => { readonly ok: true } | { readonly ok: false; readonly errors: readonly ValidationError[] };

/** Refuses requests that do not match the API description, with problem details that list the violations. */
export function refuseInvalid(
  validate: Validate,
  { status = 400, content = [] }: Refusal = {},
): NonNullable<HandlerPlan['check']> {
  const essences = content.map((type) => (type.split(';', 1)[0] ?? '').trim().toLowerCase());
  return ({ values, violations }: ReadValues, request) => {
    const given = (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
    if (given && essences.length > 0 && !essences.some((one) => fits(one, given))) {
      const message = content.length === 1 ? `must be ${content[0]}` : `must be one of ${content.join(', ')}`;
      return refuse(415, [{ in: 'header', pointer: '/content-type', message }]);
    }
    const result = validate(values);
    const broken = new Set(violations.map((one) => `${one.in}${one.pointer}`));
    const found = result.ok ? [] : result.errors.map(toViolation);
    const all = [...violations, ...found.filter((one) => !broken.has(`${one.in}${one.pointer}`))];
    return all.length === 0 ? undefined : refuse(status, all);
  };
}

function fits(documented: string, given: string): boolean {
  return (
    documented === '*/*' ||
    documented === given ||
    (documented.endsWith('/*') && given.startsWith(documented.slice(0, -1)))
  );
}

const PLACES: Readonly<Record<string, MockViolation['in']>> = {
  path: 'path',
  query: 'query',
  headers: 'header',
  cookies: 'cookie',
};

function toViolation({ pointer, message, params }: ValidationError): MockViolation {
  const missing = params['missingProperty'];
  const whole = typeof missing === 'string' && message.startsWith('must have') ? `${pointer}/${missing}` : pointer;
  const [, group = 'body', ...rest] = whole.split('/');
  return {
    in: PLACES[group] ?? 'body',
    pointer: rest.length === 0 ? '' : `/${rest.join('/')}`,
    message: whole === pointer ? message : 'must be present',
  };
}

function refuse(status: number, violations: readonly MockViolation[]): Response {
  const [first] = violations;
  const name = first?.pointer.slice(1).replaceAll('/', '.') ?? '';
  const part = first?.in === 'body' ? 'body' : `${first?.in} of the request`;
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : '';
  const detail = `${name === '' ? `The ${part}` : name} ${first?.message}${more}`;
  return new Response(
    JSON.stringify({ type: 'about:blank', title: TITLES[status] ?? 'Refused', status, detail, violations }),
    {
      status,
      headers: { 'content-type': 'application/problem+json' },
    },
  );
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
};
