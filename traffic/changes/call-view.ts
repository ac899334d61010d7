import { type HeaderMap, readHeader } from '../../http/messages.js';
import type { RecordedExchange } from '../../http/recording/read-exchanges.js';
import { type RequestReader, compileRequestReader } from '../../http/request/read-request.js';
import { findResponse } from '../../http/response/response-spec.js';
import { splitTarget } from '../../http/routing/router.js';
import type { Api, ApiResponse, Header, MediaType, Operation, Parameter } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';
import { findMediaType, parseMediaType } from '../../runtime/parsed-media-type.js';
import type { Direction } from '../../schema/variants.js';
import { type ReadBody, readBody } from '../read-body.js';
import { type TracedValues, ValueTracer, placeKey } from './trace-values.js';

/** An operation of one of the two specs, prepared for its calls. */
export interface ViewedOperation {
  readonly api: Api;
  readonly operation: Operation;
  readonly reader: RequestReader;
  /** The places whose values are wanted. */
  readonly wanted: Readonly<Record<Direction, Set<string>>>;
}

export function viewOperation(api: Api, operation: Operation): ViewedOperation {
  const reader = compileRequestReader(operation, { api, report: undefined });
  return { api, operation, reader, wanted: { request: new Set(), response: new Set() } };
}

/** The reader's member for the parameters of each place. */
const GROUPS = { path: 'path', query: 'query', querystring: 'query', header: 'headers', cookie: 'cookies' } as const;

/** A recorded call as one spec describes it. */
export class CallView {
  readonly viewed: ViewedOperation;
  readonly exchange: RecordedExchange;
  readonly query: string;
  /** The documented response of its status. */
  readonly response: ApiResponse | undefined;
  readonly #input: Readonly<Record<string, unknown>>;
  readonly #bodies: Readonly<Record<Direction, ReadBody | undefined>>;
  readonly #traced = new Map<Direction, TracedValues>();

  constructor(viewed: ViewedOperation, exchange: RecordedExchange, path: ReadonlyMap<string, string>) {
    this.viewed = viewed;
    this.exchange = exchange;
    this.query = splitTarget(exchange.target).query;
    this.response = findResponse(viewed.operation, exchange.status);
    const { headers } = exchange.request;
    this.#input = viewed.reader.read({ path, query: this.query, headers, bytes: new Uint8Array() }).input;
    this.#bodies = { request: readBody(exchange.request), response: readBody(exchange.response) };
  }

  get hasBody(): boolean {
    return this.#bodies.request !== undefined;
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
    const given = this.#bodies[direction]?.mediaType;
    if (content === undefined || this.#bodies[direction] === undefined) return undefined;
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
    const { api, operation, wanted } = this.viewed;
    const tracer = new ValueTracer({ api, direction, wanted: wanted[direction] });
    if (wanted[direction].size > 0) {
      const parameters = direction === 'request' ? operation.parameters : [];
      for (const one of parameters) this.#trace(tracer, one, this.valueOf(one));
      const headers = direction === 'response' ? (this.response?.headers ?? []) : [];
      for (const one of headers) this.#trace(tracer, one, this.headerOf(one));
      const media = this.mediaOf(direction);
      const value = this.#bodies[direction]?.value;
      if (media?.schema !== undefined && value !== undefined)
        tracer.trace(media.schema, value, placeKey(media.source, ['schema']));
    }
    this.#traced.set(direction, tracer.values);
    return tracer.values;
  }

  #trace(tracer: ValueTracer, { schema, mediaType, source }: Parameter | Header, value: unknown): void {
    if (value === undefined) return;
    const steps = mediaType === undefined ? ['schema'] : ['content', mediaType, 'schema'];
    tracer.trace(schema, value, placeKey(source, steps));
  }

  get headers(): HeaderMap {
    return this.exchange.request.headers;
  }
}
