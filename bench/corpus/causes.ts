import type { Examined, Fault } from './examine.js';
import { isClean, unexplained } from './own-faults.js';

/** How many documents of a cause are named. */
const NAMED = 3;

/** The documents that are clean in all rooms, and the causes of the others, those of most documents first. */
export function printCauses(results: readonly Examined[]): string {
  const causes = new Map<string, Map<string, Fault>>();
  for (const examined of results) {
    const { document } = examined;
    for (const fault of unexplained(examined)) {
      const cause = `${fault.room}: ${fault.cause}`;
      const documents = causes.get(cause) ?? new Map<string, Fault>();
      if (!documents.has(document)) documents.set(document, fault);
      causes.set(cause, documents);
    }
  }
  const sorted = [...causes].sort(([, one], [, other]) => other.size - one.size);
  const clean = results.filter(isClean).length;
  const share = ((100 * clean) / Math.max(results.length, 1)).toFixed(1);
  return [
    `${clean} of ${results.length} documents are clean in all rooms (${share} %).`,
    ...sorted.map(([cause, documents]) => printCause(cause, documents)),
    '',
  ].join('\n');
}

function printCause(cause: string, documents: ReadonlyMap<string, Fault>): string {
  const named = [...documents].slice(0, NAMED).map(([document, { detail }]) => {
    const [first = ''] = detail.split('\n', 1);
    return `      ${document}: ${first.slice(0, 200)}`;
  });
  return [`${String(documents.size).padStart(4)}  ${cause}`, ...named].join('\n');
}
