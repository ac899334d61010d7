import type { HeaderMap } from '../../http/messages.js';
import { isLoopback } from '../../http/wire/loopback.js';
import { InputError } from '../../model/diagnostics/input-error.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

/** The web pages that may read responses, and those that are trusted like the user's own. */
export interface OriginPolicy {
  /** Whether a page of this origin may read responses (CORS). */
  readonly allows: (origin: string) => boolean;
  /** Whether pages may send cookies and other credentials. */
  readonly allowsCredentials: boolean;
  /** Whether a request comes from no page, from a page of this machine, or from a named origin. */
  readonly trusts: (headers: HeaderMap) => boolean;
}

/** Origins that a mock's definition allows. */
export interface CorsRule {
  /** Such as `https://app.example`; `*` is any. */
  readonly origins: readonly string[];
  readonly allowCredentials: boolean;
}

/** Values of `cors` that name no origin. */
const KINDS = ['loopback', 'any', 'none'] as const;

/**
 * Reads the values of `--cors`: `loopback`, `any`, `none` and origins such as `https://app.example`.
 *
 * @throws InputError for any other value.
 */
export function createOriginPolicy(values: readonly string[]): OriginPolicy {
  const named = new Set(values.filter((value) => !KINDS.some((kind) => kind === value)).map(readOrigin));
  const isNone = values.includes('none');
  if (isNone && values.length > 1)
    throw new InputError('The option cors is either "none" or a list of origins, not both.');
  const isOwn = (origin: string): boolean => named.has(origin) || isLoopbackOrigin(origin);
  const allows = (origin: string): boolean =>
    !isNone &&
    (values.includes('any') || named.has(origin) || (values.includes('loopback') && isLoopbackOrigin(origin)));
  return {
    allows,
    allowsCredentials: true,
    trusts: ({ origin }) => origin === undefined || (typeof origin === 'string' && isOwn(origin)),
  };
}

/** Creates the policy from a mock's own rule. Trusted origins still come from the user's policy. */
export function createRulePolicy({ origins, allowCredentials }: CorsRule, { trusts }: OriginPolicy): OriginPolicy {
  const named = new Set(origins.map((origin) => origin.replace(/\/$/, '')));
  return {
    allows: (origin) => named.has('*') || named.has(origin),
    allowsCredentials: allowCredentials,
    trusts,
  };
}

export const LOOPBACK_ORIGINS: OriginPolicy = createOriginPolicy(['loopback']);

function readOrigin(value: string): string {
  const { origin = 'null' } = URL.canParse(value) ? new URL(value) : {};
  if (origin !== 'null' && value.replace(/\/$/, '') === origin) return origin;
  throw new InputError(
    `The option cors takes loopback, any, none or an origin such as https://app.example, and not ${stringifyExactJson(value)}.`,
  );
}

/** Whether only this machine can serve pages of an origin. */
function isLoopbackOrigin(origin: string): boolean {
  return URL.canParse(origin) && isLoopback(new URL(origin).hostname);
}
