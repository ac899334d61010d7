import { isRecord } from 'specmill/mock';

import type { BidiGenerateContentSetup } from '../../../generated/generation/types.js';
import type { StoredToken } from '../auth-tokens.js';

type Members = Readonly<Record<string, unknown>>;

/**
 * The setup that applies to a session with a token: the connection's where the token has none, the token's where it has
 * one and no field mask, else the connection's with the named fields of the token's in their place.
 */
export function mergeSetup(
  given: BidiGenerateContentSetup,
  { setup, fieldMask }: Pick<StoredToken, 'setup' | 'fieldMask'>,
): BidiGenerateContentSetup {
  if (fieldMask === '') return setup ?? given;
  let merged: Members = { ...given };
  for (const path of fieldMask.split(',')) merged = overwrite(merged, { ...setup }, path.split('.').map(toCamelCase));
  // Fields of one setup have taken the place of the same fields of another.
  return merged as unknown as BidiGenerateContentSetup;
}

/** A named field that the token's setup lacks is cleared. */
function overwrite(target: Members, source: Members, [name = '', ...rest]: readonly string[]): Members {
  const { [name]: old, ...others } = target;
  const value = Object.hasOwn(source, name) ? source[name] : undefined;
  if (rest.length === 0) return value === undefined ? others : { ...others, [name]: value };
  const inner = overwrite(isRecord(old) ? old : {}, isRecord(value) ? value : {}, rest);
  return old === undefined && Object.keys(inner).length === 0 ? others : { ...others, [name]: inner };
}

function toCamelCase(name: string): string {
  return name.replace(/(?<=[^_])_+([a-z0-9])/gi, (_all, next: string) => next.toUpperCase());
}
