import type { Api } from '../../../model/api.js';
import type { ContractHookRun, ContractOAuth } from '../../../config/contract-config.js';
import { InputError } from '../../../model/diagnostics/input-error.js';
import { isRecord } from '../../../model/document/records.js';

/** Time limit of a token request, in milliseconds. */
const TIME_LIMIT = 30_000;

/** Gets OAuth 2.0 tokens for a run: by client credentials (RFC 6749, section 4.4) and by refresh token (section 6). */
export class OAuthToken {
  readonly #given: ContractOAuth;
  readonly #tokenUrl: string;
  #refreshToken: string | undefined;

  /** @throws InputError if the secret is empty, or neither the user nor the spec gives the token URL. */
  constructor(given: ContractOAuth, api: Api, server: URL) {
    if (given.clientSecret === '' && given.refreshToken === undefined)
      throw new InputError('The clientSecret of oauth2 is empty: is its environment variable set?');
    const address = given.tokenUrl ?? documentedUrl(api);
    if (address === undefined)
      throw new InputError('The spec has no token URL of the flow clientCredentials: give oauth2.tokenUrl.');
    if (!URL.canParse(address, server)) throw new InputError('The tokenUrl of oauth2 is no URL.');
    this.#given = given;
    this.#tokenUrl = new URL(address, server).href;
    this.#refreshToken = given.refreshToken;
  }

  /** Returns the header of a new token. Uses the refresh token as long as it works. */
  async header({ fetch: send }: Pick<ContractHookRun, 'fetch'>): Promise<Readonly<Record<string, string>>> {
    const { scopes = [] } = this.#given;
    const scope = scopes.length === 0 ? {} : { scope: scopes.join(' ') };
    const refreshed =
      this.#refreshToken === undefined
        ? undefined
        : await this.#ask(send, { grant_type: 'refresh_token', refresh_token: this.#refreshToken });
    const response =
      refreshed?.ok === true ? refreshed : await this.#ask(send, { grant_type: 'client_credentials', ...scope });
    return { authorization: await this.#read(response) };
  }

  /** Sends the client's credentials in a header, which every server must support; else in the body, as some require. */
  async #ask(send: typeof fetch, form: Readonly<Record<string, string>>): Promise<Response> {
    const { clientId, clientSecret } = this.#given;
    const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64');
    const first = await this.#post(send, form, { authorization: `Basic ${basic}` });
    if (first.status !== 400 && first.status !== 401) return first;
    const second = await this.#post(send, { ...form, client_id: clientId, client_secret: clientSecret }, {});
    return second.ok ? second : first;
  }

  async #post(
    send: typeof fetch,
    form: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>>,
  ): Promise<Response> {
    const body = new URLSearchParams(form).toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
    const signal = AbortSignal.timeout(TIME_LIMIT);
    return send(this.#tokenUrl, { method: 'POST', headers: { ...type, ...headers }, body, redirect: 'manual', signal });
  }

  async #read(response: Response): Promise<string> {
    if (!response.ok) throw new Error(`the token URL responded ${response.status}`);
    const json: unknown = await response.json().catch(() => undefined);
    const token = isRecord(json) ? json['access_token'] : undefined;
    if (!isRecord(json) || typeof token !== 'string') throw new Error('the token URL gave no access_token');
    if (typeof json['refresh_token'] === 'string') this.#refreshToken = json['refresh_token'];
    return `Bearer ${token}`;
  }
}

function documentedUrl({ securitySchemes }: Api): string | undefined {
  for (const scheme of securitySchemes.values()) {
    const url = scheme.type === 'oauth2' ? scheme.flows['clientCredentials']?.tokenUrl : undefined;
    if (url !== undefined) return url;
  }
  return undefined;
}
