import type { BehaviourContext } from '../../../server/seams/behaviour.js';
import { RateCounters } from './rate-counters.js';

/** The counters of the sandbox; a reset makes new ones. */
export function countersOf(context: Pick<BehaviourContext, 'memory' | 'clock'>): RateCounters {
  return context.memory('rate-counters', () => new RateCounters(context.clock));
}
