import type { HandlerContext } from '../../../server/handler-api.js';
import { RateCounters } from './rate-counters.js';

/** The counters of the sandbox; a reset makes new ones. */
export function countersOf(context: Pick<HandlerContext, 'memory' | 'clock'>): RateCounters {
  return context.memory('rate-counters', () => new RateCounters(context.clock));
}
