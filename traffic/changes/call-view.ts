import { type HeaderMap, readHeader } from '../../http/messages.js';
import type { RecordedExchange } from '../../http/recording/read-exchanges.js';
import { type RequestReader, compileRequestReader } from '../../http/request/read-request.js';
import { findResponse } from '../../http/response/response-spec.js';
import { splitTarget } from '../../http/routing/router.js';
import type { Api, ApiResponse, Header, MediaType, Operation, Parameter } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';
import { getOrInsert } from '../../model/maps.js';
import { findMediaType, parseMediaType } from '../../runtime/parsed-media-type.js';
import type { Direction } from '../../schema/variants.js';
import { type ReadBody, readBody } from '../read-body.js';
import { placeKey } from './place-graph.js';
import { type TracedValues, ValueTracer } from './trace-values.js';

/** An operation of one of the two specs, prepared for its calls. */
export interface ViewedOperation {
  readonly api: Api;
  readonly operation: Operation;
  readonly reader: RequestReader;
  /** The places whose values are wanted. */
  readonly wanted: Readonly<Record<Direction, Set<string>>>;
  readonly tracers: Readonly<Record<Direction, ValueTracer>>;
}

export function viewOperation(api: Api, operation: Operation): ViewedOperation {
  const reader = compileRequestReader(operation, { api, report: undefined });
  const wanted = { request: new Set<string>(), response: new Set<string>() };
  const tracerOf = (direction: Direction): ValueTracer =>
    new ValueTracer({ api, direction, wanted: wanted[direction] });
  return { api, operation, reader, wanted, tracers: { request: tracerOf('request'), response: tracerOf('response') } };
}

/** The reader's member for the parameters of each place. */
const GROUPS = { path: 'path', query: 'query', querystring: 'query', header: 'headers', cookie: 'cookies' } as const;

/** A recorded call, whose bodies are read at first use. */
export class ReadCall {
  readonly exchange: RecordedExchange;
  readonly #bodies = new Map<Direction, ReadBody | undefined>();

  constructor(exchange: RecordedExchange) {
    this.exchange = exchange;
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
  readonly #input: Readonly<Record<string, unknown>>;
  readonly #call: ReadCall;
  readonly #traced = new Map<Direction, TracedValues>();

  constructor(viewed: ViewedOperation, call: ReadCall, path: ReadonlyMap<string, string>) {
    const { exchange } = call;
    this.viewed = viewed;
    this.exchange = exchange;
    this.#call = call;
    this.query = splitTarget(exchange.target).query;
    this.response = findResponse(viewed.operation, exchange.status);
    const { headers } = exchange.request;
    this.#input = viewed.reader.read({ path, query: this.query, headers, bytes: new Uint8Array() }).input;
  }

  get hasBody(): boolean {
    return this.#call.body('request') !== undefined;
  }

  /** The value of a parameter; `undefined` if it was not sent, or cannot be read. */
  valueOf({ in: place, name }: Parameter): unknown {
    const group = this.#input[GROUPS[place]];
    return isRecord(group) && Object.hasOwn(group, name) ? group[name] : undefined;
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
    if (content === undefined) return undefined;
    const body = this.#call.body(direction);
    if (body === undefined) return undefined;
    const given = body.mediaType;
    if (given === undefined) return content.length === 1 ? content[0] : undefined;
    const documented = content.flatMap((media) => {
      const parsed = parseMediaType(media.mediaType);
      return parsed === undefined ? [] : [{ parsed, media }];
    });
    return findMediaType(documented, given)?.media;
  }

  /** The values at the wanted places of a message. */
  traced(direction: Direction): TracedValues {
    const known = this.#traced.get(direction);
    if (known !== undefined) return known;
    const { operation, wanted, tracers } = this.viewed;
    const tracer = tracers[direction];
    const values = new Map<string, unknown[]>();
    const trace = ({ schema, mediaType, source }: Parameter | Header, value: unknown): void => {
      if (value === undefined) return;
      const steps = mediaType === undefined ? ['schema'] : ['content', mediaType, 'schema'];
      tracer.trace(schema, { value, place: placeKey(source, steps) }, values);
    };
    if (wanted[direction].size > 0) {
      const parameters = direction === 'request' ? operation.parameters : [];
      for (const one of parameters) trace(one, this.valueOf(one));
      const headers = direction === 'response' ? (this.response?.headers ?? []) : [];
      for (const one of headers) trace(one, this.headerOf(one));
      const media = this.mediaOf(direction);
      const value = media === undefined ? undefined : this.#call.body(direction)?.value;
      if (media?.schema !== undefined && value !== undefined)
        tracer.trace(media.schema, { value, place: placeKey(media.source, ['schema']) }, values);
    }
    this.#traced.set(direction, values);
    return values;
  }

  get headers(): HeaderMap {
    return this.exchange.request.headers;
  }
}
