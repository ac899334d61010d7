import { textsIn } from '../../model/document/records.js';
import type { Api, Operation, SecurityRequirement, SecurityScheme } from '../../model/api.js';
import type { MockRequest } from '../messages.js';
import type { Caller, IdentifyCaller } from './caller.js';
import type { Credential } from './credential-file.js';
import { type PresentedCredential, readCredential } from './read-credential.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

/** A key or token that no mock accepts, to test how clients handle 401. */
const INVALID = 'invalid';

/** The caller of an operation that requires no credential, if no accepted one was sent. */
export const ANONYMOUS: Caller = {
  id: 'anonymous',
  account: 'anonymous',
  kind: 'anonymous',
  scopes: [],
  schemes: [],
  properties: {},
};

type Identification = ReturnType<IdentifyCaller>;

/**
 * Checks the credential of a request against the security of its operation, and identifies the caller.
 *
 * @param credentials - the accepted credentials. Absent: all well-formed ones, except the key or token `invalid`.
 */
export function createIdentifyCaller(api: Api, credentials?: readonly Credential[]): IdentifyCaller {
  return (operation, request, query) => {
    if (operation.security.length === 0) return { ok: true, caller: ANONYMOUS };
    const failures: Failure[] = [];
    // A sent credential identifies the caller; anonymous access applies only if none fits.
    for (const requirement of operation.security.filter((one) => Object.keys(one).length > 0)) {
      const outcome = checkRequirement(requirement, { api, credentials, request, query });
      if (outcome.ok) return outcome;
      failures.push(outcome);
    }
    if (operation.security.some((one) => Object.keys(one).length === 0)) return { ok: true, caller: ANONYMOUS };
    const isAbsent = failures.every(({ reason }) => reason === 'absent');
    if (isAbsent && credentials === undefined && isOptional(operation, api)) return { ok: true, caller: ANONYMOUS };
    return refuse(failures, operation, api);
  };
}

/** Whether a mock without a list of credentials accepts requests that have none, as an emulator does. */
export function isOptional({ security }: Pick<Operation, 'security'>, { securitySchemes }: Api): boolean {
  return security.some((requirement) =>
    Object.keys(requirement).every((name) => securitySchemes.get(name)?.extensions['x-optional'] === true),
  );
}

interface CheckContext {
  readonly api: Api;
  readonly credentials: readonly Credential[] | undefined;
  readonly request: Pick<MockRequest, 'headers'>;
  readonly query: URLSearchParams;
}

/** How close an alternative came to success, ascending. The closest one explains the refusal. */
const CLOSENESS = ['absent', 'malformed', 'unknown', 'scope'] as const;

interface Failure {
  readonly ok: false;
  readonly reason: (typeof CLOSENESS)[number];
  readonly message: string;
  /** The refused caller, if only a scope is missing. */
  readonly caller?: Caller;
}

function checkRequirement(
  requirement: SecurityRequirement,
  context: CheckContext,
): { readonly ok: true; readonly caller: Caller } | Failure {
  let caller: Caller | undefined;
  for (const [name, demanded] of Object.entries(requirement)) {
    const scheme = context.api.securitySchemes.get(name);
    // Fails closed: a typo in a spec must not open an operation.
    if (scheme === undefined)
      return failure('unknown', `the spec does not declare the scheme ${stringifyExactJson(name)}`);
    const outcome = checkScheme(scheme, demanded, context);
    if (!outcome.ok) return outcome;
    caller = caller === undefined ? outcome.caller : mergeCallers(caller, outcome.caller);
  }
  return { ok: true, caller: caller ?? ANONYMOUS };
}

function checkScheme(
  scheme: SecurityScheme,
  demanded: readonly string[],
  { credentials, request, query }: CheckContext,
): { readonly ok: true; readonly caller: Caller } | Failure {
  const presented = readCredential(scheme, request, query);
  if (presented === 'absent') return failure('absent', `it has no ${describeScheme(scheme)}`);
  if (presented === 'malformed') return failure('malformed', `its ${describeScheme(scheme)} is malformed`);
  if (presented.key === INVALID || presented.token === INVALID) {
    return failure('unknown', `its ${describeScheme(scheme)} is invalid`);
  }
  const listed = credentials?.find((one) => isSame(one, presented));
  // Credentials issued by the API are not in the list; its handlers check them.
  const isIssued = scheme.extensions['x-issued'] === true;
  if (credentials !== undefined && listed === undefined && !isIssued) {
    return failure('unknown', `its ${describeScheme(scheme)} is not known`);
  }
  const anyOf = textsIn(scheme.extensions['x-scopes']);
  const scopes = listed?.scopes ?? [...new Set([...demanded, ...anyOf])];
  const missing = demanded.filter((scope) => !scopes.includes(scope));
  const caller = toCaller(presented, { scheme, listed, scopes });
  if (missing.length > 0)
    return { ...failure('scope', `its credential lacks the scope ${missing.join(', ')}`), caller };
  if (anyOf.length > 0 && !anyOf.some((scope) => scopes.includes(scope))) {
    return { ...failure('scope', `its credential has none of the scopes ${anyOf.join(', ')}`), caller };
  }
  return { ok: true, caller };
}

function toCaller(
  { key, token, account }: PresentedCredential,
  {
    scheme,
    listed,
    scopes,
  }: { readonly scheme: SecurityScheme; readonly listed: Credential | undefined; readonly scopes: readonly string[] },
): Caller {
  const id = listed?.key ?? key ?? token ?? ANONYMOUS.id;
  const own = listed?.account ?? id;
  return {
    id,
    account: account === undefined ? own : `${own}\\${account}`,
    ...(key === undefined ? {} : { key }),
    ...(token === undefined ? {} : { token }),
    kind: listed?.kind ?? 'user',
    scopes,
    schemes: [scheme.id],
    properties: listed?.properties ?? {},
  };
}

/** Merges the callers of schemes that are required together. The first one gives the id. */
function mergeCallers(one: Caller, other: Caller): Caller {
  return {
    ...other,
    ...one,
    scopes: [...new Set([...one.scopes, ...other.scopes])],
    schemes: [...one.schemes, ...other.schemes],
    properties: { ...other.properties, ...one.properties },
  };
}

/** Whether a credential is the listed one. A token may be sent as an API key, and a key as a bearer token. */
function isSame(listed: Credential, { key, secret, token }: PresentedCredential): boolean {
  if (secret !== undefined) return listed.key === key && (listed.secret === undefined || listed.secret === secret);
  const value = token ?? key;
  if (value === undefined) return false;
  // A key with a secret is not valid without it.
  return listed.token === value || (listed.key === value && listed.secret === undefined);
}

function failure(reason: Failure['reason'], message: string): Failure {
  return { ok: false, reason, message };
}

function refuse(failures: readonly Failure[], operation: Pick<Operation, 'security'>, api: Api): Identification {
  const closest = failures.reduce((best, one) =>
    CLOSENESS.indexOf(one.reason) > CLOSENESS.indexOf(best.reason) ? one : best,
  );
  if (closest.reason === 'scope') {
    const { caller } = closest;
    const message = `The request is not allowed: ${closest.message}.`;
    return { ok: false, status: 403, message, ...(caller === undefined ? {} : { caller }) };
  }
  const absent = failures.every(({ reason }) => reason === 'absent');
  const said = absent
    ? [...new Set(failures.map(({ message }) => message.replace('it has no ', '')))].join(', or ')
    : closest.message;
  const message = absent ? `The request needs a credential: ${said}.` : `The request is not authenticated: ${said}.`;
  const challenge = findChallenge(operation, api, !absent);
  return { ok: false, status: 401, message, ...(challenge === undefined ? {} : { challenge }) };
}

function describeScheme(scheme: SecurityScheme): string {
  switch (scheme.type) {
    case 'apiKey':
      return scheme.in === 'query' ? `query parameter ${scheme.name}` : `${scheme.in} ${scheme.name}`;
    case 'http':
      return `${scheme.scheme} ${/^bearer$/i.test(scheme.scheme) ? 'token' : 'credential'} in the header Authorization`;
    case 'mutualTLS':
      return 'client certificate (the mock has no TLS; a TLS proxy sends it as X-Forwarded-Client-Cert)';
    default:
      return 'bearer token in the header Authorization';
  }
}

/** Returns `WWW-Authenticate` for a 401 (RFC 9110, section 15.5.2); `undefined` if only certificates are accepted. */
function findChallenge({ security }: Pick<Operation, 'security'>, api: Api, isRefused: boolean): string | undefined {
  const realm = `realm="${toQuotable(api.title)}"`;
  const challenges = security
    .flatMap((requirement) => Object.keys(requirement))
    .flatMap((name) => challengeOf(api.securitySchemes.get(name), realm, isRefused) ?? []);
  return challenges.length === 0 ? undefined : [...new Set(challenges)].join(', ');
}

function challengeOf(scheme: SecurityScheme | undefined, realm: string, isRefused: boolean): string | undefined {
  switch (scheme?.type) {
    case 'apiKey':
      // HTTP has no registered scheme for keys; many servers use this name.
      return `ApiKey ${realm}, in="${scheme.in}", name="${toQuotable(scheme.name)}"`;
    case 'oauth2':
    case 'openIdConnect':
      return challengeBearer(realm, isRefused);
    case 'http':
      return challengeHttp(scheme.scheme.toLowerCase(), realm, isRefused);
    default:
      return undefined;
  }
}

function challengeHttp(word: string, realm: string, isRefused: boolean): string | undefined {
  if (word === 'basic') return `Basic ${realm}, charset="UTF-8"`;
  if (word === 'bearer') return challengeBearer(realm, isRefused);
  if (word === 'digest') return `Digest ${realm}, nonce="specmill", qop="auth"`;
  return /^[\w-]+$/.test(word) ? `${word} ${realm}` : undefined;
}

function challengeBearer(realm: string, isRefused: boolean): string {
  return `Bearer ${realm}${isRefused ? ', error="invalid_token"' : ''}`;
}

/** Removes characters from a title or name of a spec that are not safe in a quoted string of a header. */
function toQuotable(text: string): string {
  return text.replaceAll(/[^\w .,:-]/g, '').slice(0, 100);
}
