import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

/**
 * The processor time of the main thread of a process, in milliseconds, so that other work of the machine does not count.
 * Only Linux has it; elsewhere it is the time of day.
 */
export function busyTime(pid: number = process.pid): number {
  try {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    return performance.now();
  }
}
