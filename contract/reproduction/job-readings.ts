import { isSafeMethod } from '../../model/http-method.js';
import { showsJob } from '../execute/delayed-reads.js';
import { READ_AFTER_MS, type Reproduction } from './reproduction.js';

/** The most readings of a job: the run itself reads it for 1.5 s. */
const MAX_READINGS = 17;

/** The same requests; the last one reads a job until it has had the time that it may take. */
export function withReadings(reproduction: Reproduction, longestMs: number): Reproduction {
  return { ...reproduction, readings: { count: Math.ceil(longestMs / READ_AFTER_MS) + 1, judged: 'last' } };
}

/**
 * The same requests, but the last one is sent until it shows the problem: it reads a job that an earlier request has
 * started. `undefined` if it reads no job.
 */
export function withManyReadings(reproduction: Reproduction): Reproduction | undefined {
  const { assertion, steps } = reproduction;
  const last = steps.at(-1);
  if (last === undefined || assertion.expects !== 'response' || !isSafeMethod(last.sent.call.operation.method))
    return undefined;
  const startsJob = steps.some(
    ({ key, sent, exchange }) => last.fills.some(({ from }) => from === key) && showsJob(sent.call.operation, exchange),
  );
  return startsJob ? { ...reproduction, readings: { count: MAX_READINGS, judged: 'each' } } : undefined;
}

/** As many readings as showed the problem, and some more: another server may take longer. */
export function enoughReadings(shownAt: number): number {
  return Math.min(MAX_READINGS, shownAt * 2 + 3);
}
