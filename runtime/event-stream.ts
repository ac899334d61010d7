import type { CallOptions, RequestValues } from './context.js';
import { ApiError, type HeaderValues, MalformedBodyError } from './errors.js';
import { readPointer } from './pointer.js';
import { BrokenStreamError, readEvents, type ServerSentEvent } from './server-sent-events.js';

/** How the stream of an operation is read. */
export interface StreamPlan {
  /** Name of the function. */
  readonly name: string;
  /** The operation as the API description spells it, where that differs. */
  readonly id?: string;
  /** Values of the query that make the answer a stream. */
  readonly query?: object;
  /** JSON pointers: where an event that is an error has it, and its status. */
  readonly error?: { readonly pointer: string; readonly status?: string };
  /** Data that marks the end of the stream and is no message. */
  readonly end?: string;
  /** Documented failures. */
  readonly failures?: readonly (number | string)[];
}

/** What one stream can do otherwise. */
export interface StreamOptions extends CallOptions {
  /** Sees each event before its message is read: its name, id and retry time. */
  readonly onEvent?: ((event: ServerSentEvent) => void) | undefined;
}

/** What a stream starts with. */
export interface StreamArguments<Request> {
  readonly request: Request | undefined;
  readonly options: StreamOptions | undefined;
}

interface StreamAnswer {
  readonly status: number;
  readonly data: unknown;
  readonly headers: HeaderValues;
}

/**
 * The messages of a stream of server-sent events. The call is made when the first message is asked for; leaving the loop
 * ends it. A last event that misses only its empty line is given like the others.
 *
 * @throws ApiError where the service refuses the call, or sends an error inside the stream.
 * @throws BrokenStreamError where the stream breaks off or a message cannot be read: `partial` has what came of it.
 */
export async function* streamMessages<Request extends RequestValues, Message>(
  call: (request: Request, options: CallOptions) => Promise<StreamAnswer>,
  plan: StreamPlan,
  { request, options = {} }: StreamArguments<Request>,
): AsyncGenerator<Message, void, undefined> {
  const query = plan.query === undefined ? request : { ...request, query: { ...request?.query, ...plan.query } };
  const headers = { accept: 'text/event-stream', ...options.headers };
  const answer = await call(query as Request, { ...options, headers });
  const { data } = answer;
  if (!isStream(data))
    throw new MalformedBodyError(`${plan.name} answered ${answer.status} without a stream of events.`);
  try {
    for await (const event of readEvents(data)) {
      options.onEvent?.(event);
      if (plan.end !== undefined && event.data === plan.end) return;
      yield readMessage(event, plan, answer) as Message;
    }
  } catch (error) {
    if (error instanceof BrokenStreamError && options.signal?.aborted) throw options.signal.reason;
    throw error;
  }
}

function isStream(value: unknown): value is ReadableStream<Uint8Array<ArrayBuffer>> {
  return typeof value === 'object' && value !== null && 'getReader' in value;
}

function readMessage(event: ServerSentEvent, plan: StreamPlan, { status, headers }: StreamAnswer): unknown {
  let message: unknown;
  try {
    message = JSON.parse(event.data);
  } catch (cause) {
    const what = event.partial ? 'The stream ended inside an event.' : 'An event of the stream is no JSON.';
    throw new BrokenStreamError(what, event.partial ? event.raw : event.data, { cause });
  }
  if (plan.error === undefined || readPointer(message, plan.error.pointer) === undefined) return message;
  const code = readPointer(message, plan.error.status ?? '');
  const failure = typeof code === 'number' ? code : status;
  const documented = [failure, `${Math.floor(failure / 100)}XX`, 'default'].some((key) => plan.failures?.includes(key));
  throw new ApiError(plan, { status: failure, body: message, headers, documented });
}
