const FACTOR = 8;

/** Between 8, which is linear, and 64, which is the square. */
export const LINEAR = 24;

/** By what factor the processor time of some work grows with eight times the size. */
export async function growthOf(work: (size: number) => unknown, size: number): Promise<number> {
  // What is compiled at the first call does not count.
  await work(size);
  const small = await leastTime(work, size);
  return (await leastTime(work, size * FACTOR)) / small;
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
