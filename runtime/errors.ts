/** Response headers by lower-case name, as they travel. */
export type HeaderValues = Readonly<Record<string, string | undefined>>;

/**
 * The server answered with a failure. Holds plain data only, so it can be logged and sent on.
 *
 * @example
 * ```ts
 * if (error instanceof ApiError && error.status === 404) return undefined;
 * ```
 */
export class ApiError<Status extends number = number, Body = unknown, Headers = HeaderValues> extends Error {
  override readonly name: string = 'ApiError';
  /** HTTP status. */
  readonly status: Status;
  /** The parsed body; text where it could not be parsed; `undefined` where there was none. */
  readonly body: Body;
  /** Response headers by lower-case name. */
  readonly headers: Headers;
  /** The function that was called. */
  readonly operation: string;
  /** The operation as the API description calls it. */
  readonly operationId: string;
  /** Whether the API description lists this status for this operation, so that `body` has its documented type. */
  readonly documented: boolean;

  constructor(
    operation: { readonly name: string; readonly id?: string },
    answer: { readonly status: Status; readonly body: Body; readonly headers: Headers; readonly documented?: boolean },
  ) {
    const detail = describeBody(answer.body);
    super(`${operation.name} answered ${answer.status}${detail === undefined ? '' : `: ${detail}`}`);
    this.status = answer.status;
    this.body = answer.body;
    this.headers = answer.headers;
    this.operation = operation.name;
    this.operationId = operation.id ?? operation.name;
    this.documented = answer.documented ?? false;
  }
}

/** The sentence that an error body carries in one of the usual places. */
function describeBody(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { message, error, detail, title } = body as Record<string, unknown>;
  return [message, error, detail, title].find((text) => typeof text === 'string') ?? describeBody(error);
}

/** No answer came, or it broke off. `cause` is what the platform says about it. */
export class NetworkError extends Error {
  override readonly name: string = 'NetworkError';
}

/** No whole answer came within the timeout. */
export class TimeoutError extends Error {
  override readonly name: string = 'TimeoutError';
}

/** The answer was a success, but its body is not what its content type says. */
export class MalformedBodyError extends Error {
  override readonly name: string = 'MalformedBodyError';
}
