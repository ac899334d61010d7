import type { CallOptions, ClientContext, OperationData, RequestValues } from './context.js';
import { type Deadline, startDeadline } from './deadline.js';
import { ApiError, type HeaderValues, MalformedBodyError, NetworkError, TimeoutError } from './errors.js';
import { mediaTypeOf, readBody } from './read-body.js';
import { buildRequest, type Call } from './request.js';

/** The values of a call, and what is otherwise this time. */
export interface CallArguments {
  readonly request: RequestValues | undefined;
  readonly options: CallOptions | undefined;
}

/**
 * Makes one call and reads its answer.
 *
 * @throws ApiError where the server answers with a failure.
 * @throws NetworkError where no answer comes, TimeoutError where it comes too late, and the signal's reason where the
 * signal ended the call.
 * @throws TypeError where a value cannot be sent.
 */
export async function send<Answer>(
  context: ClientContext,
  operation: OperationData,
  { request = {}, options = {} }: CallArguments,
): Promise<Answer> {
  const call = { context, operation, request, options };
  const deadline = startDeadline(options.timeout ?? context.timeout, options.signal);
  try {
    const built = await buildRequest(call, deadline.signal);
    const sent = ((await context.onRequest?.(built)) as Request | undefined) ?? built;
    const response = await attempt(call, deadline, () => (context.fetch ?? fetch)(sent));
    await context.onResponse?.(response, sent);
    const failed = !response.ok && !operation.answers?.includes(response.status);
    const data = await attempt(call, deadline, () => readBody(response, operation, failed));
    const { status } = response;
    const headers: HeaderValues = Object.fromEntries(response.headers);
    if (failed)
      throw new ApiError(operation, { status, body: data, headers, documented: isDocumented(status, operation) });
    if (options.validate ?? context.validate) await checkAnswer(call, response, data);
    return { status, data, headers, response } as Answer;
  } finally {
    deadline.clear();
  }
}

/** Does what needs the network, and says in its own words what went wrong: the platform's words could hold a secret address. */
async function attempt<Value>(
  { operation, options }: Call,
  deadline: Deadline,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (cause) {
    if (options.signal?.aborted) throw options.signal.reason;
    if (cause instanceof MalformedBodyError) throw cause;
    if (deadline.expired()) throw new TimeoutError(`${operation.name} got no whole answer in time.`, { cause });
    throw new NetworkError(`${operation.name} got no whole answer.`, { cause });
  }
}

function isDocumented(status: number, { failures = [] }: OperationData): boolean {
  return [status, `${Math.floor(status / 100)}XX`, 'default'].some((key) => failures.includes(key));
}

async function checkAnswer({ context, operation }: Call, response: Response, data: unknown): Promise<void> {
  if (context.check === undefined)
    throw new TypeError(
      'Responses can be validated only by a client made with the generated create…Client function, from output that has validators.',
    );
  await context.check(operation.name, response.status, mediaTypeOf(response), data);
}
