import type { CallOptions, ClientContext, OperationData, RequestValues } from '../../runtime/context.js';
import type { HeaderValues } from '../../runtime/errors.js';
import { send } from '../../runtime/client.js';

/** A response as the functions of a client give it. */
export interface HelperResponse {
  readonly status: number;
  readonly data: unknown;
  readonly headers: HeaderValues;
  readonly response: Response;
}

/** The function of an operation, as a client has it. */
export function operationOf(
  context: ClientContext,
  operation: Partial<OperationData> = {},
): (request: RequestValues | undefined, options?: CallOptions) => Promise<HelperResponse> {
  return (request, options) =>
    send<HelperResponse>(context, { name: 'list', path: '/list', ...operation }, { request, options });
}

/** All values of an iterable, and the error that ended it. */
export async function collect<Value>(values: AsyncIterable<Value>): Promise<{ values: Value[]; error: unknown }> {
  const found: Value[] = [];
  try {
    for await (const value of values) found.push(value);
    return { values: found, error: undefined };
  } catch (error) {
    return { values: found, error };
  }
}

/** A clock that only sleeping moves, so that hours take no time. */
export class TestClock {
  time: number;
  readonly sleeps: number[] = [];

  constructor(time: number = Date.parse('2026-01-01T00:00:00Z')) {
    this.time = time;
  }

  readonly now = (): number => this.time;

  readonly sleep = async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
    await Promise.resolve();
    signal?.throwIfAborted();
    this.sleeps.push(milliseconds);
    this.time += milliseconds;
  };
}
