import { startRedis } from './start-redis.js';

/** Before all tests of a run with `STORE=redis`: one Redis for all of them. */
export async function setup(): Promise<() => Promise<void>> {
  const redis = await startRedis();
  process.env['REDIS_URL'] = redis.url;
  return async () => {
    await redis[Symbol.asyncDispose]();
  };
}
