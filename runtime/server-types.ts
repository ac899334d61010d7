import type { Codec } from './codecs.js';
import type { PathRule, SpecialRoutes } from './route-tree.js';
import type { TextShape } from './text-shape.js';
import type { ValidationError } from './validation.js';
import type { EventItem } from './items.js';
import type { DecodeParameter, ParameterRule } from './parameter-decoder.js';

/** A body of bytes as it arrives. All server platforms can iterate such a stream. */
export type ByteStream = ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>;

type Bytes = Blob | ArrayBuffer | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string>;

/** The body of a request as a handler receives it: files of bytes as a stream, streams of items as an iterable. */
export type ServerBody<Body> = unknown extends Body ? Body : ReadBody<Exclude<Body, FormData>>;

type ReadBody<Body> = Blob extends Body
  ? ReadableStream<Uint8Array> extends Body
    ? ByteStream
    : Body
  : AsyncIterable<never> extends Body
    ? AsyncIterable<Body extends AsyncIterable<infer Item> ? Item : never>
    : Body;

/** The values of a request as a handler receives them: every group of parameters is an object. */
export type ServerRequest<Request> = Request extends unknown
  ? {
      readonly [Part in keyof Request as Part extends 'body' | 'contentType' ? never : Part]-?: NonNullable<
        Request[Part]
      >;
    } & ('body' extends keyof Request
      ? { readonly [Part in keyof Request as Part extends 'body' ? Part : never]: ServerBody<Request[Part]> }
      : unknown) &
      ('contentType' extends keyof Request
        ? { readonly contentType: NonNullable<Request['contentType' & keyof Request]> }
        : unknown)
  : never;

/** Headers that every request has. */
export interface GivenHeaders<Name extends string> {
  readonly headers: { readonly [Key in Name]: {} };
}

/** The data that a handler may send where a client receives `Data`. */
export type ServerData<Data> = Data extends Blob
  ? Bytes | string
  : Data extends ReadableStream<Uint8Array>
    ? ReadableStream<Uint8Array> | AsyncIterable<EventItem | string | Uint8Array>
    : Data;

/** The headers that a handler must or may send. */
type SentHeaders<Headers> = { readonly [Name in keyof Headers]: Headers[Name] };

interface Sent<Status, Data, Headers> {
  readonly status: Status;
  readonly data: Data;
  readonly headers: Headers;
}

/** The documented responses of an operation, from the types of its client. */
type Documented<Result> = Result extends { readonly status: infer Status; readonly headers: infer Headers }
  ? Result extends { readonly body: infer Data }
    ? number extends Status
      ? unknown extends Data
        ? never
        : Sent<Status, Data, Headers>
      : Sent<Status, Data, Headers>
    : Result extends { readonly data: infer Data }
      ? number extends Status
        ? never
        : Sent<Status, Data, Headers>
      : never
  : never;

type HeadersPart<Headers> = {} extends Headers
  ? { readonly headers?: SentHeaders<Headers> | undefined }
  : { readonly headers: SentHeaders<Headers> };

type ReplyOf<One> =
  One extends Sent<infer Status, infer Data, infer Headers>
    ? { readonly status: Status } & HeadersPart<Headers> &
        ([Data] extends [undefined] ? { readonly body?: undefined } : { readonly body: ServerData<Data> })
    : never;

/** What a handler returns: a documented status with its body and headers. */
export type Reply<Types extends { readonly response: unknown; readonly failure: unknown }> = ReplyOf<
  Documented<Types['response'] | Types['failure']>
>;

type Of<All, Status> = All extends { readonly status: infer Own } ? (Status extends Own ? All : never) : never;

type HeadersArgument<One> = One extends { readonly headers: infer Headers }
  ? [headers: Headers]
  : [headers?: One extends { readonly headers?: infer Headers } ? Headers : never];

type ReplyArguments<One> = One extends { readonly body: infer Body }
  ? [body: Body, ...HeadersArgument<One>]
  : One extends { readonly headers: infer Headers }
    ? [body: undefined, headers: Headers]
    : [body?: undefined, ...HeadersArgument<One>];

type StatusOf<All> = All extends { readonly status: infer Status extends number } ? Status : never;

/** Makes the reply of an operation: `reply.getOrder(404, { message: 'There is no such order.' })`. */
export interface MakeReply<All> {
  <Status extends StatusOf<All>>(status: Status, ...rest: ReplyArguments<Of<All, Status>>): All;
}

/** What a handler knows beside its request. */
export interface ServerContext {
  /** The name of the operation. */
  readonly operation: string;
  /** The credentials' owner: what the function of `authenticate` returned. */
  readonly identity?: unknown;
  /** Aborts if the client disconnects. */
  readonly signal: AbortSignal;
}

/** The context of an operation that can be called without a credential. */
export type MaybeIdentity<Env> = Env extends { readonly identity: infer Identity }
  ? Omit<Env, 'identity'> & { readonly identity?: Identity | undefined }
  : Env;

/** Violations are those of a request; `in` is its part. */
export interface Violation {
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'body';
  /** JSON pointer into the part. */
  readonly pointer: string;
  readonly message: string;
}

/** A request that is not answered by its handler. */
export interface ServerFailure {
  readonly status: number;
  readonly message: string;
  readonly violations: readonly Violation[];
  /** The operation; `undefined` if no operation has this path and method. */
  readonly operation: string | undefined;
}

/** A response to a failure. `body` is sent as JSON unless `headers` name another `content-type`. */
export interface FailureReply {
  readonly status?: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

type WriteFailure = (failure: ServerFailure) => FailureReply | undefined;

/** What a function of `authenticate` sees of a request. */
export interface AuthRequest {
  readonly method: string;
  readonly path: string;
  readonly operation: string;
  readonly header: (name: string) => string | undefined;
}

/** Checks a credential: returns whose it is, or `undefined` if it is not valid. */
export type Authenticate<Credential, Identity> = (
  credential: Credential,
  scopes: readonly string[],
  request: AuthRequest,
) => Identity | undefined | Promise<Identity | undefined>;

/** The user name and password of Basic authentication. */
export interface UserPassword {
  readonly username: string;
  readonly password: string;
}

/** Options of a server. */
export interface ServerOptions {
  /** Makes the response to an invalid request. Default: the documented error, or problem details with `violations`. */
  readonly onInvalid?: WriteFailure;
  /** Makes the response to any other failure: no credential, no such path, an error of a handler. */
  readonly onFailure?: WriteFailure;
  /** Is called with each error that a handler throws, and each response that does not match the spec. */
  readonly onError?: (error: unknown, operation: string) => void;
  /** Whether responses are checked before they are sent. */
  readonly responses?: 'check' | 'off';
  /** The most bytes of a body that is read whole. Default: 1 MiB; 16 MiB with files. Streams have no limit. */
  readonly bodyLimit?: number;
}

/** A parameter of an operation; absent members have the defaults of OpenAPI. */
export interface ServerParameter extends Partial<Omit<ParameterRule, 'name' | 'in'>> {
  readonly name: string;
  readonly in: ParameterRule['in'];
  readonly shape?: TextShape;
  /** A function of `server-parameters.ts`. */
  readonly decoder: MakeDecoder;
}

/** Makes the decoder of a parameter. @param all - the parameters of the operation. */
export type MakeDecoder = (parameter: ServerParameter, all: readonly ServerParameter[]) => DecodeParameter;

/** Reads a body. */
export interface BodyReader {
  /** Reads a body; `undefined` for a request without one. @throws DecodeError */
  readonly read: (call: ServerCall, type: BodyType) => unknown;
  /** Replaces a body that is an iterable of items by one that checks each. */
  readonly checkItems?: (
    operation: ServerOperation,
    values: Record<string, unknown>,
    rounded: Record<string, unknown>,
  ) => void;
}

/** The content type of a request. */
export interface BodyType {
  /** The header, if the request has it. */
  readonly text: string | undefined;
  /** The documented media type. */
  readonly mediaType: string;
  readonly parameters: ReadonlyMap<string, string> | undefined;
  /** The most bytes of a body that is read whole, if the server has such an option. */
  readonly bodyLimit: number | undefined;
}

/** Writes the data of a response: text, bytes or a stream of bytes. */
export type DataWriter = (data: unknown, response: WrittenResponse) => SentBody;

/** The response that a writer writes. */
export interface WrittenResponse {
  /** May be completed, such as with a boundary. */
  contentType: string;
  /** Checks an item of a stream. */
  readonly checkItem?: (item: unknown) => void;
}

export type SentBody = string | Uint8Array | Blob | ReadableStream<Uint8Array>;

/** A documented response. */
export interface ServerResponse {
  /** Media types, each with its writer if the media type does not say how data is written. */
  readonly content?: readonly (readonly [mediaType: string, write?: DataWriter])[];
  /** Makes the body of a failure. */
  readonly fail?: (failure: ServerFailure) => unknown;
  /** Converts the data to JSON. */
  readonly codec?: Codec;
}

/** Checks the request of an operation. */
export type CheckRequest = (
  request: unknown,
) => { readonly ok: true } | { readonly ok: false; readonly errors: readonly ValidationError[] };

/** Checks a response of an operation. */
export type CheckResponse = (response: {
  readonly status: number;
  readonly contentType?: string | undefined;
  readonly data: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}) => { readonly ok: true } | { readonly ok: false; readonly errors: readonly ValidationError[] };

/** An operation as data. */
export interface ServerOperation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly pathRules?: readonly PathRule[];
  readonly parameters?: readonly ServerParameter[];
  readonly body?: {
    readonly required?: boolean;
    readonly content: readonly (readonly [mediaType: string, read: BodyReader])[];
  };
  /** Alternatives: the scopes by name of the scheme. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  /** By `200`, `4XX`, `default`. */
  readonly responses: Readonly<Record<string, ServerResponse>>;
  readonly check?: CheckRequest;
  readonly checkResponse?: CheckResponse;
  /** If its values have other types than JSON, or may be integers beyond the precision of numbers. */
  readonly converter?: ValueConverter;
  /** Chooses how data is written, if some is not JSON of the only documented media type. */
  readonly write?: ChooseWriter;
}

/** Converts the values of an operation. */
export interface ValueConverter {
  /** Rounds the values of a request, or the data of a response, for validators. */
  readonly round: (values: unknown) => unknown;
  readonly roundData: (data: unknown) => unknown;
  /** Converts the values of a request from JSON. */
  readonly decode?: (operation: ServerOperation, values: object) => unknown;
}

/** How the data of a response is written. */
export interface ChosenWriter {
  readonly mediaType: string;
  /** Whether the data is a value of the schema, and not a stream. */
  readonly isDescribed: boolean;
  readonly write: (response: WrittenResponse) => SentBody | undefined;
}

/** Chooses how data is written. */
export type ChooseWriter = (
  data: unknown,
  scope: {
    /** The content type that the handler gave. */
    readonly given: string | undefined;
    readonly content: NonNullable<ServerResponse['content']>;
    readonly accept: string | undefined;
    /** Is called if a stream breaks after its first byte. */
    readonly onError: (error: unknown) => void;
  },
) => ChosenWriter;

/** A security scheme. */
export interface ServerScheme {
  readonly type: 'header' | 'query' | 'cookie' | 'authorization' | 'basic' | 'certificate';
  /** The name of the header, parameter or cookie, or the word before the credential. */
  readonly name: string;
  /** The value of `WWW-Authenticate`. */
  readonly challenge?: string;
}

/** What all operations of a server share. */
export interface ServerPlan {
  readonly operations: readonly ServerOperation[];
  /** Identifies the caller, if an operation requires a credential: `guard` of `server-security.ts`. */
  readonly guard?: Guard;
  /** For paths with segments that are not a text or one parameter. */
  readonly special?: SpecialRoutes;
  /** The paths of the servers in the spec. */
  readonly basePaths: readonly string[];
}

/**
 * Makes the function that finds whose credentials a request has.
 *
 * @throws TypeError if a scheme that an operation requires has no function.
 */
export type Guard = (
  operations: readonly ServerOperation[],
  functions: object,
) => (operation: ServerOperation, call: ServerCall) => Promise<unknown>;

/** A request as an adapter receives it. */
export interface ServerCall {
  readonly method: string;
  /** Encoded, without the query. */
  readonly path: string;
  /** The path that the server is mounted at, such as `/api`; its segments may be parameters. */
  readonly mount?: string | undefined;
  /** Without the question mark. */
  readonly query: string;
  readonly header: (name: string) => string | undefined;
  readonly body: CallBody;
  readonly signal: AbortSignal;
}

/** The body of a request. */
export interface CallBody {
  /** @throws BodyTooLarge */
  readonly bytes: (limit: number) => Promise<Uint8Array>;
  readonly stream: () => ReadableStream<Uint8Array>;
  /** The value if another parser has read the body. */
  readonly parsed?: unknown;
}

/** A response that an adapter sends. */
export interface ServerResult {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body?: SentBody | undefined;
}
