import type { Api, SecurityScheme } from '../../model/api.js';
import { toPropertyKey } from '../../model/identifiers.js';
import { printDocComment } from '../types/doc-comment.js';
import { credentialType } from './security-writers.js';

/** One credential of an API, ready to be printed. */
export interface CredentialView {
  /** Member name, quoted if needed. */
  readonly key: string;
  /** A type of the module `serialize` of the runtime. */
  readonly type: NonNullable<ReturnType<typeof credentialType>>;
  readonly doc: string;
}

/** The credentials of an API by security scheme. */
export function listCredentials(api: Api): CredentialView[] {
  return [...api.securitySchemes].flatMap(([id, scheme]) => {
    const type = credentialType(scheme);
    const doc = printDocComment([scheme.description, describeScheme(scheme)], '  ');
    return type === undefined ? [] : [{ key: toPropertyKey(id), type, doc }];
  });
}

function describeScheme(scheme: SecurityScheme): string | undefined {
  if (scheme.type === 'apiKey') return `Sent as \`${scheme.name.replaceAll('`', "'")}\` (${scheme.in}).`;
  if (scheme.type === 'http' && credentialType(scheme) === 'Secret') return 'Sent as `Authorization`.';
  return scheme.type === 'oauth2' || scheme.type === 'openIdConnect'
    ? 'An access token, sent as `Authorization: Bearer`.'
    : undefined;
}
