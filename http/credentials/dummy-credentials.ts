import type { Api, Operation, SecurityScheme } from '../../model/api.js';

/** The parts that a credential adds to a request. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

const NONE: Credentials = { headers: {}, query: {} };

/** Made-up credentials for the first alternative that an operation accepts. */
export function dummyCredentials(operation: Operation, api: Api): Credentials {
  const requirement = operation.security.find((one) => Object.keys(one).length > 0);
  return Object.keys(requirement ?? {}).reduce<Credentials>((all, name) => {
    const scheme = api.securitySchemes.get(name);
    const own = scheme === undefined ? NONE : dummyOf(scheme);
    return { headers: { ...all.headers, ...own.headers }, query: { ...all.query, ...own.query } };
  }, NONE);
}

function dummyOf(scheme: SecurityScheme): Credentials {
  switch (scheme.type) {
    case 'apiKey':
      return dummyKey(scheme);
    case 'http':
      return { headers: { authorization: dummyAuthorization(scheme.scheme) }, query: {} };
    case 'mutualTLS':
      return { headers: { 'x-forwarded-client-cert': 'specmill' }, query: {} };
    default:
      return { headers: { authorization: 'Bearer specmill-token' }, query: {} };
  }
}

function dummyKey({ in: place, name }: SecurityScheme & { readonly type: 'apiKey' }): Credentials {
  if (place === 'query') return { headers: {}, query: { [name]: 'specmill-key' } };
  if (place === 'cookie') return { headers: { cookie: `${name}=specmill-key` }, query: {} };
  const isToken = name.toLowerCase() === 'authorization';
  return { headers: { [name.toLowerCase()]: isToken ? 'Bearer specmill-token' : 'specmill-key' }, query: {} };
}

function dummyAuthorization(scheme: string): string {
  // base64 of specmill:secret
  if (scheme.toLowerCase() === 'basic') return 'Basic c3BlY21pbGw6c2VjcmV0';
  return `${scheme.charAt(0).toUpperCase()}${scheme.slice(1)} specmill-token`;
}
