import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

import { specPath } from './support/load-spec.js';

interface Limit {
  readonly id: string;
  readonly limit: number | null;
  readonly windowSeconds: number | null;
}

/** The members of the policy that the rows below look at. */
interface Policy {
  readonly primary: {
    readonly limits: readonly Limit[];
    readonly largeFileStorage: { readonly objectsPerBatchRequest: number };
  };
  readonly secondary: {
    readonly limits: readonly Limit[];
    readonly points: readonly { readonly id: string; readonly points: number }[];
  };
}

const POLICY = JSON.parse(readFileSync(specPath('rate-limits', 'policy.json'), 'utf8')) as Policy;
const HOUR = 3600;
const MINUTE = 60;

describe('the policy of the rate limits', () => {
  test.each([
    ['core-unauthenticated', 60, HOUR],
    ['core-user', 5000, HOUR],
    ['core-enterprise-user', 15_000, HOUR],
    ['large-file-storage-unauthenticated', 300, MINUTE],
    ['large-file-storage-authenticated', 3000, MINUTE],
    ['core-app-installation', 5000, HOUR],
    ['core-app-installation-enterprise', 15_000, HOUR],
    ['core-oauth-app', 5000, HOUR],
    ['core-oauth-app-enterprise', 15_000, HOUR],
    ['core-workflow', 1000, HOUR],
    ['core-workflow-enterprise', 15_000, HOUR],
  ])('the primary limit of %s is %i in %i seconds', (id, limit, windowSeconds) => {
    expect(POLICY.primary.limits.find((one) => one.id === id)).toMatchObject({ limit, windowSeconds });
  });

  test.each([
    ['concurrent-requests', 100, null],
    ['rest-points', 900, MINUTE],
    ['graphql-points', 2000, MINUTE],
    ['cpu-time', 90, MINUTE],
    ['graphql-cpu-time', 60, MINUTE],
    ['content-per-minute', 80, MINUTE],
    ['content-per-hour', 500, HOUR],
    ['oauth-token-requests', 2000, HOUR],
  ])('the secondary limit of %s is %i', (id, limit, windowSeconds) => {
    expect(POLICY.secondary.limits.find((one) => one.id === id)).toMatchObject({ limit, windowSeconds });
  });

  test.each([
    ['graphql-query', 1],
    ['graphql-mutation', 5],
    ['rest-read', 1],
    ['rest-write', 5],
  ])('a request of the kind %s costs %i', (id, points) => {
    expect(POLICY.secondary.points.find((one) => one.id === id)).toMatchObject({ points });
  });

  test('the limit of an installation grows by 50 for each repository and each user above 20, up to 12,500', () => {
    expect(POLICY.primary.limits.find(({ id }) => id === 'core-app-installation')).toMatchObject({
      scaling: {
        perRepository: { above: 20, add: 50 },
        perUser: { above: 20, add: 50, organizationInstallationsOnly: true },
        cap: 12_500,
      },
    });
  });

  test('a batch request handles 100 objects', () => {
    expect(POLICY.primary.largeFileStorage.objectsPerBatchRequest).toBe(100);
  });
});
