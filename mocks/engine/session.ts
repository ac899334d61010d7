import { type Caller, HttpError, isRecord, type MockRequest, readHeader, type RequestContext } from 'specmill/mock';

import type { Claims } from './configuration/entity.js';
import { type EngineSettings, settingsOf } from './configuration/settings.js';
import { refuse } from './refusals.js';

export interface Session {
  readonly role: string;
  readonly claims: Claims;
  /** Whether a credential could give the caller more permissions. */
  readonly mayAuthenticate: boolean;
}

/** The caller as the provider describes it. */
interface Principal {
  /** `any`: the caller chooses. */
  readonly roles: readonly string[] | 'any';
  readonly claims: Claims;
}

const ANONYMOUS = 'anonymous';
const AUTHENTICATED = 'authenticated';
const NOBODY: Principal = { roles: [ANONYMOUS], claims: {} };

type SessionContext = Pick<RequestContext, 'caller' | 'clock' | 'config' | 'options' | 'realName' | 'request'>;

const sessions = new WeakMap<MockRequest, Session>();

/**
 * Opens the session of a request, with the authentication provider of the configuration.
 *
 * @throws HttpError 401 for a credential that the provider refuses, 403 for a role that the caller does not have
 */
export function openSession(context: SessionContext): Session {
  const { request } = context;
  const known = sessions.get(request) ?? readSession(context);
  sessions.set(request, known);
  return known;
}

function readSession(context: SessionContext): Session {
  const { provider } = settingsOf(context).host;
  const { roles, claims } = identify(context);
  const isAnonymous = roles !== 'any' && !roles.includes(AUTHENTICATED);
  const role =
    readHeader(context.request, context.realName('X-Vendor-Api-Role')) ?? (isAnonymous ? ANONYMOUS : AUTHENTICATED);
  if (roles !== 'any' && !roles.includes(role)) throw refuse(403, `The caller does not have the role ${role}.`);
  return { role, claims, mayAuthenticate: isAnonymous && provider !== 'Unauthenticated' };
}

function identify(context: SessionContext): Principal {
  const { provider, jwt } = settingsOf(context).host;
  if (provider === 'Unauthenticated') return NOBODY;
  const listed = findListed(context);
  if (listed !== undefined) return listed;
  if (provider === 'Simulator') return { roles: 'any', claims: {} };
  if (provider === 'StaticWebApps' || provider === 'AppService') return readClientPrincipal(context);
  return jwt === undefined ? NOBODY : readToken(context, jwt);
}

/**
 * Finds a credential of `--credentials`, which is valid for every provider. Its scopes are roles; without any, the
 * caller has every role.
 */
function findListed({
  caller,
  options,
}: {
  readonly caller: Caller;
  readonly options: SessionContext['options'];
}): Principal | undefined {
  if (options['strictCredentials'] !== true || caller.kind === 'anonymous') return undefined;
  const claims = { sub: caller.id };
  if (caller.scopes.length === 0) return { roles: 'any', claims };
  return { roles: [ANONYMOUS, AUTHENTICATED, ...caller.scopes], claims };
}

/** Reads the caller from the header of the platform in front of the engine: JSON in Base64. */
function readClientPrincipal({ request, realName }: SessionContext): Principal {
  const header = readHeader(request, realName('X-Vendor-Client-Principal'));
  if (header === undefined) return NOBODY;
  const principal = parseJson(Buffer.from(header, 'base64').toString());
  if (principal === undefined) throw refuse(401, 'The client principal is not JSON in Base64.');
  const claims = Object.fromEntries(
    listOf(principal['claims']).flatMap(({ typ, val }) => (typeof typ === 'string' ? [[typ, val]] : [])),
  );
  const roleType = typeof principal['role_typ'] === 'string' ? principal['role_typ'] : 'roles';
  const named = listOf(principal['claims']).flatMap(({ typ, val }) =>
    typ === roleType || typ === 'roles' ? [val] : [],
  );
  const userRoles = Array.isArray(principal['userRoles']) ? principal['userRoles'] : [];
  const { userId } = principal;
  return {
    roles: [ANONYMOUS, AUTHENTICATED, ...[...userRoles, ...named].map(String)],
    claims: { ...(userId === undefined ? {} : { sub: userId, userId }), ...claims },
  };
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Reads a JSON Web Token with the audience and issuer of the configuration. Does not check its signature. */
function readToken({ request, clock }: SessionContext, jwt: NonNullable<EngineSettings['host']['jwt']>): Principal {
  const header = readHeader(request, 'authorization');
  if (header === undefined) return NOBODY;
  const [, payload] = /^bearer\s+[\w-]+\.([\w-]+)\.[\w-]*$/i.exec(header) ?? [];
  const claims = payload === undefined ? undefined : parseJson(Buffer.from(payload, 'base64url').toString());
  if (claims === undefined) throw refuseToken('The token is no JSON Web Token.');
  if (![claims['aud']].flat().includes(jwt.audience))
    throw refuseToken('The audience of the token is not the expected one.');
  if (claims['iss'] !== jwt.issuer) throw refuseToken('The issuer of the token is not the expected one.');
  const seconds = clock.now() / 1_000;
  if (typeof claims['exp'] === 'number' && claims['exp'] <= seconds) throw refuseToken('The token has expired.');
  if (typeof claims['nbf'] === 'number' && claims['nbf'] > seconds) throw refuseToken('The token is not valid yet.');
  return { roles: [ANONYMOUS, AUTHENTICATED, ...[claims['roles'] ?? []].flat().map(String)], claims };
}

function refuseToken(message: string): HttpError {
  return new HttpError(401, message, { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } });
}

function parseJson(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
