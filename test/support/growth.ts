const FACTOR = 8;

/** Between 8, which is linear, and 64, which is the square. */
export const LINEAR = 24;

/**
 * By what factor the processor time of some work grows with eight times the size. A factor that is too large is measured
 * again: the garbage of other tests adds to some measurements, and the square stays the square.
 */
export async function growthOf(work: (size: number) => unknown, size: number): Promise<number> {
  // What is compiled at the first call does not count.
  await work(size);
  const factors: number[] = [];
  for (let round = 0; round < 3 && Math.min(Infinity, ...factors) >= LINEAR; round += 1) {
    const small = await leastTime(work, size);
    factors.push((await leastTime(work, size * FACTOR)) / small);
  }
  return Math.min(...factors);
}

/** The least of three, in milliseconds: other work of the machine adds to some of them. */
async function leastTime(work: (size: number) => unknown, size: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const start = process.cpuUsage();
    await work(size);
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1_000);
  }
  // What takes less says nothing.
  return Math.max(0.5, Math.min(...times));
}
