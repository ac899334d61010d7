/** Response headers by lower-case name, as they travel. */
export type HeaderValues = Readonly<Record<string, string | undefined>>;

/**
 * The server responded with a failure. Contains plain data only, so it can be logged and serialised.
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
  /** The parsed body; text if it could not be parsed; `undefined` if there was none. */
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
    response: {
      readonly status: Status;
      readonly body: Body;
      readonly headers: Headers;
      readonly documented?: boolean;
    },
  ) {
    const detail = describeBody(response.body);
    super(`${operation.name} failed with status ${response.status}${detail === undefined ? '' : `: ${detail}`}`);
    this.status = response.status;
    this.body = response.body;
    this.headers = response.headers;
    this.operation = operation.name;
    this.operationId = operation.id ?? operation.name;
    this.documented = response.documented ?? false;
  }
}

/** Finds the message in the usual members of an error body. */
function describeBody(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { message, error, detail, title } = body as Record<string, unknown>;
  return (
    [message, error, detail, title].find((text): text is string => typeof text === 'string') ?? describeBody(error)
  );
}

/** There was no response, or the connection broke. `cause` is the error of the platform. */
export class NetworkError extends Error {
  override readonly name: string = 'NetworkError';
}

/** The response was not complete within the timeout. */
export class TimeoutError extends Error {
  override readonly name: string = 'TimeoutError';
}

/** The response was a success, but its body is not what its content type or the API description says. */
export class MalformedBodyError extends Error {
  override readonly name: string = 'MalformedBodyError';
}
