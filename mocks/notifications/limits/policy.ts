import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { RateLimitPolicy } from '../../../generated/rate-limits/types.js';
import { packageRoot } from '../../../model/package-info.js';

let policy: RateLimitPolicy | undefined;

/** The limits of the platform, as `specs/rate-limits/policy.json` has them. A test holds that file against its schema. */
export function readPolicy(): RateLimitPolicy {
  policy ??= JSON.parse(
    readFileSync(path.join(packageRoot, 'specs/rate-limits/policy.json'), 'utf8'),
  ) as RateLimitPolicy;
  return policy;
}
