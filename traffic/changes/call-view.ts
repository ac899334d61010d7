import { findDocumentedMedia } from '../../http/documented-media.js';
import { type HeaderMap, readHeader } from '../../http/messages.js';
import type { RecordedExchange } from '../../http/recording/read-exchanges.js';
import { type ReadParameters, compileParameterReaders } from '../../http/request/read-parameters.js';
import { findResponse } from '../../http/response/response-spec.js';
import { type SplitTarget, splitTarget } from '../../http/routing/router.js';
import type { Api, ApiResponse, Header, MediaType, Operation, Parameter } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';
import { getOrInsert } from '../../model/maps.js';
import type { Direction } from '../../schema/variants.js';
import { type ReadBody, hasBody, mediaTypeOf, readBody } from '../read-body.js';
import { type TracedValues, ValueTracer, type WantedPlaces } from './trace-values.js';

/** An operation of one of the two specs, prepared for its calls. */
export interface ViewedOperation {
  readonly api: Api;
  readonly operation: Operation;
  readonly readers: readonly ReadParameters[];
  readonly wanted: Readonly<Record<Direction, WantedPlaces>>;
  readonly tracers: Readonly<Record<Direction, ValueTracer>>;
}

export function viewOperation(api: Api, operation: Operation): ViewedOperation {
  const readers = compileParameterReaders(operation, { api, report: undefined });
  const wanted = { request: new Map<string, boolean>(), response: new Map<string, boolean>() };
  const tracerOf = (direction: Direction): ValueTracer =>
    new ValueTracer({ api, direction, wanted: wanted[direction] });
  return { api, operation, readers, wanted, tracers: { request: tracerOf('request'), response: tracerOf('response') } };
}

/** The reader's member for the parameters of each place. */
const GROUPS = { path: 'path', query: 'query', querystring: 'query', header: 'headers', cookie: 'cookies' } as const;

/** A recorded call, whose bodies are read at first use. */
export class ReadCall {
  readonly exchange: RecordedExchange;
  readonly target: SplitTarget;
  readonly #bodies = new Map<Direction, ReadBody | undefined>();

  constructor(exchange: RecordedExchange) {
    this.exchange = exchange;
    this.target = splitTarget(exchange.target);
  }

  body(direction: Direction): ReadBody | undefined {
    return getOrInsert(this.#bodies, direction, () => readBody(this.exchange[direction]));
  }
}

/** A recorded call as one spec describes it. */
export class CallView {
  readonly viewed: ViewedOperation;
  readonly exchange: RecordedExchange;
  readonly query: string;
  /** The documented response of its status. */
  readonly response: ApiResponse | undefined;
  readonly #path: ReadonlyMap<string, string>;
  readonly #call: ReadCall;
  readonly #traced = new Map<Direction, TracedValues>();
  #input: Readonly<Record<string, unknown>> | undefined;

  constructor(viewed: ViewedOperation, call: ReadCall, path: ReadonlyMap<string, string>) {
    const { exchange, target } = call;
    this.viewed = viewed;
    this.exchange = exchange;
    this.#call = call;
    this.#path = path;
    this.query = target.query;
    this.response = findResponse(viewed.operation, exchange.status);
  }

  get hasBody(): boolean {
    return hasBody(this.exchange.request);
  }

  /** The value of a parameter; `undefined` if it was not sent, or cannot be read. */
  valueOf({ in: place, name }: Parameter): unknown {
    this.#input ??= this.#readParameters();
    const group = this.#input[GROUPS[place]];
    return isRecord(group) && Object.hasOwn(group, name) ? group[name] : undefined;
  }

  #readParameters(): Readonly<Record<string, unknown>> {
    const { headers } = this.exchange.request;
    const groups = this.viewed.readers.map((read) => read({ path: this.#path, query: this.query, headers }));
    return Object.fromEntries(groups.map(({ group, values }) => [group, values]));
  }

  /** Whether a parameter was sent, readable or not. */
  sends(parameter: Parameter): boolean {
    if (this.valueOf(parameter) !== undefined || parameter.in === 'path') return true;
    if (parameter.in === 'header') return this.exchange.request.headers[parameter.name.toLowerCase()] !== undefined;
    return parameter.in === 'query' && new URLSearchParams(this.query).has(parameter.name);
  }

  headerOf({ name }: Header): string | undefined {
    return readHeader(this.exchange.response, name);
  }

  /** The documented media type of the body that was sent or received. */
  mediaOf(direction: Direction): MediaType | undefined {
    const content = direction === 'request' ? this.viewed.operation.body?.content : this.response?.content;
    const message = this.exchange[direction];
    if (content === undefined || !hasBody(message)) return undefined;
    const given = mediaTypeOf(message);
    if (given === undefined) return content.length === 1 ? content[0] : undefined;
    return findDocumentedMedia(content, given)?.media;
  }

  /** The values at the wanted places of a message. */
  traced(direction: Direction): TracedValues {
    return getOrInsert(this.#traced, direction, () => this.#trace(direction));
  }

  #trace(direction: Direction): TracedValues {
    const { operation, wanted, tracers } = this.viewed;
    const values = new Map<string, unknown[]>();
    if (wanted[direction].size === 0) return values;
    const tracer = tracers[direction];
    const media = this.mediaOf(direction);
    if (media !== undefined)
      tracer.trace(media, { steps: BODY_STEPS, read: () => this.#call.body(direction)?.value }, values);
    const parameters = direction === 'request' ? operation.parameters : [];
    for (const one of parameters) tracer.trace(one, { steps: stepsOf(one), read: () => this.valueOf(one) }, values);
    const headers = direction === 'response' ? (this.response?.headers ?? []) : [];
    for (const one of headers) tracer.trace(one, { steps: stepsOf(one), read: () => this.headerOf(one) }, values);
    return values;
  }

  get headers(): HeaderMap {
    return this.exchange.request.headers;
  }
}

const BODY_STEPS: readonly string[] = ['schema'];

/** The steps from a parameter or header to its schema. */
function stepsOf({ mediaType }: Parameter | Header): readonly string[] {
  return mediaType === undefined ? BODY_STEPS : ['content', mediaType, 'schema'];
}
