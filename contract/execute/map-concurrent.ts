/**
 * Runs tasks in order, at most `width` at a time.
 *
 * @returns the results in the order of the tasks. After a failure, no further task starts, and `failure` is the error
 * of the first failed task in that order.
 */
export async function mapConcurrent<Result>(
  tasks: readonly (() => Promise<Result>)[],
  width: number,
): Promise<{ readonly results: readonly (Result | undefined)[]; readonly failure?: unknown }> {
  const results: (Result | undefined)[] = tasks.map(() => undefined);
  const failures = new Map<number, unknown>();
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < tasks.length && failures.size === 0) {
      const index = next;
      next += 1;
      try {
        results[index] = await tasks[index]?.();
      } catch (error) {
        failures.set(index, error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, tasks.length) }, work));
  if (failures.size === 0) return { results };
  return { results, failure: failures.get(Math.min(...failures.keys())) };
}
