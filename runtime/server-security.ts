import { parseCookies, parseFields } from './fields.js';
import { decodeLeniently } from './pointer.js';
import { ServerError } from './server-error.js';
import type { AuthRequest, Authenticate, ServerCall, Guard, ServerOperation, ServerScheme } from './server-types.js';

/** The security schemes by name. */
type Schemes = Readonly<Record<string, ServerScheme>>;

/** The functions that check credentials, by name of the scheme. */
type AuthenticateAll = Readonly<Record<string, Authenticate<never, unknown>>>;

type Requirement = Readonly<Record<string, readonly string[]>>;

interface AuthScope {
  readonly schemes: Schemes;
  readonly functions: AuthenticateAll;
  readonly call: ServerCall;
  readonly request: AuthRequest;
}

/** Makes the guard of an API with these security schemes. */
export function guard(schemes: Schemes): Guard {
  return (operations, given) => {
    const functions = given as AuthenticateAll;
    checkFunctions(operations, functions);
    return (operation, call) => identify(operation, call, { schemes, functions });
  };
}

function checkFunctions(operations: readonly ServerOperation[], functions: AuthenticateAll): void {
  for (const { name, security = [] } of operations)
    for (const scheme of security.flatMap((one) => Object.keys(one)))
      if (!Object.hasOwn(functions, scheme))
        throw new TypeError(`${name} requires the security scheme ${scheme}; authenticate has no function for it.`);
}

/**
 * Finds whose credentials a request has: the result for the first scheme of the first requirement that is met.
 *
 * @throws ServerError 401 without valid credentials, 403 if they lack a scope.
 */
async function identify(
  { name, security = [] }: ServerOperation,
  call: ServerCall,
  { schemes, functions }: Pick<AuthScope, 'schemes' | 'functions'>,
): Promise<unknown> {
  const { method, path, header } = call;
  const scope: AuthScope = { schemes, functions, call, request: { method, path, header, operation: name } };
  let refusal: ServerError | undefined;
  let isSent = false;
  for (const requirement of security) {
    const outcome = await meet(requirement, scope);
    if (outcome.isMet && Object.keys(requirement).length > 0) return outcome.identity;
    refusal ??= outcome.refusal;
    isSent ||= outcome.isSent;
  }
  if (security.some((one) => Object.keys(one).length === 0)) return undefined;
  throw refusal ?? unauthorized(security, schemes, isSent);
}

interface Outcome {
  readonly isMet: boolean;
  readonly isSent: boolean;
  readonly identity?: unknown;
  readonly refusal?: ServerError;
}

async function meet(requirement: Requirement, { schemes, functions, call, request }: AuthScope): Promise<Outcome> {
  let identity: unknown;
  for (const [name, scopes] of Object.entries(requirement)) {
    const scheme = Object.hasOwn(schemes, name) ? schemes[name] : undefined;
    const check = Object.hasOwn(functions, name) ? functions[name] : undefined;
    const credential = scheme === undefined ? undefined : readCredential(scheme, call);
    if (scheme === undefined || check === undefined || (credential === undefined && scheme.type !== 'certificate'))
      return { isMet: false, isSent: false };
    const found = await check(credential as never, scopes, request);
    if (found === undefined || found === null || found === false) return { isMet: false, isSent: true };
    const missing = missingScopes(found, scopes);
    if (missing.length > 0) {
      const message = `The request is not allowed: its credential lacks the scope ${missing.join(', ')}.`;
      return { isMet: false, isSent: true, refusal: new ServerError(403, message) };
    }
    identity ??= found;
  }
  return { isMet: true, isSent: true, identity };
}

/** The scopes that an identity lacks, if it lists its own in `scopes`. */
function missingScopes(identity: unknown, scopes: readonly string[]): readonly string[] {
  const own = typeof identity === 'object' ? (identity as { readonly scopes?: unknown }).scopes : undefined;
  return Array.isArray(own) ? scopes.filter((scope) => !own.includes(scope)) : [];
}

function unauthorized(security: readonly Requirement[], schemes: Schemes, isSent: boolean): ServerError {
  const names = new Set(security.flatMap((one) => Object.keys(one)));
  const challenges = [...names].flatMap((name) => schemes[name]?.challenge ?? []);
  const message = isSent ? 'The credential of the request is not valid.' : 'The request needs a credential.';
  const challenge = [...new Set(challenges)].map((one) =>
    isSent && one.startsWith('Bearer') ? `${one}, error="invalid_token"` : one,
  );
  return new ServerError(401, message, {
    headers: challenge.length === 0 ? {} : { 'www-authenticate': challenge.join(', ') },
  });
}

/** The credential of a request; `undefined` if it is absent or malformed. */
function readCredential({ type, name }: ServerScheme, call: ServerCall): unknown {
  switch (type) {
    case 'header':
      return present(readKey(call.header(name), name));
    case 'query':
      return present(last(parseFields(call.query).get(name)));
    case 'cookie':
      return present(last(parseCookies(call.header('cookie') ?? '').get(name)));
    case 'certificate':
      return undefined;
    default: {
      const [word = '', rest = ''] = split(call.header('authorization') ?? '');
      if (word.toLowerCase() !== name.toLowerCase() || rest === '') return undefined;
      return type === 'basic' ? readBasic(rest) : rest;
    }
  }
}

function present(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

function last(texts: readonly string[] | undefined): string | undefined {
  const text = texts?.[texts.length - 1];
  return text === undefined ? undefined : decodeLeniently(text);
}

/** A key in `Authorization` may have the word of a scheme before it. */
function readKey(value: string | undefined, name: string): string | undefined {
  if (value === undefined || name.toLowerCase() !== 'authorization') return value;
  return value.replace(/^(?:token|bearer|apikey) /i, '').trim();
}

function split(text: string): readonly string[] {
  const place = text.indexOf(' ');
  return place === -1 ? [text] : [text.slice(0, place), text.slice(place + 1).trim()];
}

function readBasic(encoded: string): unknown {
  try {
    const text = decodeLatin(atob(encoded));
    const colon = text.indexOf(':');
    return colon < 1 ? undefined : { username: text.slice(0, colon), password: text.slice(colon + 1) };
  } catch {
    return undefined;
  }
}

/** Reads UTF-8, or else each byte as a character. */
function decodeLatin(binary: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(binary, (one) => one.charCodeAt(0)));
  } catch {
    return binary;
  }
}
