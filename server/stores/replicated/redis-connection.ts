import type * as Redis from '@redis/client';

import { InputError } from '../../../model/diagnostics/input-error.js';
import type { RedisScript } from './redis-scripts.js';
import { StateFullError, StateUnavailableError } from './state-backend.js';

/** The most time that Redis has to respond. Milliseconds. */
const TIMEOUT = 2_000;
const CONNECT_TIMEOUT = 3_000;
const LONGEST_PAUSE = 500;

type Argument = string | Buffer;

interface Client {
  readonly sendCommand: (command: readonly Argument[]) => Promise<unknown>;
  readonly destroy: () => void;
}

/** A connection that reconnects by itself. While it is disconnected, commands fail at once. */
export class RedisConnection {
  readonly #client: Client;
  readonly #bytes: Client;

  constructor(client: Client, bytes: Client) {
    this.#client = client;
    this.#bytes = bytes;
  }

  /** @throws StateUnavailableError */
  async send(...command: readonly Argument[]): Promise<unknown> {
    return await this.#settle(this.#client.sendCommand(command));
  }

  /** Like `send`, but returns texts of the response as bytes. */
  async sendForBytes(...command: readonly Argument[]): Promise<unknown> {
    return await this.#settle(this.#bytes.sendCommand(command));
  }

  /** @throws StateUnavailableError */
  async run({ sha1, text }: RedisScript, keys: readonly string[], args: readonly Argument[]): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...args];
    try {
      return await this.#inTime(this.#client.sendCommand(['EVALSHA', sha1, ...rest]));
    } catch (error) {
      // A restarted server does not know the script.
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw unavailable(error);
      return this.send('EVAL', text, ...rest);
    }
  }

  async close(): Promise<void> {
    this.#client.destroy();
  }

  async #settle<T>(response: Promise<T>): Promise<T> {
    try {
      return await this.#inTime(response);
    } catch (error) {
      throw unavailable(error);
    }
  }

  async #inTime<T>(response: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`Redis has not responded for ${TIMEOUT} ms`)), TIMEOUT);
    });
    try {
      return await Promise.race([response, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

function unavailable(error: unknown): StateUnavailableError {
  if (error instanceof StateUnavailableError) return error;
  const message = error instanceof Error ? error.message : String(error);
  // Redis names the script and its line.
  const [reason = ''] = message.split(/ script: | on @user_script/, 1);
  const text = `${reason.replace(/\.$/, '')}.`;
  return /^OOM\b/.test(message)
    ? new StateFullError(text, { cause: error })
    : new StateUnavailableError(text, { cause: error });
}

/** @throws InputError if there is no Redis at the address. */
export async function connectRedis({ url, server }: RedisLocation): Promise<RedisConnection> {
  const { createClient, RESP_TYPES } = await loadRedis();
  let isConnected = false;
  const client = createClient({
    url,
    RESP: 2,
    // Queued commands could run twice or much too late after a reconnect.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: CONNECT_TIMEOUT,
      reconnectStrategy: (retries) => (isConnected ? Math.min(20 * 2 ** retries, LONGEST_PAUSE) : false),
    },
  });
  // Ignored: commands fail while the server is unreachable.
  client.on('error', () => {});
  try {
    await client.connect();
    isConnected = true;
    return new RedisConnection(client, client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer }));
  } catch (error) {
    if (client.isOpen) client.destroy();
    const reason = error instanceof Error && error.message !== '' ? error.message : String(error);
    throw new InputError(`There is no Redis at ${server}: ${reason.replace(/\.$/, '')}.`, {}, { cause: error });
  }
}

/** A Redis server and the part of it that mocks use. */
export interface RedisLocation {
  /** Without the prefix; with user name and password, if any. */
  readonly url: string;
  readonly server: string;
  readonly prefix: string;
}

const DEFAULT_PREFIX = 'specmill:';

/** The variable of the environment with the password of Redis. */
const PASSWORD = 'SPECMILL_REDIS_PASSWORD';

/** @throws InputError if the text is not a Redis URL. */
export function parseRedisUrl(text: string): RedisLocation {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isRedis = url !== undefined && ['redis:', 'rediss:'].includes(url.protocol) && url.hostname !== '';
  const others = [...(url?.searchParams.keys() ?? [])].filter((name) => name !== 'prefix');
  if (!isRedis || !/^\/?\d*$/.test(url.pathname) || others.length > 0 || url.hash !== '')
    throw new InputError('The option store must be an address such as redis://HOST:PORT[/DB][?prefix=P].');
  const prefix = url.searchParams.get('prefix') ?? DEFAULT_PREFIX;
  url.search = '';
  const password = process.env[PASSWORD];
  // A password on the command line is in the list of processes.
  if (url.password === '' && password !== undefined) url.password = encodeURIComponent(password);
  return { url: url.href, server: url.host, prefix: prefix.endsWith(':') || prefix === '' ? prefix : `${prefix}:` };
}

/** @throws InputError if the package, which only this option needs, is not installed. */
async function loadRedis(): Promise<typeof Redis> {
  try {
    return await import('@redis/client');
  } catch (error) {
    throw new InputError(
      'The option --store needs the package @redis/client, which is not installed: npm install @redis/client.',
      {},
      { cause: error },
    );
  }
}
