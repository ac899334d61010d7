/**
 * Reads what is left of the limits, runs into one, and waits as the platform asks, with the generated clients against a
 * mock in this very process.
 *
 *     npm run build && npx jiti examples/rate-limits/stay-within-limits.ts
 */
import { readFile } from 'node:fs/promises';

import { createNotificationsClient, isNotificationsError } from '../../generated/notifications/client.js';
import { createRateLimitsClient } from '../../generated/rate-limits/client.js';
import { assertRateLimitPolicy } from '../../generated/rate-limits/validators.js';
import type { RateLimitPolicy } from '../../generated/rate-limits/types.js';
import { startMock } from 'specmill/mock';

// The policy is data: the mock, the clients and this program read the same file.
const file = new URL('../../specs/rate-limits/policy.json', import.meta.url);
const policy = JSON.parse(await readFile(file, 'utf8')) as RateLimitPolicy;
assertRateLimitPolicy(policy);
const write = policy.secondary.points.find(({ methods }) => methods?.includes('PUT'));
const endpoint = policy.secondary.limits.find(({ id }) => id === 'rest-points');
console.log(
  `a write costs ${write?.points} points, an endpoint has ${endpoint?.limit} in ${endpoint?.windowSeconds} s`,
);

// Limits are enforced by the mock of notifications.
const mock = await startMock('notifications');
const connection = { baseUrl: mock.url, fetch: mock.fetch, credentials: { bearerToken: 'my-token' } };
const limits = createRateLimitsClient(connection);

/** Asking for the limits is free. */
async function report(step: string): Promise<void> {
  const { data } = await limits.getRateLimit();
  const { limit, used, remaining } = data.resources.core;
  console.log(`${step}: ${used} of ${limit} used, ${remaining} left`);
}
await report('at first');

// A careless client goes on until it is refused.
const careless = createNotificationsClient(connection);
try {
  for (;;) await careless.markNotificationsAsRead();
} catch (error) {
  if (!isNotificationsError(error, 'markNotificationsAsRead')) throw error;
  console.log(`refused: ${error.status}, retry-after ${error.headers['retry-after']}`);
}
await report('careless');

// A careful one waits, and repeats the call then. Here the clock of the mock is moved, so the example does not wait.
let now = Date.now();
async function sleep(milliseconds: number): Promise<void> {
  await mock.clock.advance(`PT${milliseconds / 1000}S`);
  now += milliseconds;
}
const careful = createNotificationsClient({
  ...connection,
  retry: { sleep, now: () => now, onWait: ({ milliseconds }) => console.log(`waiting ${milliseconds / 1000} s`) },
});
await careful.markNotificationsAsRead();
await report('careful');
await mock.close();
