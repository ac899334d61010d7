import type { Api, Operation } from '../../model/api.js';
import type { HeaderMap } from '../messages.js';
import type { RequestViolation } from '../request/refuse-request.js';
import type { IdentifyCaller } from './caller.js';
import { readCredential } from './read-credential.js';

/** Returns a violation if a required credential is missing or malformed. Only the server knows which are accepted. */
export function checkCredentialForm(
  { security }: Operation,
  { query, headers }: { readonly query: string; readonly headers: HeaderMap },
  { api, identify }: { readonly api: Api; readonly identify: IdentifyCaller },
): readonly RequestViolation[] {
  if (security.length === 0) return [];
  const fields = new URLSearchParams(query);
  const isPresent = (name: string): boolean => {
    const scheme = api.securitySchemes.get(name);
    if (scheme === undefined) return false;
    // A proxy does not see the client's certificate.
    return scheme.type === 'mutualTLS' || typeof readCredential(scheme, { headers }, fields) === 'object';
  };
  if (security.some((requirement) => Object.keys(requirement).every(isPresent))) return [];
  const found = identify({ security }, { headers }, fields);
  if (found.ok) return [];
  const { status, message, challenge } = found;
  const violation = { in: 'security', pointer: '', message } as const;
  return [{ violation, status, ...(challenge === undefined ? {} : { challenge }) }];
}
