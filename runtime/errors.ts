/** Response headers as text, by lower-case name. */
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
  declare readonly status: Status;
  /** The parsed body; text if it could not be parsed; `undefined` without a body. */
  declare readonly body: Body;
  /** Response headers by lower-case name. */
  declare readonly headers: Headers;
  /** The function that was called. */
  declare readonly operation: string;
  /** The name of the operation in the API description. */
  declare readonly operationId: string;
  /** Whether the API description lists this status for this operation, so that `body` has its documented type. */
  declare readonly documented: boolean;
  /** The response; its body has been read. Not enumerable, so that it is neither logged nor serialised. */
  declare readonly response: Response | undefined;

  constructor(
    operation: { readonly name: string; readonly id?: string },
    response: {
      readonly status: Status;
      readonly body: Body;
      readonly headers: Headers;
      readonly documented?: boolean;
      readonly response?: Response;
    },
  ) {
    const { status, body, headers, documented = false } = response;
    const { name, id = name } = operation;
    const detail = describeBody(body);
    super(`${name} failed with status ${status}${detail === undefined ? '' : `: ${detail}`}`);
    Object.assign(this, { status, body, headers, operation: name, operationId: id, documented });
    Object.defineProperty(this, 'response', { value: response.response });
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

/** The response was a success, but its body cannot be parsed as its content type or the API description says. */
export class MalformedBodyError extends Error {
  override readonly name: string = 'MalformedBodyError';
}

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
type ToNumber<Text> = Text extends `${infer Value extends number}` ? Value : never;

/** All statuses that begin with a digit: `StatusRange<4>` is 400 to 499. */
export type StatusRange<First extends Digit> = ToNumber<`${First}${Digit}${Digit}`>;

/** All statuses of HTTP. */
export type HttpStatus = StatusRange<1 | 2 | 3 | 4 | 5>;

/** The types of an operation. */
export interface OperationTypes {
  readonly response: { readonly status: number };
  readonly failure: ApiError<number, unknown, unknown>;
}

/** A call that got no usable response. */
export type CallError = NetworkError | TimeoutError | MalformedBodyError;

/** The result of a call without exceptions: `status` and `error` distinguish successes, failures and broken calls. */
export type SafeResult<Operation extends OperationTypes> =
  | SafeSuccess<Operation['response']>
  | SafeFailure<Operation['failure'], Operation['response']['status']>
  | SafeUndocumented<Exclude<HttpStatus, Operation['response']['status'] | Operation['failure']['status']>>
  | {
      readonly status: undefined;
      readonly data: undefined;
      readonly error: CallError;
      readonly headers: undefined;
      readonly response: undefined;
    };

type SafeSuccess<Success> = Success extends object ? Success & { readonly error?: undefined } : never;

type SafeFailure<Failure, Success> =
  Failure extends ApiError<infer Status, infer Body, infer Headers>
    ? {
        // If the failures can have any status, excludes those of a success.
        readonly status: number extends Status ? Exclude<HttpStatus, Success> : Status;
        readonly data: undefined;
        readonly error: Body;
        readonly headers: Headers;
        readonly response: Response;
      }
    : never;

type SafeUndocumented<Status> = [Status] extends [never]
  ? never
  : {
      readonly status: Status;
      readonly data: undefined;
      readonly error: unknown;
      readonly headers: HeaderValues;
      readonly response: Response;
    };

/**
 * Returns the failure of a call instead of throwing it. An abort and a value that cannot be sent are still thrown.
 *
 * @example
 * ```ts
 * const { data, error, response } = await safely(getPet(context, { path: { id } }));
 * ```
 */
export async function safely<Operation extends OperationTypes>(
  call: Promise<Operation['response']>,
): Promise<SafeResult<Operation>> {
  const result: Promise<unknown> = call.catch((error: unknown) => {
    if (error instanceof ApiError) {
      const { status, body, headers, response } = error as ApiError;
      return { status, data: undefined, error: body, headers, response };
    }
    const isCallError = [NetworkError, TimeoutError, MalformedBodyError].some((kind) => error instanceof kind);
    if (!isCallError) throw error;
    return { status: undefined, data: undefined, error, headers: undefined, response: undefined };
  });
  return result as Promise<SafeResult<Operation>>;
}
