import type { PrismHttpComponents } from '@stoplight/prism-http';

import type { Api, ApiResponse, Example, MediaType, Operation } from '../../model/api.js';
import { type Schema, type SchemaObject, refName } from '../../model/schema-types.js';
import { membersOfRange } from '../../http/response/content-negotiation.js';
import { kindOf, parseMediaType } from '../../runtime/parsed-media-type.js';
import { namedView, schemaView } from '../../schema/variants.js';

type IHttpOperation = Parameters<PrismHttpComponents['mock']>[0]['resource'];

/** An operation with its schemas in `__bundled__`, where Prism's generators resolve a `$ref`. */
type BundledOperation = IHttpOperation & { readonly __bundled__: Readonly<Record<string, unknown>> };

type Raw = Readonly<Record<string, unknown>>;

/**
 * Converts an operation for Prism's mocker: only its responses, without callbacks, because Prism would call them.
 * Schemas are converted for responses, in the draft that Prism's generators know.
 */
export function toHttpOperation(api: Api, operation: Operation): BundledOperation {
  const converter = new SchemaConverter(api);
  const responses = finalResponses(operation).map((response) => toResponse(response, converter));
  return {
    id: operation.id,
    method: operation.method,
    path: operation.path,
    deprecated: operation.deprecated,
    responses: responses as unknown as IHttpOperation['responses'],
    __bundled__: converter.bundle(),
  };
}

/** Returns the responses other than 1XX, which are never final (RFC 9110, section 15.2). */
export function finalResponses({ responses }: Operation): readonly ApiResponse[] {
  return responses.filter(({ status }) => !status.startsWith('1'));
}

function toResponse({ status, content }: ApiResponse, converter: SchemaConverter): Raw {
  return {
    id: status,
    code: status,
    // Headers are made elsewhere, like bodies.
    headers: [],
    contents: withoutRanges(content).map((media) => toContent(media, converter)),
  };
}

/**
 * Replaces media ranges, which Prism does not know, by members of the range. A member that is documented itself keeps
 * its own, more specific description.
 */
function withoutRanges(content: readonly MediaType[]): readonly MediaType[] {
  const documented = new Set(content.map(({ mediaType }) => mediaType));
  return content.flatMap((media) => {
    if (!media.mediaType.includes('*')) return [media];
    const members = membersOfRange(media.mediaType).filter((mediaType) => !documented.has(mediaType));
    return members.map((mediaType) => ({ ...media, mediaType }));
  });
}

/** Shows Prism a stream as a list, so that it selects the media type. The items are generated elsewhere. */
function toContent({ mediaType, schema, examples, sequence }: MediaType, converter: SchemaConverter): Raw {
  if (sequence !== undefined) {
    const names = examples.length === 0 ? ['items'] : examples.map(({ name }) => name);
    return {
      id: mediaType,
      mediaType,
      examples: names.map((name) => ({ id: name, key: name, value: [] })),
      encodings: [],
    };
  }
  const shown = toExamples(examples);
  const standIn = schema === undefined || shown.length > 0 ? undefined : standInFor(mediaType);
  return {
    id: mediaType,
    mediaType,
    ...(schema === undefined || standIn !== undefined ? {} : { schema: converter.convert(schema) }),
    examples: standIn === undefined ? shown : [standIn],
    encodings: [],
  };
}

/**
 * Returns an example for a body that is generated elsewhere, so that Prism does not make one: its sampler is slow, and
 * writes to stderr about schemas that it cannot merge.
 */
function standInFor(mediaType: string): Raw | undefined {
  const parsed = parseMediaType(mediaType);
  const kind = parsed === undefined ? undefined : kindOf(parsed);
  if (kind !== 'json' && kind !== 'text') return undefined;
  // A name that no client asks for.
  return { id: mediaType, key: ' ', value: kind === 'json' ? null : '' };
}

function toExamples(examples: readonly Example[]): Raw[] {
  return examples.flatMap(({ name, value }) => (value === undefined ? [] : [{ id: name, key: name, value }]));
}

/** Converts our schemas to draft-07, with each `$ref` pointing into the bundle. */
class SchemaConverter {
  readonly #api: Api;
  readonly #bundle = new Map<string, unknown>();
  readonly #waiting: string[] = [];

  constructor(api: Api) {
    this.#api = api;
  }

  convert(schema: Schema): unknown {
    return this.#convert(schemaView(schema, this.#api, 'response'));
  }

  bundle(): Readonly<Record<string, unknown>> {
    for (let name = this.#waiting.pop(); name !== undefined; name = this.#waiting.pop()) {
      this.#bundle.set(name, this.#convert(namedView(name, this.#api) ?? true));
    }
    return Object.fromEntries(this.#bundle);
  }

  #convert(schema: Schema): unknown {
    if (typeof schema === 'boolean') return schema ? {} : { not: {} };
    if (schema.$ref !== undefined) return { $ref: this.#refer(refName(schema.$ref)) };
    const { prefixItems, items, properties, discriminator: _unread, ...rest } = schema;
    const out: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(rest)) out[key] = this.#convertKeyword(key, value);
    if (prefixItems !== undefined) out['items'] = prefixItems.map((item) => this.#convert(item));
    else if (items !== undefined) out['items'] = this.#convert(items);
    // Without this, Prism would generate members that responses never have.
    if (properties !== undefined)
      out['properties'] = this.#convertMap(
        Object.fromEntries(Object.entries(properties).filter(([, member]) => member !== false)),
      );
    return out;
  }

  #convertKeyword(key: string, value: unknown): unknown {
    if (SINGLE.has(key)) return typeof value === 'boolean' ? value : this.#convert(value as SchemaObject);
    if (LISTS.has(key)) return (value as readonly Schema[]).map((part) => this.#convert(part));
    return MAPS.has(key) ? this.#convertMap(value as Readonly<Record<string, Schema>>) : value;
  }

  #convertMap(schemas: Readonly<Record<string, Schema>>): unknown {
    return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, this.#convert(schema)]));
  }

  #refer(name: string): string {
    if (!this.#bundle.has(name)) {
      this.#bundle.set(name, {});
      this.#waiting.push(name);
    }
    return `#/__bundled__/${name}`;
  }
}

const SINGLE: ReadonlySet<string> = new Set([
  'additionalProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
]);
const LISTS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf']);
const MAPS: ReadonlySet<string> = new Set(['patternProperties']);
