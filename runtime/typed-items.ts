import type { Codec } from './codecs.js';
import type { ItemReader } from './context.js';
import { BrokenStreamError } from './event-stream.js';
import { type ItemPlan, readItems } from './items.js';

/**
 * Makes the reader of a stream whose items are converted to the types of the program. They are validated as JSON.
 *
 * @throws BrokenStreamError also if an item has a value that cannot be converted.
 */
export function readTypedItems(plan: ItemPlan, codec: Codec): ItemReader {
  const read = readItems(plan);
  return (response, call) => {
    const { check } = call;
    const items = read(response, { ...call, check: check && ((item) => check(withNumbers(item))) });
    let iterator: AsyncGenerator<unknown, void, undefined> | undefined;
    return { [Symbol.asyncIterator]: () => (iterator ??= convertItems(items, codec)) };
  };
}

async function* convertItems(items: AsyncIterable<unknown>, codec: Codec): AsyncGenerator<unknown, void, undefined> {
  for await (const item of items) yield decodeItem(item, codec);
}

/**
 * An item in the types of the program.
 *
 * @throws BrokenStreamError if it has a value that cannot be converted.
 */
export function decodeItem(item: unknown, codec: Codec): unknown {
  try {
    return codec(item, 'decode');
  } catch (cause) {
    throw new BrokenStreamError('An item of the stream has a value that cannot be read.', '', { cause });
  }
}

/** An item as validators expect it: all integers are numbers. */
function withNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(withNumbers);
  if (typeof value !== 'object' || value === null || value instanceof Blob) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withNumbers(member)]));
}
