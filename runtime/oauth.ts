import type { CredentialSource } from './serialize.js';

/** A stored token. Plain data, so it can be saved as JSON. */
export interface StoredToken {
  readonly accessToken: string;
  /** Milliseconds since 1970; `undefined` if the server did not state it. */
  readonly expiresAt?: number | undefined;
  readonly refreshToken?: string | undefined;
}

/** Where a token is kept. Default: in memory. */
export interface TokenStorage {
  readonly get: () => StoredToken | undefined | Promise<StoredToken | undefined>;
  readonly set: (token: StoredToken) => void | Promise<void>;
}

/** Options of {@link oauth2}. */
export interface OAuth2Options {
  /** Address of the token endpoint. */
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  /** Scopes, separated by spaces. */
  readonly scope?: string | undefined;
  /** Starts the refresh token flow. Without it, and without one in the storage, the client credentials are used. */
  readonly refreshToken?: string | undefined;
  /** How the client identifies itself: HTTP Basic, or members of the form. Default: `'basic'` if there is a secret. */
  readonly authentication?: 'basic' | 'form' | undefined;
  /** Further members of the form, such as `audience`. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  readonly storage?: TokenStorage | undefined;
  /**
   * How long before its expiry a token is replaced, in milliseconds. Default: 30 s, but at most a tenth of its
   * lifetime.
   */
  readonly early?: number | undefined;
  /** Replaces the `fetch` of the platform. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** The token endpoint refused. Contains no secret. */
export class OAuth2Error extends Error {
  override readonly name: string = 'OAuth2Error';
  /** The error code of RFC 6749, such as `invalid_grant`. */
  readonly code: string | undefined;
  readonly status: number;

  constructor(status: number, code: string | undefined) {
    super(`The token endpoint responded ${status}${code === undefined ? '' : `: ${code}`}.`);
    this.code = code;
    this.status = status;
  }
}

/**
 * A credential that gets access tokens with the client credentials or the refresh token flow (RFC 6749), keeps each
 * until shortly before it expires, and replaces it if the API responds with 401. Concurrent calls share one request.
 *
 * @example
 * ```ts
 * const token = oauth2({ tokenUrl, clientId, clientSecret, scope: 'read' });
 * ```
 */
export function oauth2(options: OAuth2Options): CredentialSource<string> {
  const storage = options.storage ?? createMemory();
  let running: Promise<string> | undefined;
  return async ({ reason }) => {
    const token = await storage.get();
    if (reason === 'call' && token !== undefined && isFresh(token)) return token.accessToken;
    running ??= requestToken(options, token)
      .then(async (fresh) => {
        await storage.set(fresh);
        return fresh.accessToken;
      })
      .finally(() => (running = undefined));
    return running;
  };
}

function createMemory(): TokenStorage {
  let kept: StoredToken | undefined;
  return { get: () => kept, set: (token) => void (kept = token) };
}

function isFresh({ expiresAt = Infinity }: StoredToken): boolean {
  return Date.now() < expiresAt;
}

async function requestToken(options: OAuth2Options, old: StoredToken | undefined): Promise<StoredToken> {
  const refreshToken = old?.refreshToken ?? options.refreshToken;
  const response = await postForm(options, buildTokenRequest(options, refreshToken));
  const body = (await response.json().catch(() => ({}))) as Readonly<Record<string, unknown>>;
  const { access_token: accessToken, expires_in: seconds, refresh_token: next, error } = body;
  if (!response.ok || typeof accessToken !== 'string')
    throw new OAuth2Error(response.status, typeof error === 'string' ? error : undefined);
  const lifetime = Number(seconds ?? Number.NaN) * 1000;
  const early = options.early ?? Math.min(30_000, lifetime / 10);
  return {
    accessToken,
    ...(Number.isNaN(lifetime) ? {} : { expiresAt: Date.now() + lifetime - early }),
    // If the server sends no new refresh token, the old one stays valid.
    refreshToken: typeof next === 'string' ? next : refreshToken,
  };
}

const MOST_REDIRECTS = 5;

/**
 * Sends the request of a token. It contains secrets, so it follows only redirects to the same origin that keep the method;
 * browsers do not show where a redirect leads, so there none is followed.
 */
async function postForm(options: OAuth2Options, first: TokenRequest): Promise<Response> {
  let { url } = first;
  for (let redirects = 0; ; redirects += 1) {
    const request = new Request(url, { ...first.init, redirect: 'manual' });
    const response = await (options.fetch ?? fetch)(request);
    const location = response.status === 307 || response.status === 308 ? response.headers.get('location') : null;
    if (location === null || redirects === MOST_REDIRECTS || !URL.canParse(location, url)) return response;
    const next = new URL(location, url);
    if (next.origin !== new URL(request.url).origin) return response;
    url = next.href;
  }
}

interface TokenRequest {
  readonly url: string;
  readonly init: RequestInit;
}

function buildTokenRequest(options: OAuth2Options, refreshToken: string | undefined): TokenRequest {
  const { tokenUrl, clientId, clientSecret, scope, parameters = {} } = options;
  const form = new URLSearchParams(parameters);
  form.set('grant_type', refreshToken === undefined ? 'client_credentials' : 'refresh_token');
  if (refreshToken !== undefined) form.set('refresh_token', refreshToken);
  if (scope !== undefined) form.set('scope', scope);
  const headers = new Headers({ accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' });
  if (clientSecret !== undefined && options.authentication !== 'form') {
    const pair = [clientId, clientSecret].map(encodeForm).join(':');
    headers.set('authorization', `Basic ${btoa(pair)}`);
  } else {
    form.set('client_id', clientId);
    if (clientSecret !== undefined) form.set('client_secret', clientSecret);
  }
  return { url: tokenUrl, init: { method: 'POST', headers, body: form.toString() } };
}

/** RFC 6749, section 2.3.1: the client id and the secret are form-encoded. */
function encodeForm(text: string): string {
  return new URLSearchParams({ _: text }).toString().slice(2);
}
