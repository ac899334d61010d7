import { constants } from 'node:buffer';

import { expandBody } from '../../http/request/decompress.js';
import { type BodyKind, kindOf, parseMediaType } from '../../http/media-type.js';
import type { HeaderMap, MockRequest } from '../../http/messages.js';
import { translateHeaders } from './translate-headers.js';
import { translateQuery, translateTarget } from './translate-target.js';
import { translateJson } from './translate-value.js';
import type { Words } from './translation.js';

const UTF8: ReadonlySet<string | undefined> = new Set([undefined, 'utf-8', 'utf8', 'us-ascii', 'ascii']);

/** A request in the words of the seed. Only bodies of JSON and of forms are looked into, and streams never. */
export class SeedRequest implements MockRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderMap;
  readonly #own: Record<string, HeaderMap[string]>;
  readonly #sent: MockRequest;
  readonly #words: Words;
  #bytes: Promise<Uint8Array> | undefined;

  constructor(sent: MockRequest, words: Words) {
    this.method = sent.method;
    this.target = translateTarget(sent.target, words);
    this.#own = translateHeaders(sent.headers, words, hostOf(sent));
    this.headers = this.#own;
    this.#sent = sent;
    this.#words = words;
  }

  bytes(limit?: number): Promise<Uint8Array> {
    this.#bytes ??= this.#read(limit);
    return this.#bytes;
  }

  stream(): AsyncIterable<Uint8Array> {
    return this.#sent.stream();
  }

  get remoteAddress(): string {
    return this.#sent.remoteAddress;
  }

  get signal(): AbortSignal {
    return this.#sent.signal;
  }

  async #read(limit?: number): Promise<Uint8Array> {
    const sent = await this.#sent.bytes(limit);
    const kind = sent.length === 0 ? undefined : kindToTranslate(this.#sent.headers['content-type']);
    if (kind === undefined) return sent;
    const encoding = [this.#sent.headers['content-encoding'] ?? []].flat().join(', ');
    const plain = encoding === '' ? sent : await expandBody(sent, encoding, limit ?? constants.MAX_LENGTH);
    const translated = this.#translate(plain, kind);
    if (translated === undefined) return sent;
    // It is expanded now: whoever reads the body looks at this header after it.
    delete this.#own['content-encoding'];
    return translated;
  }

  /** Nothing where the body has no word in it, or is no text. */
  #translate(bytes: Uint8Array, kind: 'json' | 'form'): Uint8Array | undefined {
    const text = decodeText(bytes);
    if (text === undefined) return undefined;
    const words = this.#words;
    const translated =
      kind === 'form'
        ? translateQuery(text, words, words.members)
        : translateJson(text, { words, host: hostOf(this.#sent), isFailure: false });
    return translated === text ? undefined : Buffer.from(translated);
  }
}

/** The host by which the mock was called. */
export function hostOf({ headers }: Pick<MockRequest, 'headers'>): string | undefined {
  const { host } = headers;
  return typeof host === 'object' ? host[0] : host;
}

/** Without a type a body is taken for JSON. Other charsets than UTF-8 are left alone. */
function kindToTranslate(contentType: HeaderMap[string]): Extract<BodyKind, 'json' | 'form'> | undefined {
  const text = typeof contentType === 'object' ? contentType[0] : contentType;
  if (text === undefined) return 'json';
  const parsed = parseMediaType(text);
  if (parsed === undefined || !UTF8.has(parsed.parameters.get('charset')?.toLowerCase())) return undefined;
  const kind = kindOf(parsed);
  return kind === 'json' || kind === 'form' ? kind : undefined;
}

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
