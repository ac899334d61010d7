import { promisify } from 'node:util';
import zlib from 'node:zlib';

import { isHeader } from '../../model/config/check-config.js';
import type { WireRequest } from '../types.js';
import { Connection, type RawAnswer, type RawRequest } from './connection.js';
import { type Answer, AnswerLate, MAX_ANSWER, type Transport } from './transport.js';

/**
 * Sends over sockets that are kept open. What stands between a run and its sockets is short, since a run sends thousands
 * of small requests and is as fast as they are: `node:http` takes several times the processor time, the platform's `fetch` more.
 */
export function createSocketTransport(url: URL): Transport {
  const pool = new ConnectionPool(url);
  return {
    send: async (request, timeLimitMs) => {
      const { method } = request;
      return readAnswer(await pool.send({ method, bytes: writeRequestBytes(request), timeLimitMs }));
    },
    close: () => pool.close(),
  };
}

/** The connections to one server, as many as there are requests at once. */
class ConnectionPool {
  readonly #url: URL;
  readonly #open = new Set<Connection>();
  /** The one that was used last comes last. */
  readonly #idle: Connection[] = [];

  constructor(url: URL) {
    this.#url = url;
  }

  async send(request: RawRequest): Promise<RawAnswer> {
    const used = this.#takeIdle();
    if (used === undefined) return this.#sendOn(this.#connect(), request);
    try {
      return await this.#sendOn(used, request);
    } catch (error) {
      // The server may close a socket that it takes for idle just as it is used again: that says nothing about the request.
      if (used.hasAnswered || error instanceof AnswerLate) throw error;
      return this.#sendOn(this.#connect(), request);
    }
  }

  close(): void {
    for (const connection of this.#open) connection.close();
  }

  async #sendOn(connection: Connection, request: RawRequest): Promise<RawAnswer> {
    try {
      return await connection.send(request);
    } finally {
      if (connection.isOpen) this.#idle.push(connection);
      else this.#open.delete(connection);
    }
  }

  #takeIdle(): Connection | undefined {
    for (;;) {
      const connection = this.#idle.pop();
      if (connection === undefined || connection.isOpen) return connection;
      this.#open.delete(connection);
    }
  }

  #connect(): Connection {
    const connection = new Connection(this.#url);
    this.#open.add(connection);
    return connection;
  }
}

/** What the connection itself decides. */
const FRAMING: ReadonlySet<string> = new Set(['connection', 'content-length', 'transfer-encoding']);
/** A request of these without a body says so (RFC 9110, 8.6). */
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** @throws Error where a header is none: what it would write could be taken for another request. */
function writeRequestBytes({ method, url, headers, body }: WireRequest): Buffer {
  const { host, pathname, search } = new URL(url);
  let head = `${method} ${pathname}${search} HTTP/1.1\r\nconnection: keep-alive\r\n`;
  if (!Object.hasOwn(headers, 'host')) head += `host: ${host}\r\n`;
  for (const [name, value] of Object.entries(headers)) {
    if (!isHeader(name, value)) throw new Error(`HTTP cannot carry the header ${JSON.stringify(name)}.`);
    if (!FRAMING.has(name)) head += `${name}: ${value}\r\n`;
  }
  if (body === undefined)
    return Buffer.from(`${head}${WITH_BODY.has(method) ? 'content-length: 0\r\n' : ''}\r\n`, 'latin1');
  const bytes = Buffer.from(body);
  return Buffer.concat([Buffer.from(`${head}content-length: ${bytes.length}\r\n\r\n`, 'latin1'), bytes]);
}

async function readAnswer({ status, headers, body, isCut }: RawAnswer): Promise<Answer> {
  const coding = headers.get('content-encoding');
  const bytes = coding === null || body.length === 0 ? body : await decompress(body, coding);
  const text = bytes.toString('utf8');
  return { status, headers, text: text.startsWith('\uFEFF') ? text.slice(1) : text, ...(isCut ? { isCut } : {}) };
}

const LIMIT = { maxOutputLength: MAX_ANSWER };
const unzip = promisify(zlib.unzip);
const unbrotli = promisify(zlib.brotliDecompress);

/** A beginning is decoded as far as it goes. */
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
