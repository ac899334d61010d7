import type { ResponseBody, Violation } from '../../http/messages.js';
import { PlannedBreakError } from './fault-body.js';

type StreamBody = Extract<ResponseBody, { kind: 'stream' | 'events' }>;

/** Called once, when a stream has ended or the client stops reading: what was sent, and the error. */
export type StreamEnded = (body: unknown, problem: Violation | undefined) => void;

/** The journal keeps no more of a stream. */
const MAX_KEPT_BYTES = 64 * 1024;
const MAX_KEPT_EVENTS = 1000;

/** Passes a stream on and keeps the start of it for the journal. */
export function watchStream(body: StreamBody, ended: StreamEnded): StreamBody {
  if (body.kind === 'events') {
    const kept: unknown[] = [];
    const keep = ({ data }: { readonly data: unknown }): void => {
      if (kept.length < MAX_KEPT_EVENTS) kept.push(data);
    };
    return { kind: 'events', events: watch(body.events, keep, (problem) => ended(kept, problem)) };
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  const keep = (chunk: Uint8Array): void => {
    if (size < MAX_KEPT_BYTES) chunks.push(chunk.slice(0, MAX_KEPT_BYTES - size));
    size += chunk.length;
  };
  return { kind: 'stream', chunks: watch(body.chunks, keep, (problem) => ended(Buffer.concat(chunks), problem)) };
}

function watch<Item>(
  items: AsyncIterable<Item>,
  keep: (item: Item) => void,
  ended: (problem: Violation | undefined) => void,
): AsyncIterable<Item> {
  return {
    [Symbol.asyncIterator]: () => {
      const source = items[Symbol.asyncIterator]();
      let open = true;
      const end = (problem?: Violation): void => {
        if (open) ended(problem);
        open = false;
      };
      return {
        next: async () => {
          try {
            const result = await source.next();
            if (result.done === true) end();
            else keep(result.value);
            return result;
          } catch (error) {
            end(error instanceof PlannedBreakError ? undefined : toProblem(error));
            throw error;
          }
        },
        return: async () => {
          end();
          await source.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

function toProblem(error: unknown): Violation {
  const reason = error instanceof Error ? error.message : String(error);
  return { in: 'response', pointer: '/body', message: `the stream broke: ${reason}` };
}
