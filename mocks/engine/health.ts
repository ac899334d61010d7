import type { Handler, HandlerContext } from 'specmill/mock';

import type { EngineOperations, HealthReport } from '../../generated/engine/types.js';
import { listEntities } from './rows.js';
import { SETTINGS } from './settings.js';

/** A report of the state: a mock has no database, so every check passes at once. */
export const getHealth: Handler<EngineOperations['getHealth']> = async (call) => {
  const cache = call.memory('health', (): { report?: HealthReport; madeAt: number } => ({ madeAt: 0 }));
  const now = call.clock.now();
  const age = now - cache.madeAt;
  if (cache.report === undefined || age < 0 || age >= SETTINGS.healthTtl * 1_000) {
    cache.report = await checkAll(call, now);
    cache.madeAt = now;
  }
  return call.respond(200, cache.report);
};

async function checkAll(
  context: Pick<HandlerContext, 'api' | 'collection' | 'realName'>,
  now: number,
): Promise<HealthReport> {
  const { version } = context.api;
  const data = { 'response-ms': 0, 'threshold-ms': SETTINGS.healthThreshold };
  const entities = await listEntities(context);
  return {
    status: 'Healthy',
    version,
    'app-name': context.realName(`engine_${version}`),
    timestamp: new Date(now).toISOString(),
    configuration: { rest: true, graphql: true, mcp: true, caching: false, telemetry: false, mode: SETTINGS.mode },
    checks: [
      { status: 'Healthy', name: 'mock', tags: ['data-source'], data },
      ...entities.map(({ name }) => ({ status: 'Healthy' as const, name, tags: ['endpoint', 'rest'], data })),
    ],
  };
}
