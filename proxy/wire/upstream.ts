import { Agent as HttpAgent, type ClientRequest, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

import { InputError } from '../../model/diagnostics/input-error.js';
import { splitTarget } from '../../http/routing/request-target.js';
import type { RawHeaders } from '../exchange/exchange.js';

/** An unused connection is given up before most servers do, so that none is closed in the moment it is used. Milliseconds. */
const IDLE_CONNECTION = 4_000;

/** A request as it goes to the server. */
export interface UpstreamRequest {
  readonly method: string;
  /** Path and query, as the client sent them. */
  readonly target: string;
  readonly headers: RawHeaders;
}

/** The one server that a proxy speaks to. No other is ever contacted, and redirects are for the client to follow. */
export class Upstream {
  readonly #base: string;
  /** The base paths of the spec's servers that the upstream's own replaces, the longest first. */
  readonly #replaced: readonly string[];
  readonly #agent: HttpAgent;
  readonly #request: typeof httpRequest;
  readonly #address: { readonly protocol: string; readonly hostname: string; readonly port: number };
  /** Its host, with the port where that is not the usual one. */
  readonly host: string;
  /** Read once: the members of a `URL` are computed each time. */
  readonly #origin: string;

  /** @param servedBases - the base paths of the servers of the spec, without a slash at the end. */
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

  /** Where a target of a client leads. */
  urlOf(target: string): string {
    return this.#origin + this.#pathOf(target);
  }

  /**
   * Opens a request; its body is for the caller to write.
   *
   * @param isFresh - not over a connection that was used before.
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

  /** The base path goes before every path, instead of a base path of the spec. `*` is the server as a whole. */
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

/** @throws InputError for an address that is not the URL of a server. */
export function readUpstream(given: string | URL): URL {
  const text = String(given);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new InputError(
      `The upstream must be a URL such as http://127.0.0.1:8080/base, and ${JSON.stringify(text)} is not one.`,
    );
  if (url.username !== '' || url.password !== '')
    throw new InputError('The upstream must be without a user name and password: clients send their own credentials.');
  if (url.search !== '' || url.hash !== '') throw new InputError('The upstream must be without a query.');
  return url;
}
