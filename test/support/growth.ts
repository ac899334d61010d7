const FACTOR = 8;

/** Between 8, which is linear, and 64, which is the square. */
export const LINEAR = 24;

/**
 * By what factor the processor time of some work grows with eight times the size. A factor above the bound is measured
 * again: the garbage of other tests adds to some measurements, and the square stays the square.
 */
export async function growthOf(work: (size: number) => unknown, size: number, bound: number = LINEAR): Promise<number> {
  // What is compiled at the first call does not count.
  await work(size);
  let factor = Infinity;
  for (let round = 0; round < 6 && factor >= bound; round += 1) {
    // Other work of the machine adds to some of these.
    const small = Math.min(await timeOf(work, size), await timeOf(work, size), await timeOf(work, size));
    factor = Math.min(factor, (await timeOf(work, size * FACTOR)) / small);
  }
  return factor;
}

/** In milliseconds, at least 0.5: less says nothing. */
async function timeOf(work: (size: number) => unknown, size: number): Promise<number> {
  const start = process.cpuUsage();
  await work(size);
  const { user, system } = process.cpuUsage(start);
  return Math.max(0.5, (user + system) / 1_000);
}
