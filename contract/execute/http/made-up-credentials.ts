import { getOrInsert } from '../../../model/maps.js';
import { isLoopback } from '../../../http/wire/loopback.js';
import type { Api, Operation } from '../../../model/api.js';

/** Whether a server is on this machine, or a mock in this process: only such servers are sent made-up credentials. */
export function isLocalServer({ hostname }: URL): boolean {
  return isLoopback(hostname) || /\.mock$/i.test(hostname);
}

/** Whether an operation refuses requests without a credential. */
export function demandsCredential({ security }: Operation, { securitySchemes }: Api): boolean {
  // The requirements of an undeclared scheme are unknown.
  const isKnown = (requirement: object): boolean =>
    Object.keys(requirement).length > 0 && Object.keys(requirement).every((name) => securitySchemes.has(name));
  return security.length > 0 && security.every(isKnown);
}

/** Whether a run makes up credentials, and the security schemes for which the server refuses them. */
export class MadeUpCredentials {
  readonly #isOff: boolean;
  readonly #isOn: boolean;
  readonly #refused = new Set<string>();
  readonly #known = new Set<string>();

  /** Only servers on this machine get made-up credentials. */
  constructor(url: URL, isOff: boolean) {
    this.#isOff = isOff;
    this.#isOn = !isOff && isLocalServer(url);
  }

  mayHave({ security }: Operation): boolean {
    return this.#isOn && !schemesOf(security).some((name) => this.#refused.has(name));
  }

  /** Whether the run goes without a made-up credential where it would have one otherwise. */
  isLeftOut({ security }: Operation): boolean {
    return this.#isOff || schemesOf(security).some((name) => this.#refused.has(name));
  }

  /** Whether nothing is known yet about the credential of an operation. */
  isUnknown(operation: Operation): boolean {
    return this.mayHave(operation) && schemesOf(operation.security).some((name) => !this.#known.has(name));
  }

  /** Keeps what a response showed about the credential of an operation. */
  learn({ security }: Operation, isRefused: boolean): void {
    for (const name of schemesOf(security)) (isRefused ? this.#refused : this.#known).add(name);
  }
}

/** The schemes of the alternative that a made-up credential is for. */
function schemesOf(security: Operation['security']): readonly string[] {
  return Object.keys(security.find((one) => Object.keys(one).length > 0) ?? {});
}

/** Names of headers, in lower case, and of query parameters. */
export interface CredentialPlaces {
  readonly headers: ReadonlySet<string>;
  readonly query: ReadonlySet<string>;
}

const places = new WeakMap<Api, CredentialPlaces>();

/** The headers and query parameters that carry credentials, and are left out of requests without credentials. */
export function credentialPlaces(api: Api): CredentialPlaces {
  return getOrInsert(places, api, () => findPlaces(api));
}

function findPlaces(api: Api): CredentialPlaces {
  const headers = new Set(['authorization', 'cookie']);
  const query = new Set<string>();
  for (const scheme of api.securitySchemes.values()) {
    if (scheme.type !== 'apiKey') continue;
    if (scheme.in === 'header') headers.add(scheme.name.toLowerCase());
    if (scheme.in === 'query') query.add(scheme.name);
  }
  return { headers, query };
}
