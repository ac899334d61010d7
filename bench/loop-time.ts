import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

/** Measures for how long the event loop of this process works on something. Milliseconds. */
export function startLoopTimer(): () => number {
  const thread = threadTime();
  if (thread !== undefined) return () => (threadTime() ?? Number.NaN) - thread;
  const loop = performance.eventLoopUtilization();
  const processor = process.cpuUsage();
  // Each of them counts something that is not the loop: other processes of the machine, other threads of this one.
  return () => {
    const { user, system } = process.cpuUsage(processor);
    return Math.min(performance.eventLoopUtilization(loop).active, (user + system) / 1_000);
  };
}

/** The processor time of the main thread, which only Linux tells. */
function threadTime(): number | undefined {
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    return undefined;
  }
}
