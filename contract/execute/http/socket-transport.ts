import { promisify } from 'node:util';
import zlib from 'node:zlib';

import { withoutByteOrderMark } from '../../../model/document/json-text.js';
import { isHeader } from '../../../config/check-config.js';
import { setMember } from '../../../model/document/records.js';
import type { WireRequest } from '../../types.js';
import { Connection, type Trust, type RawResponse, type RawRequest } from './connection.js';
import { isBroken, isRefused, type ReceivedResponse, MAX_RESPONSE, type Transport } from './transport.js';
import { stringifyExactJson } from '../../../runtime/json-integers.js';

/**
 * Sends over keep-alive sockets, by undici. A run sends thousands of small requests, so their cost decides its speed:
 * `node:http` takes almost twice the processor time, the platform's `fetch` ten times as much.
 */
export function createSocketTransport(url: URL, trust: Trust = { ca: undefined, insecure: false }): Transport {
  const pool = new ConnectionPool(url.origin, trust);
  return {
    send: async (request, timeLimitMs) => readResponse(await pool.send({ ...toRawRequest(request), timeLimitMs })),
    close: () => pool.close(),
  };
}

/** The connections to one server, one for each concurrent request. */
class ConnectionPool {
  readonly #origin: string;
  readonly #trust: Trust;
  readonly #all = new Set<Connection>();
  /** Sorted by last use, the most recent last. */
  readonly #idle: Connection[] = [];

  constructor(origin: string, trust: Trust) {
    this.#origin = origin;
    this.#trust = trust;
  }

  async send(request: RawRequest): Promise<RawResponse> {
    const connection = this.#idle.pop() ?? this.#add();
    const wasReused = connection.isReused;
    try {
      return await this.#sendOn(connection, request);
    } catch (error) {
      // The server may close an idle socket just as it is reused. That is no fault of the request, so it is sent again.
      if (!wasReused || connection.hasResponded || !isBroken(error)) throw error;
      return await this.#sendOn(this.#add(), request).catch((again: unknown) => {
        // If nothing listens any more, the server ended during the first attempt.
        throw isRefused(again) ? error : again;
      });
    }
  }

  close(): void {
    for (const connection of this.#all) connection.close();
  }

  async #sendOn(connection: Connection, request: RawRequest): Promise<RawResponse> {
    try {
      return await connection.send(request);
    } finally {
      if (connection.isOpen) this.#idle.push(connection);
      else this.#all.delete(connection);
    }
  }

  #add(): Connection {
    const connection = new Connection(this.#origin, this.#trust);
    this.#all.add(connection);
    return connection;
  }
}

/** Headers that the connection itself sets. */
const FRAMING: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

/** @throws Error if a header is malformed: its text could be read as another request. */
function toRawRequest({ method, url, headers, body }: WireRequest): Omit<RawRequest, 'timeLimitMs'> {
  const { pathname, search } = new URL(url);
  const sent: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!isHeader(name, value)) throw new Error(`HTTP cannot carry the header ${stringifyExactJson(name)}.`);
    if (!FRAMING.has(name)) setMember(sent, name, value);
  }
  return { method, path: pathname + search, headers: sent, body: body ?? null };
}

async function readResponse({ status, headers, body, isCut }: RawResponse): Promise<ReceivedResponse> {
  const coding = headers.get('content-encoding');
  const bytes = coding === null || body.length === 0 ? body : await decompress(body, coding);
  const text = bytes.toString('utf8');
  return { status, headers, text: withoutByteOrderMark(text), ...(isCut ? { isCut } : {}) };
}

const LIMIT = { maxOutputLength: MAX_RESPONSE };
const unzip = promisify(zlib.unzip);
const unbrotli = promisify(zlib.brotliDecompress);

/** Decompresses a body; an incomplete one as far as it goes. */
async function decompress(bytes: Buffer, coding: string): Promise<Buffer> {
  switch (coding.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
    case 'deflate':
      return unzip(bytes, { ...LIMIT, finishFlush: zlib.constants.Z_SYNC_FLUSH });
    case 'br':
      return unbrotli(bytes, { ...LIMIT, finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH });
    default:
      return bytes;
  }
}
