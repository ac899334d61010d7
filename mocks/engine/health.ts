import type { Handler, HandlerContext } from 'specmill/mock';

import type { EngineOperations, HealthCheck, HealthReport } from '../../generated/engine/types.js';
import { settingsOf } from './configuration/settings.js';
import { listEntities } from './entities.js';
import { refuse } from './refusals.js';
import { openSession } from './session.js';

/**
 * Returns the health of the engine. A mock has no database, so a check takes as long as the mock delays its responses.
 */
export const getHealth: Handler<EngineOperations['getHealth']> = async (call) => {
  const { roles, ttl } = settingsOf(call).health;
  const { role } = openSession(call);
  if (roles !== undefined && !roles.includes(role)) throw refuse(403, `The role ${role} may not read the report.`);
  const cache = call.memory('health', (): { report?: HealthReport; madeAt: number } => ({ madeAt: 0 }));
  const now = call.clock.now();
  const age = now - cache.madeAt;
  if (cache.report === undefined || age < 0 || age >= ttl * 1_000) {
    cache.report = await checkAll(call, now);
    cache.madeAt = now;
  }
  return call.respond(200, cache.report);
};

async function checkAll(
  context: Pick<HandlerContext, 'api' | 'collection' | 'config' | 'options' | 'realName'>,
  now: number,
): Promise<HealthReport> {
  const { version } = context.api;
  const { rest, graphql, mcp, cacheSeconds, telemetry, host, health } = settingsOf(context);
  const latency = Number(context.options['latencyMs'] ?? 0);
  const entities = await listEntities(context);
  const checks = [
    ...health.dataSources.map(({ name, threshold }) => check(name, ['data-source'], { latency, threshold })),
    ...entities.flatMap(({ name, healthThreshold: threshold, restPath }) =>
      threshold === undefined
        ? []
        : [check(name, ['endpoint', restPath === undefined ? 'graphql' : 'rest'], { latency, threshold })],
    ),
  ];
  return {
    status: checks.every(({ status }) => status === 'Healthy') ? 'Healthy' : 'Unhealthy',
    version,
    'app-name': context.realName(`engine_${version}`),
    timestamp: new Date(now).toISOString(),
    configuration: {
      ...{ rest: rest.enabled, graphql: graphql.enabled, mcp: mcp.enabled },
      ...{ caching: cacheSeconds !== undefined, telemetry, mode: host.mode },
    },
    checks,
  };
}

function check(
  name: string,
  tags: string[],
  { latency, threshold }: { readonly latency: number; readonly threshold: number },
): HealthCheck {
  const data = { 'response-ms': Math.round(latency), 'threshold-ms': threshold };
  if (latency <= threshold) return { status: 'Healthy', name, tags, data };
  const exception = `The check took longer than its threshold of ${threshold} ms.`;
  return { status: 'Unhealthy', name, tags, data, exception };
}
