import type { Api, Operation, Parameter } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';
import type { Schema } from '../../model/schema-types.js';
import { SchemaWords } from './schema-words.js';

/** The names and values that an API speaks in, each by the place where it stands. */
export interface ApiWords {
  /** In lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly queries: ReadonlySet<string>;
  readonly cookies: ReadonlySet<string>;
  /** Members of objects, in each spelling that the API takes. */
  readonly members: ReadonlySet<string>;
  /** Values that the document names, with the members and parameters that have them. */
  readonly values: ReadonlyMap<string, ReadonlySet<string>>;
  /** Without parameters, in lower case. */
  readonly mediaTypes: ReadonlySet<string>;
  /** Members that hold data of the user: `data` is not looked into, of a `map` the keys are the user's. */
  readonly opaque: ReadonlyMap<string, 'data' | 'map'>;
}

/** Everything in an API that may hold the vendor's name. */
export function collectApiWords(api: Api): ApiWords {
  return new WordCollector(api).collect();
}

class WordCollector {
  readonly #api: Api;
  readonly #schemas: SchemaWords;
  readonly #headers = new Map<string, string>();
  readonly #queries = new Set<string>();
  readonly #cookies = new Set<string>();
  readonly #mediaTypes = new Set<string>();

  constructor(api: Api) {
    this.#api = api;
    this.#schemas = new SchemaWords(api);
  }

  collect(): ApiWords {
    const { schemas, operations, securitySchemes, extensions } = this.#api;
    for (const { schema } of schemas.values()) this.#schemas.visit(schema);
    for (const operation of operations) this.#addOperation(operation);
    for (const scheme of securitySchemes.values()) if (scheme.type === 'apiKey') this.#addName(scheme.in, scheme.name);
    this.#addMediaTypesIn(extensions);
    return {
      headers: this.#headers,
      queries: this.#queries,
      cookies: this.#cookies,
      mediaTypes: this.#mediaTypes,
      ...this.#schemas.words(),
    };
  }

  #addOperation({ parameters, body, responses, extensions, callbacks }: Operation): void {
    for (const parameter of parameters) {
      this.#addName(parameter.in, parameter.name);
      this.#schemas.visit(parameter.schema, parameterKey(parameter));
    }
    this.#addContent(body?.content ?? []);
    for (const { headers, content } of responses) {
      for (const { name, schema } of headers) {
        this.#addName('header', name);
        this.#schemas.visit(schema, name.toLowerCase());
      }
      this.#addContent(content);
    }
    this.#addMediaTypesIn(extensions);
    for (const callback of callbacks) for (const operation of callback.operations) this.#addOperation(operation);
  }

  #addContent(content: readonly ContentPart[]): void {
    for (const { mediaType, schema, examples } of content) {
      this.#addMediaType(mediaType);
      if (schema !== undefined) this.#schemas.visit(schema, '');
      for (const { value } of examples) this.#schemas.visitExample(value, '');
    }
  }

  #addName(place: Parameter['in'], name: string): void {
    if (place === 'header') this.#headers.set(name.toLowerCase(), name);
    else if (place === 'query') this.#queries.add(name);
    else if (place === 'cookie') this.#cookies.add(name);
  }

  #addMediaType(text: string): void {
    this.#mediaTypes.add((text.split(';', 1)[0] ?? '').trim().toLowerCase());
  }

  /** Types that a document demands of headers stand in its extensions. */
  #addMediaTypesIn(value: unknown): void {
    if (typeof value === 'string' && /^[\w.+-]+\/[\w.+-]+$/.test(value)) this.#addMediaType(value);
    else if (Array.isArray(value)) for (const item of value) this.#addMediaTypesIn(item);
    else if (isRecord(value)) for (const member of Object.values(value)) this.#addMediaTypesIn(member);
  }
}

interface ContentPart {
  readonly mediaType: string;
  readonly schema?: Schema;
  readonly examples: readonly { readonly value?: unknown }[];
}

/** Names of headers go by their lower case, as headers come. */
function parameterKey({ in: place, name }: Parameter): string {
  return place === 'header' ? name.toLowerCase() : name;
}
