import type { HandlerContext } from './handler-api.js';

/** Runs tasks of a sandbox that have the same key one after another, so that their steps do not interleave. */
export async function inTurn<T>(
  { memory }: Pick<HandlerContext, 'memory'>,
  key: string,
  work: () => Promise<T>,
): Promise<T> {
  const ends = memory('works in turn', () => new Map<string, Promise<unknown>>());
  const result = (ends.get(key) ?? Promise.resolve()).then(work);
  const end = result.catch(() => {});
  ends.set(key, end);
  try {
    return await result;
  } finally {
    if (ends.get(key) === end) ends.delete(key);
  }
}
