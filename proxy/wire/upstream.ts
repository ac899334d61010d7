import { Agent as HttpAgent, type ClientRequest, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

import { InputError } from '../../model/diagnostics/input-error.js';
import { splitTarget } from '../../http/routing/router.js';
import type { RawHeaders } from '../exchange/forwarded-exchange.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

/**
 * Idle connections are closed after this time, which is shorter than most servers' limit, to avoid races. Milliseconds.
 */
const IDLE_CONNECTION = 4_000;

/** The head of a request to the server. */
export interface UpstreamRequest {
  readonly method: string;
  /** Path and query, as the client sent them. */
  readonly target: string;
  readonly headers: RawHeaders;
}

/** The only server that a proxy contacts. Redirects are left to the client. */
export class Upstream {
  readonly #base: string;
  /** The base paths of the spec's servers that the upstream's base path replaces, longest first. */
  readonly #replaced: readonly string[];
  readonly #agent: HttpAgent;
  readonly #request: typeof httpRequest;
  readonly #address: { readonly protocol: string; readonly hostname: string; readonly port: number };
  /** The server's host, with its port unless it is the default one. */
  readonly host: string;
  /** Cached, because members of a `URL` are computed on each access. */
  readonly #origin: string;

  /** @param servedBases - the base paths of the spec's servers, without a trailing slash. */
  constructor(url: URL, servedBases: readonly string[] = []) {
    this.#base = url.pathname.replace(/(?<!\/)\/+$/, '');
    this.#replaced =
      this.#base === '' ? [] : servedBases.filter((base) => base !== '').toSorted((a, b) => b.length - a.length);
    const { protocol, hostname, port } = url;
    const isSecure = protocol === 'https:';
    const Agent = isSecure ? HttpsAgent : HttpAgent;
    this.#agent = new Agent({ keepAlive: true, timeout: IDLE_CONNECTION });
    this.#request = isSecure ? httpsRequest : httpRequest;
    this.host = url.host;
    this.#origin = url.origin;
    this.#address = {
      protocol,
      // An IPv6 address is in brackets in a URL.
      hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: port === '' ? (isSecure ? 443 : 80) : Number(port),
    };
  }

  /** Returns the server's URL for a request target. */
  urlOf(target: string): string {
    return this.#origin + this.#pathOf(target);
  }

  /**
   * Opens a request. The caller writes its body.
   *
   * @param isFresh - whether to use a new connection.
   * @throws TypeError if Node refuses to send it.
   */
  open({ method, target, headers }: UpstreamRequest, isFresh: boolean): ClientRequest {
    const { protocol, hostname, port } = this.#address;
    return this.#request({
      protocol,
      hostname,
      port,
      method,
      path: this.#pathOf(target),
      headers,
      agent: isFresh ? false : this.#agent,
    });
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Prepends the base path in place of one of the spec, except to `*`, which means the whole server. */
  #pathOf(target: string): string {
    if (target === '*') return target;
    if (target.startsWith('/')) return this.#base + this.#withoutBase(target);
    const { path, query } = splitTarget(target);
    return this.#base + this.#withoutBase(path) + (query === '' ? '' : `?${query}`);
  }

  #withoutBase(target: string): string {
    const served = this.#replaced.find(
      (base) => target.startsWith(base) && /^(?:[/?]|$)/.test(target.slice(base.length)),
    );
    return served === undefined ? target : target.slice(served.length);
  }
}

/** @throws InputError if the text is not the URL of a server. */
export function readUpstream(given: string | URL): URL {
  const text = String(given);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new InputError(
      `The upstream must be a URL such as http://127.0.0.1:8080/base, and ${stringifyExactJson(text)} is not one.`,
    );
  if (url.username !== '' || url.password !== '')
    throw new InputError('The upstream must not contain a user name or password: clients send their own credentials.');
  if (url.search !== '' || url.hash !== '') throw new InputError('The upstream must not have a query or a fragment.');
  return url;
}
