import { type CallArguments, send } from './client.js';
import type { Codec } from './codecs.js';
import type { ClientContext, Middleware, OperationData, RequestValues } from './context.js';
import { ApiError, MalformedBodyError } from './errors.js';
import { stringifyExactJson } from './json-integers.js';
import type { BodyWriter } from './serialize.js';

/** How the values of an operation differ from JSON. */
export interface CallCodecs {
  /** The values of a call, by group. */
  readonly request?: Codec;
  /** The data of responses: `200`, `4XX`, `default`. */
  readonly responses?: Readonly<Record<string, Codec>>;
  /** Parses JSON without losing digits. */
  readonly parse?: (text: string) => unknown;
}

/**
 * Makes one call like {@link send}, with values in the types of the program. Responses are validated as JSON, before
 * they are converted.
 *
 * @throws MalformedBodyError if a success has a value that cannot be converted, such as a text that is not a date. The
 * body of a failure is then left unconverted.
 * @throws TypeError if a value of the request cannot be converted, and everything that `send` throws.
 */
export async function sendTyped<Result extends { readonly status: number; readonly data: unknown }>(
  context: ClientContext,
  operation: OperationData,
  { request, options }: CallArguments,
  { request: codec, responses = {}, parse }: CallCodecs,
): Promise<Result> {
  let text: string | undefined;
  const keepText: Middleware = async (sent, next) => {
    const response = await next(sent);
    const read = response.text.bind(response);
    return Object.defineProperty(response, 'text', { value: async () => (text = await read()) });
  };
  const decode = (status: number, data: unknown): unknown =>
    chooseCodec(responses, status)(parse === undefined ? data : parseAgain(data, text, parse), 'decode');
  const values = codec === undefined ? request : (codec(request ?? {}, 'encode') as RequestValues);
  const middleware = parse === undefined ? context.middleware : [keepText, ...(context.middleware ?? [])];
  const result = await send<Result>({ ...context, middleware }, operation, { request: values, options }).catch(
    (error: unknown) => {
      throw error instanceof ApiError ? decodeFailure(error, decode) : error;
    },
  );
  try {
    return { ...result, data: decode(result.status, result.data) };
  } catch (cause) {
    const message = `${operation.name} responded ${result.status} with a value that cannot be read.`;
    throw new MalformedBodyError(cause instanceof TypeError ? `${message} ${cause.message}` : message, { cause });
  }
}

/** The codec of a status: an exact status takes precedence over a range, and a range over `default`. */
function chooseCodec(codecs: Readonly<Record<string, Codec>>, status: number): Codec {
  const key = [String(status), `${Math.floor(status / 100)}XX`, 'default'].find((one) => Object.hasOwn(codecs, one));
  return codecs[key ?? ''] ?? ((value) => value);
}

/** Parses JSON again if it may have integers that a number cannot hold. */
function parseAgain(data: unknown, text: string | undefined, parse: (text: string) => unknown): unknown {
  const isJson = text !== undefined && /^\s*[[{\d-]/.test(text) && typeof data !== 'string';
  return isJson && /\d{16}/.test(text) ? parse(text) : data;
}

function decodeFailure(error: ApiError, decode: (status: number, data: unknown) => unknown): ApiError {
  try {
    return Object.assign(error, { body: decode(error.status, error.body) });
  } catch {
    return error;
  }
}

/** A JSON body with integers of any size. */
export const writeTypedJson: BodyWriter = (body, mediaType) => [stringifyExactJson(body), mediaType];
