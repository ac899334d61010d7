import { type HeaderMap, readHeader } from '../../http/messages.js';
import type { SecretNames } from '../../http/secrets/secret-names.js';
import { remember } from '../../model/maps.js';
import type { ReadBody } from '../read-body.js';
import { type SeenScheme, readSchemes } from './security.js';
import { Shape, type ShapeContext } from './shape.js';
import { TextFacts } from './text-facts.js';

/** The bodies of one media type. */
export interface MediaShape {
  count: number;
  /** Absent if no body of it has a value. */
  shape: Shape | undefined;
}

/** A parameter of a query or header. */
export interface ParameterShape {
  /** In how many calls it is. */
  count: number;
  /** Whether it was repeated in a call. */
  isList: boolean;
  readonly texts: TextFacts;
}

/** Names and secrets that all calls of a draft share. */
export interface DraftContext extends ShapeContext {
  readonly names: SecretNames;
}

/** A request as far as it is described. */
export interface DraftedRequest {
  readonly query: string;
  readonly headers: HeaderMap;
  readonly body: ReadBody | undefined;
  readonly hasBody: boolean;
}

/** The most parameters of one kind. */
const MOST_PARAMETERS = 100;

/** The most media types of one message. */
const MOST_MEDIA_TYPES = 20;

/** What is known of the requests of one operation. */
export class RequestShape {
  calls = 0;
  bodies = 0;
  readonly media: Map<string, MediaShape> = new Map();
  readonly query: Map<string, ParameterShape> = new Map();
  readonly headers: Map<string, ParameterShape> = new Map();
  /** How often each set of credentials was sent, by the ids of their schemes. */
  readonly security: Map<string, number> = new Map();

  add(request: DraftedRequest, context: DraftContext): readonly SeenScheme[] {
    this.calls += 1;
    if (request.hasBody) {
      this.bodies += 1;
      addBody(this.media, request.body, context);
    }
    this.#addQuery(request.query, context);
    this.#addHeaders(request.headers, context);
    const schemes = readSchemes(request, context.names);
    const key = schemes.map(({ id }) => id).join(' ');
    this.security.set(key, (this.security.get(key) ?? 0) + 1);
    return schemes;
  }

  #addQuery(query: string, { names }: DraftContext): void {
    if (query === '') return;
    const fields = new URLSearchParams(query);
    for (const name of new Set(fields.keys())) {
      if (names.hasField(name)) continue;
      addParameter(this.query, name, fields.getAll(name));
    }
  }

  #addHeaders(headers: HeaderMap, { names }: DraftContext): void {
    for (const name of Object.keys(headers)) {
      if (isUsualHeader(name) || names.hasHeader(name)) continue;
      addParameter(this.headers, name, [readHeader({ headers }, name) ?? '']);
    }
  }

  merge(other: RequestShape): void {
    this.calls += other.calls;
    this.bodies += other.bodies;
    mergeMedia(this.media, other.media);
    for (const place of ['query', 'headers'] as const)
      for (const [name, { count, isList, texts }] of other[place]) {
        const known = this[place].get(name) ?? { count: 0, isList: false, texts: new TextFacts() };
        this[place].set(name, known);
        known.count += count;
        known.isList ||= isList;
        known.texts.merge(texts);
      }
    for (const [key, count] of other.security) this.security.set(key, (this.security.get(key) ?? 0) + count);
  }
}

/** Adds a body to those of its media type. */
export function addBody(media: Map<string, MediaShape>, body: ReadBody | undefined, context: ShapeContext): void {
  if (body === undefined) return;
  const name = body.mediaType?.essence ?? (body.value === undefined ? 'application/octet-stream' : 'application/json');
  const known = media.get(name);
  if (known === undefined && media.size >= MOST_MEDIA_TYPES) return;
  const kept = known ?? { count: 0, shape: undefined };
  media.set(name, kept);
  kept.count += 1;
  if (body.value === undefined) return;
  kept.shape ??= new Shape();
  kept.shape.add(body.value, context);
}

export function mergeMedia(target: Map<string, MediaShape>, source: ReadonlyMap<string, MediaShape>): void {
  for (const [name, { count, shape }] of source) {
    const known = target.get(name) ?? { count: 0, shape: undefined };
    target.set(name, known);
    known.count += count;
    if (shape !== undefined) (known.shape ??= new Shape()).merge(shape);
  }
}

function addParameter(parameters: Map<string, ParameterShape>, name: string, values: readonly string[]): void {
  const known = parameters.get(name);
  if (known === undefined && parameters.size >= MOST_PARAMETERS) return;
  const parameter = known ?? { count: 0, isList: false, texts: new TextFacts() };
  parameters.set(name, parameter);
  parameter.count += 1;
  parameter.isList ||= values.length > 1;
  for (const value of values) parameter.texts.add(value, () => value === 'REDACTED');
}

const USUAL: ReadonlySet<string> = new Set(
  (
    'accept access-control-request-headers access-control-request-method age alt-used authorization cache-control connection ' +
    'cookie cookie2 date dnt expect forwarded from host http2-settings keep-alive link max-forwards origin pragma prefer priority ' +
    'proxy-authorization proxy-connection range referer rtt save-data te trailer transfer-encoding upgrade ' +
    'upgrade-insecure-requests user-agent via viewport-width warning x-requested-with x-real-ip x-request-id x-correlation-id ' +
    'x-client-data x-http-method-override traceparent tracestate baggage content-length'
  ).split(' '),
);

/** Whether a header is one that clients, browsers and gateways send to every API. */
const isUsualHeader = remember(
  (name) =>
    USUAL.has(name) || /^(?:accept|content|if|sec|proxy|cf|x-forwarded|x-amzn|x-b3|x-specmill|:)[-\w]*$/.test(name),
);
