import type { EmitterApi, EmitterKit } from '../../emitter-kit/contract.js';

type Scheme = EmitterApi['securitySchemes'] extends ReadonlyMap<string, infer Value> ? Value : never;

/** Prints the security schemes as data. */
export function printSchemes({ securitySchemes, title }: EmitterApi, { print }: EmitterKit): string {
  const realm = `realm="${toQuotable(title)}"`;
  const entries = [...securitySchemes].map(([name, scheme]) => [name, describe(scheme, realm)] as const);
  return print.literal(Object.fromEntries(entries));
}

function describe(scheme: Scheme, realm: string): object {
  switch (scheme.type) {
    case 'apiKey':
      return {
        ...{ type: scheme.in, name: scheme.name },
        challenge: `ApiKey ${realm}, in="${scheme.in}", name="${toQuotable(scheme.name)}"`,
      };
    case 'http':
      return describeHttp(scheme.scheme, realm);
    case 'mutualTLS':
      return { type: 'certificate', name: '' };
    default:
      return { type: 'authorization', name: 'Bearer', challenge: `Bearer ${realm}` };
  }
}

function describeHttp(word: string, realm: string): object {
  if (word.toLowerCase() === 'basic')
    return { type: 'basic', name: 'Basic', challenge: `Basic ${realm}, charset="UTF-8"` };
  const name = word.toLowerCase() === 'bearer' ? 'Bearer' : word;
  return { type: 'authorization', name, ...(/^[\w-]+$/.test(name) ? { challenge: `${name} ${realm}` } : {}) };
}

/** Removes characters that are not safe in a quoted string of a header. */
function toQuotable(text: string): string {
  return text.replaceAll(/[^\w .,:-]/g, '').slice(0, 100);
}

/** The type of the credential that a function of `authenticate` receives. */
export function credentialType(scheme: Scheme | undefined): string {
  if (scheme?.type === 'mutualTLS') return 'undefined';
  return scheme?.type === 'http' && scheme.scheme.toLowerCase() === 'basic' ? 'rt.UserPassword' : 'string';
}
