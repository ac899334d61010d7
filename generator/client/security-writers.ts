import type { Api, Operation, SecurityScheme } from '../../model/api.js';
import { toStringLiteral } from '../../model/identifiers.js';
import { printRecord } from './print-record.js';
import type { RuntimeImports } from './runtime-imports.js';

/** Prints the security alternatives of an operation; `undefined` if it never needs a credential. */
export function printSecurity(
  { security }: Operation,
  { api, imports }: { readonly api: Api; readonly imports: RuntimeImports },
): string | undefined {
  const alternatives = security.flatMap((requirement) => {
    const schemes = Object.keys(requirement).map((id) => [id, api.securitySchemes.get(id)] as const);
    const writers = schemes.flatMap(([id, scheme]) =>
      scheme === undefined || scheme.type === 'mutualTLS' ? [] : [[id, printWriter(scheme, imports)] as const],
    );
    // If no alternative can be met, nothing is sent anyway.
    return printRecord(writers, '  ') ?? [];
  });
  return alternatives.length === 0 ? undefined : `[${[...new Set(alternatives)].join(', ')}]`;
}

function printWriter(scheme: Exclude<SecurityScheme, { type: 'mutualTLS' }>, imports: RuntimeImports): string {
  if (scheme.type === 'apiKey') return `${imports.use(KEY_WRITERS[scheme.in])}(${toStringLiteral(scheme.name)})`;
  if (scheme.type !== 'http' || isScheme(scheme.scheme, 'bearer')) return imports.use('writeBearer');
  if (isScheme(scheme.scheme, 'basic')) return imports.use(hasSubAccounts(scheme) ? 'writeSubAccount' : 'writeBasic');
  return `${imports.use('writeAuthorization')}(${toStringLiteral(scheme.scheme)})`;
}

const KEY_WRITERS: Readonly<Record<'query' | 'header' | 'cookie', string>> = {
  query: 'writeKeyQuery',
  header: 'writeKeyHeader',
  cookie: 'writeKeyCookie',
};

function isScheme(name: string, wanted: string): boolean {
  return name.toLowerCase() === wanted;
}

function hasSubAccounts(scheme: SecurityScheme): boolean {
  return scheme.extensions['x-sub-account'] === true;
}

/** The runtime's type of a credential; `undefined` if a client has nothing to send. */
export function credentialType(
  scheme: SecurityScheme,
): 'BasicCredentials' | 'SubAccountCredentials' | 'Secret' | undefined {
  if (scheme.type === 'mutualTLS') return undefined;
  if (scheme.type !== 'http' || !isScheme(scheme.scheme, 'basic')) return 'Secret';
  return hasSubAccounts(scheme) ? 'SubAccountCredentials' : 'BasicCredentials';
}
