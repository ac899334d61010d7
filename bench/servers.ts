import { measureServer } from '../test/contract/servers/measure-servers.js';
import { FOREIGN_APIS } from '../test/contract/servers/servers.js';
import type { Figure } from './measure.js';

/** Of the bugs of a server. */
const SCORE_BOUND = 0.85;
const REQUEST_BOUND = 3_000;
/** Milliseconds. */
const TIME_BOUND = 60_000;

/** Contract tests against servers that were written from their specs alone, with one bug at a time. */
export async function benchServers(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const api of FOREIGN_APIS) {
    const { name, found, missed, falseAlarms, slowestMs, mostRequests } = await measureServer(api);
    const bugs = found.length + missed.length;
    if (missed.length > 0) console.log(`${name}, not found: ${missed.join(', ')}`);
    for (const { check, operationId, message } of falseAlarms)
      console.log(`${name}, false alarm: ${check} ${operationId}: ${message}`);
    figures.push(
      {
        what: `${name}: bugs found`,
        value: `${found.length} of ${bugs}`,
        bound: `at least ${Math.ceil(bugs * SCORE_BOUND)}`,
        within: found.length >= bugs * SCORE_BOUND,
      },
      {
        what: `${name}: false alarms`,
        value: String(falseAlarms.length),
        bound: 'none',
        within: falseAlarms.length === 0,
      },
      {
        what: `${name}: most requests, slowest run`,
        value: `${mostRequests}, ${(slowestMs / 1_000).toFixed(1)} s`,
        bound: `${REQUEST_BOUND}, 60 s`,
        within: mostRequests <= REQUEST_BOUND && slowestMs <= TIME_BOUND,
      },
    );
  }
  return figures;
}
